package chess

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func TestLaw(t *testing.T) {
	var more []string
	for i, line := range vectors.Lines(t, "testdata/random250_perft_moves.epd") {
		if fen, _, _ := strings.Cut(line, " ;"); i%5 == 0 {
			more = append(more, fen)
		}
	}
	more = append(more,
		"startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",                                   // the next knight move leads to a draw
		"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 97 70",                                              // the clock runs out
		"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 70 moves a1a2 a8a7 a2a1 a7a8 a1a2 a8a7 a2a1 a7a8", // rights are lost, and then positions repeat
		"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",                                                   // a pawn that may not capture en passant
		"8/6pk/8/8/8/8/1P4PK/8 w - - 0 1",
		"k7/2P5/8/8/8/8/2p5/K7 w - - 0 1",
	)
	gametest.Law(t, gametest.New(t, New, "chess"), gametest.Options{Positions: more, Playouts: 300})
}

func TestOptions(t *testing.T) { gametest.Refuse(t, New, "chess:size=10") }

// TestSlides compares the attack tables with directly computed attacks.
func TestSlides(t *testing.T) {
	prepare()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		sq, occupied := rng.IntN(64), rng.Uint64()&rng.Uint64()
		if got, want := RookAttacks(sq, occupied), slide(sq, occupied, compass[:4]); got != want {
			t.Fatalf("rook on %d, pieces %x: %x, want %x", sq, occupied, got, want)
		}
		if got, want := BishopAttacks(sq, occupied), slide(sq, occupied, compass[4:]); got != want {
			t.Fatalf("bishop on %d, pieces %x: %x, want %x", sq, occupied, got, want)
		}
	}
	knights := 0
	for sq := range 64 {
		knights += bits.OnesCount64(KnightAttacks(sq))
	}
	if knights != 336 || bits.OnesCount64(KingAttacks(0)) != 3 {
		t.Errorf("%d moves of knights on an empty board, want 336", knights)
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		text    string
		stage   stage
		utility float64 // white's utility
	}{
		{"startpos moves f2f3 e7e5 g2g4 d8h4", mated, -1},
		{"startpos moves e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", mated, 1},
		{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", stalemate, 0},
		{"7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", mated, 1}, // takes precedence over the clock
		{"7k/8/6K1/8/8/8/8/R7 b - - 100 90", fiftyMoves, 0},
		{"7k/8/6K1/8/8/8/8/R7 b - - 99 90", playing, 0},
		{"7k/8/6K1/8/8/8/8/8 b - - 0 90", material, 0},
		{"7k/8/6K1/8/8/8/8/N7 b - - 0 90", material, 0},
		{"7k/8/6K1/8/8/8/B7/8 w - - 0 90", material, 0},
		{"7k/8/6K1/8/8/8/8/1Bb5 w - - 0 90", playing, 0},
		{"7k/8/6K1/8/8/8/1b6/2B5 w - - 0 90", material, 0},
		{"7k/8/6K1/8/8/8/8/NN6 b - - 0 90", playing, 0},
		{"7k/8/6K1/8/8/8/8/Nn6 b - - 0 90", playing, 0},
		{"7k/8/6K1/8/8/8/8/Nb6 w - - 0 90", playing, 0},
		{"7k/8/6K1/8/8/8/P7/8 b - - 0 90", playing, 0},
	} {
		s := vectors.Must(ParsePosition(c.text))
		if got := s.analysed().stage; got != c.stage {
			t.Errorf("%s: stage %d, want %d", c.text, got, c.stage)
			continue
		}
		over := c.stage != playing
		if (s.Turn() == game.Nobody) != over || (len(s.Moves(nil)) == 0) != over {
			t.Errorf("%s: turn %d, %d moves", c.text, s.Turn(), len(s.Moves(nil)))
		}
		if over && (s.Utility(0) != c.utility || s.Utility(1) != -c.utility) {
			t.Errorf("%s: utilities %v and %v, want %v", c.text, s.Utility(0), s.Utility(1), c.utility)
		}
		if free := s.WithoutDraws(); (c.stage > stalemate) != (over && free.Turn() != game.Nobody) {
			t.Errorf("%s: turn %d without draws", c.text, free.Turn())
		}
	}
}

func TestThirdRepetitionDraws(t *testing.T) {
	const round = " Nf3 Nf6 Ng1 Ng8"
	s := vectors.Must(ParsePosition(startFEN))
	gametest.Play(t, parseMove, s, round+" Nf3 Nf6 Ng1")
	if s.Turn() == game.Nobody {
		t.Fatalf("%s is over", s)
	}
	fresh := vectors.Must(ParsePosition(s.FEN()))
	if fresh.Hash() == s.Hash() {
		t.Error("the hash does not tell a position that will repeat from one that will not")
	}
	gametest.Play(t, parseMove, s, "Ng8")
	if s.analysed().stage != repetition || s.Utility(0) != 0 {
		t.Errorf("%s: stage %d, want a draw", s, s.analysed().stage)
	}
	if again := vectors.Must(ParsePosition(s.String())); again.Turn() != game.Nobody || again.Hash() != s.Hash() {
		t.Errorf("%s is read as %s, turn %d", s, again, again.Turn())
	}

	// The first position has a right that the later ones lack.
	s = vectors.Must(ParsePosition("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"))
	gametest.Play(t, parseMove, s, "Ra2 Ra7 Ra1 Ra8 Ra2 Ra7 Ra1 Ra8")
	if s.Turn() != 0 {
		t.Errorf("%s: turn %d, want 0: this position has stood twice", s, s.Turn())
	}
	if gametest.Play(t, parseMove, s, "Ra2"); s.Turn() != 1 {
		t.Errorf("%s: turn %d, want 1", s, s.Turn())
	}
	if gametest.Play(t, parseMove, s, "Ra7"); s.Turn() != game.Nobody {
		t.Errorf("%s: turn %d, want a draw", s, s.Turn())
	}

	// Here too, black could capture en passant at first, but not later.
	s = vectors.Must(ParsePosition("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"))
	gametest.Play(t, parseMove, s, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1")
	if s.Turn() != 1 {
		t.Errorf("%s: turn %d, want 1: the right to take in passing made the first another position", s, s.Turn())
	}
	if gametest.Play(t, parseMove, s, "Kd8"); s.Turn() != game.Nobody {
		t.Errorf("%s: turn %d, want a draw", s, s.Turn())
	}

	// If the en passant capture would leave the king in check, the right does not exist, so this is
	// a repetition.
	for _, fen := range []string{"8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1"} {
		s := vectors.Must(ParsePosition(fen))
		gametest.Play(t, parseMove, s, "e4")
		if got := s.FEN(); !strings.Contains(got, " b - - ") || vectors.Must(ParsePosition(got)).Hash() != s.Hash() {
			t.Errorf("%s after e4 is %s", fen, got)
		}
		there, back := "Ka5", "Ka4"
		if strings.HasPrefix(fen, "3k4") {
			there, back = "Kd7", "Kd8"
		}
		gametest.Play(t, parseMove, s, there+" Kf1 "+back+" Ke1 "+there+" Kf1 "+back)
		if s.Turn() != 0 {
			t.Errorf("%s: turn %d, want 0", s, s.Turn())
		}
		if gametest.Play(t, parseMove, s, "Ke1"); s.Turn() != game.Nobody {
			t.Errorf("%s: turn %d, want a draw", s, s.Turn())
		}
	}
}

// TestHashOfOrders checks the hashes of a position reached by playing moves in different orders.
func TestHashOfOrders(t *testing.T) {
	a, b := vectors.Must(ParsePosition("startpos moves e2e4 e7e5 g1f3 b8c6")), vectors.Must(ParsePosition("startpos moves e2e3 e7e6 e3e4 e6e5 g1f3 b8c6"))
	if a.Hash() != b.Hash() {
		t.Errorf("%s and %s have other hashes", a, b)
	}
	c := vectors.Must(ParsePosition("startpos moves e2e4 e7e5 b1c3 b8c6 c3b1 c6b8 g1f3 b8c6"))
	if a.Hash() == c.Hash() {
		t.Errorf("%s and %s have the same hash", a, c)
	}
}

func TestRank(t *testing.T) {
	s := vectors.Must(ParsePosition("3q3k/2P5/8/3p1r2/4P3/4Q3/8/4K3 w - - 0 1"))
	var order []string
	rank := map[string]int32{}
	for _, m := range s.Moves(nil) {
		rank[s.MoveString(m)] = s.Rank(m)
	}
	for _, name := range []string{"c7d8q", "c7c8q", "e4f5", "e4d5", "e3a3", "c7c8n"} {
		if _, ok := rank[name]; !ok {
			t.Fatalf("no move %s in %v", name, rank)
		}
		if n := len(order); n > 0 && rank[order[n-1]] <= rank[name] {
			t.Errorf("%s ranks %d, %s %d", order[n-1], rank[order[n-1]], name, rank[name])
		}
		order = append(order, name)
	}
}

func TestNoisy(t *testing.T) {
	names := func(text string) string {
		s := vectors.Must(ParsePosition(text))
		var out []string
		for _, m := range s.Noisy(nil) {
			out = append(out, s.MoveString(m))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ text, want string }{
		{startFEN, ""},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"},
		{"8/2P4k/8/8/8/8/8/4K3 w - - 0 1", "c7c8q"},
		{"3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q c7d8q"},
		{"7k/8/4p3/3p1p2/4P3/2N5/8/3QK3 w - - 0 1", "e4d5 e4f5"}, // the queen does not take a defended pawn
		{"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1d1 e1f1 e1e2"},
	} {
		got := names(c.text)
		if len(strings.Fields(got)) != len(strings.Fields(c.want)) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
		for _, name := range strings.Fields(c.want) {
			if c.text[:11] != "4k3/8/8/8/8" && !strings.Contains(got, name) {
				t.Errorf("%s: %q, want %q", c.text, got, c.want)
			}
		}
	}
}

// TestPass checks that a pass changes the side to move and can be undone. It also checks that a
// player who is in check, or has only a king and pawns, may not pass.
func TestPass(t *testing.T) {
	for fen, may := range map[string]bool{
		"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2":   true,
		"rnbqk1nr/pppp1ppp/8/4p3/1b2P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 1 3": false, // in check
		"8/5k2/4p3/4P3/5K2/8/8/8 w - - 0 1":                               false, // zugzwang
		"8/5k2/4p3/4P3/5K2/8/8/4R3 w - - 0 1":                             true,
	} {
		s := vectors.Must(ParsePosition(fen))
		if s.MayPass() != may {
			t.Errorf("%s: may pass: %v", fen, !may)
		}
		if !may {
			continue
		}
		text, hash := s.String(), s.Hash()
		s.Pass()
		if s.Turn() != 1 || s.Hash() == hash || s.Army(0)[NoPiece] == 0 {
			t.Errorf("%s: passed to %s", fen, s)
		}
		for _, m := range s.Moves(nil) {
			s.Play(m)
			s.Undo()
		}
		s.Undo()
		if s.String() != text || s.Hash() != hash || s.Turn() != 0 {
			t.Errorf("%s: after a pass and Undo %s", text, s)
		}
	}
}

// TestLosing checks captures with a known outcome. The last two come from the Chess Programming
// Wiki.
func TestLosing(t *testing.T) {
	for _, c := range []struct {
		text, move string
		want       bool
		why        string
	}{
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", false, "pawn takes pawn"},
		{"4k3/8/4p3/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", true, "a knight for a guarded pawn"},
		{"4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", false, "the pawn is alone"},
		{"4k3/8/4p3/3n4/8/2N5/8/4K3 w - - 0 1", "c3d5", false, "knight for knight"},
		{"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", false, "the second rook stands behind the first"},
		{"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", true, "they have one more behind"},
		{"8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", true, "their king takes"},
		{"8/8/4k3/3p4/8/5B2/8/3RK3 w - - 0 1", "d1d5", false, "their king may not take"},
		{"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", false, "an open pawn"},
		{"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", true, "a knight for a pawn, after all exchanges"},
	} {
		s := vectors.Must(ParsePosition(c.text))
		m := vectors.Must(parseMove(s, c.move))
		if got := s.line[s.ply].losing(m, s.side()); got != c.want {
			t.Errorf("%s %s: losing %v, want %v: %s", c.text, c.move, got, c.want, c.why)
		}
	}
}

// TestLosingByDefinition compares the function losing with the results of exchanges that are played
// out, in positions from random games.
func TestLosingByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	asked, losing := 0, 0
	for range 60 {
		s := start()
		for range 80 {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			p, side := &s.line[s.ply], s.side()
			for _, m := range moves {
				victim := p.captured(m)
				if victim == NoPiece || m&promotes != 0 || m>>kindShift&3 == enPassant {
					continue
				}
				want := worth[victim]-p.retake(int(m>>toShift&63), 1-side, mover(m), p.occupied()&^(1<<(m&63))) < 0
				if got := p.losing(m, side); got != want {
					t.Fatalf("%s %s: losing %v, want %v", s, s.MoveString(m), got, want)
				}
				if asked++; want {
					losing++
				}
			}
			s.Play(moves[rng.IntN(len(moves))])
		}
	}
	if losing < 100 || asked-losing < 100 {
		t.Errorf("%d captures, %d of them losing: want many of both", asked, losing)
	}
}

// retake returns the most material that side can win by capturing a piece of the given kind on sq
// with its least valuable piece, or 0 if capturing loses material. occupied contains the blocking
// pieces. A king captures only if sq is not defended.
func (p *position) retake(sq, side int, kind Piece, occupied uint64) int32 {
	takers := p.attackers(sq, 1-side, occupied) & occupied & p.own(side)
	guards := p.attackers(sq, side, occupied) & occupied & p.own(1-side)
	for _, k := range []Piece{Pawn, Knight, Bishop, Rook, Queen, King} {
		for b := takers; b != 0; b &= b - 1 {
			at := bits.TrailingZeros64(b)
			if p.at(uint(at)) != k || k == King && guards != 0 {
				continue
			}
			return max(0, worth[kind]-p.retake(sq, 1-side, k, occupied&^(1<<at)))
		}
	}
	return 0
}
