package chess

import (
	"bytes"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"

	oracle "github.com/corentings/chess/v2"
	"github.com/google/go-cmp/cmp"
)

// TestOracle plays random games in parallel with another library. It compares positions, moves in
// both notations, and results.
func TestOracle(t *testing.T) {
	games := 12
	if vectors.Long() {
		games = 1000
	}
	uci, san := oracle.UCINotation{}, oracle.AlgebraicNotation{}
	moves, ends := 0, map[stage]int{}
	for i := range games {
		rng := rand.New(rand.NewPCG(3, uint64(i)))
		s := vectors.Must(ParsePosition(startFEN))
		theirs := oracle.StartingPosition()
		for plies := 0; s.Turn() != game.Nobody && plies < 250; plies++ {
			var ours, other []string
			for _, m := range s.Moves(nil) {
				ours = append(ours, s.MoveString(m)+" "+SAN(s, m))
			}
			for _, m := range theirs.ValidMoves() {
				other = append(other, uci.Encode(theirs, &m)+" "+san.Encode(theirs, &m))
			}
			// The other library reports check after underpromotions that do not give check.
			for _, list := range [][]string{ours, other} {
				for k, m := range list {
					if strings.Contains(m, "=") {
						list[k] = strings.TrimRight(m, "+#")
					}
				}
			}
			sort.Strings(ours)
			sort.Strings(other)
			if strings.Join(ours, ",") != strings.Join(other, ",") {
				t.Fatalf("%s:\n%s", s, cmp.Diff(other, ours))
			}
			moves += len(ours)
			// The other library's FEN contains an en passant square after every two-square pawn
			// step.
			if ours, other := strings.Fields(s.FEN()), strings.Fields(theirs.String()); ours[0] != other[0] || ours[1] != other[1] || ours[2] != other[2] || ours[4] != other[4] || ours[5] != other[5] {
				t.Fatalf("%v, want %v", ours, other)
			}
			all := s.Moves(nil)
			m := all[rng.IntN(len(all))]
			next := vectors.Must(uci.Decode(theirs, s.MoveString(m)))
			theirs = theirs.Update(next)
			s.Play(m)
		}
		at := s.analysed().stage
		ends[at]++
		if (at == mated) != (theirs.Status() == oracle.Checkmate) || (at == stalemate) != (theirs.Status() == oracle.Stalemate) {
			t.Errorf("%s: stage %d, theirs %v", s, at, theirs.Status())
		}
	}
	t.Logf("%d moves; games by their end: %v", moves, ends)
}

func TestSAN(t *testing.T) {
	for _, c := range []struct{ fen, uci, san string }{
		{startFEN, "g1f3", "Nf3"},
		{startFEN, "e2e4", "e4"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "Rxa8+"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
		{"3q3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", "cxd8=Q+"},
		{"3q3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8n", "c8=N"},
		{"8/8/8/8/8/2k5/8/R2K3R w - - 0 1", "a1c1", "Rc1+"},
		{"6k1/8/8/8/8/8/3K4/R6R w - - 0 1", "a1e1", "Rae1"},
		{"1k6/8/8/R7/8/8/8/R4K2 w - - 0 1", "a1a3", "R1a3"},
		{"8/k7/8/8/4Q2Q/8/8/2K4Q w - - 0 1", "h4e1", "Qh4e1"},
		{"7k/8/8/8/2N1N3/8/8/2K5 w - - 0 1", "c4d6", "Ncd6"},
		{"startpos moves f2f3 e7e5 g2g4", "d8h4", "Qh4#"},
		// The other knight is pinned, so no file is needed.
		{"4r2k/8/8/8/2N5/4N3/8/4K3 w - - 0 1", "c4d2", "Nd2"},
	} {
		s := vectors.Must(ParsePosition(c.fen))
		before := s.String()
		m, err := parseMove(s, c.uci)
		if err != nil {
			t.Error(err)
			continue
		}
		got := SAN(s, m)
		if got != c.san {
			t.Errorf("%s: %s is %s, want %s", c.fen, c.uci, got, c.san)
		}
		if s.String() != before {
			t.Errorf("SAN leaves %s, not %s", s, before)
		}
		if back, err := parseMove(s, got); err != nil || back != m {
			t.Errorf("%s: %s is read as %v, %v", c.fen, got, back, err)
		}
	}
}

func TestReadsManySpellings(t *testing.T) {
	for _, c := range []struct{ fen, text, uci string }{
		{startFEN, "Ng1f3", "g1f3"},
		{startFEN, "Ngf3!?", "g1f3"},
		{startFEN, "e2-e4", "e2e4"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6", "e5d6"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5xd6", "e5d6"},
		{"3q3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "cxd8Q+", "c7d8q"},
		{"3q3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c8", ""},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0", "e1c1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kg1", ""},
		{"6k1/8/8/8/8/8/3K4/R6R w - - 0 1", "Re1", ""},
		{"7k/8/8/6Q1/8/1Q6/6p1/1Q2K3 w - - 0 1", "Qg5xg2", "g5g2"},
		{"4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", "fxe3e.p.", "f4e3"},
		{"4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", "f4:e3ep", "f4e3"},
		{"4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", "g8=q", "g7g8q"},
		{"4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", "g8n+", "g7g8n"},
		{"4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", "g8(Q)", "g7g8q"},
		{"4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", "g8/R", "g7g8r"},
		{"4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", "g7-g8=B!", "g7g8b"},
		{"4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", "g8=K", ""},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o", "e1g1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O+!?", "e1c1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "OO", "e1g1"},
		{startFEN, "♘f3", "g1f3"},
		{"4k3/8/8/8/2N3N1/8/8/4K3 w - - 0 1", "Ne3", ""},
		{"4k3/8/8/8/2N3N1/8/8/4K3 w - - 0 1", "Nce3", "c4e3"},
		{startFEN, "Nxf3", ""},
		{startFEN, "xe4", ""},
		{startFEN, "e5", ""},
		{startFEN, "Pe4", "e2e4"},
		{startFEN, "e2e4q", ""},
		{startFEN, "", ""},
	} {
		s := vectors.Must(ParsePosition(c.fen))
		m, err := parseMove(s, c.text)
		switch {
		case c.uci == "" && err == nil:
			t.Errorf("%s: %q is read as %s", c.fen, c.text, s.MoveString(m))
		case c.uci != "" && (err != nil || s.MoveString(m) != c.uci):
			t.Errorf("%s: %q is read as %s, %v; want %s", c.fen, c.text, s.MoveString(m), err, c.uci)
		}
	}
	_, err := parseMove(vectors.Must(ParsePosition("6k1/8/8/8/8/8/3K4/R6R w - - 0 1")), "Re1")
	if err == nil || !strings.Contains(err.Error(), "a1e1 h1e1") {
		t.Errorf("Re1 by two rooks: %v, want both named", err)
	}
}

func TestBadPositions(t *testing.T) {
	const rest = " w KQkq - 0 1"
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP", -1, "fields"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR" + rest, 0, "one white king; found 0"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/KNBQKBNR" + rest, 0, "one white king; found 2"},
		{"rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR" + rest, 0, "one white king; found 0"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN" + rest, 42, "row 8 from the top has only 7"},
		{"rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR" + rest, 41, "found only 7"},
		{"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR" + rest, 17, "row 2 from the top has more"},
		{"rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR" + rest, 18, "row 3 from the top has more"},
		{"rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR" + rest, 18, "row 3 from the top has more"},
		{"rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR" + rest, 13, "a piece"},
		{"rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR" + rest, 19, "row 3 from the top has only 7"},
		{"rnbqkbnP/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR" + rest, 7, "no pawns"},
		{"rnbqkbnr/pppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR" + rest, 0, "at most 8 black pawns; found 9"},
		{"rnbqkbnr/pppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR" + rest, 0, "promoted"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1", 46, "rook on h1"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", 51, "rank 6"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", 51, "from e7"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", 53, "plies"},
		{"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", -1, "a position in which the side that has just moved (black) is not in check"},
		{"8/8/8/8/8/8/4k3/4K3 w - - 0 1", -1, "a position in which the side that has just moved (black) is not in check"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", 44, "w or b"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkb - 0 1", 49, "KQkq"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq - 0 x1", 56, "nothing after"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4", 57, "nothing after"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc x;", 53, "hmvc with a number"},
		{"startpos moves e2e4 e7e5 e4e5", 25, "one of"},
		{"startpos moves f2f3 e7e5 g2g4 d8h4 a2a3", 35, "over"},
	} {
		gametest.Fault(t, gametest.New(t, New, "chess"), c.text, c.at, c.want)
	}
}

// TestOneReader checks how variants of a position written by other programs are read, and that some
// other texts are rejected.
func TestOneReader(t *testing.T) {
	const board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for text, want := range map[string]string{
		board + " w KQkq - 0 0":                                        startFEN,
		board + " w KQkq -":                                            startFEN,
		board + " w KQkq - 0":                                          startFEN,
		board + " w kqKQ - 0 1":                                        startFEN,
		board + " w HAha - 0 1":                                        startFEN,
		board + " W KQkq - 00 01":                                      startFEN,
		"  " + board + "\tw  KQkq   -\t0 1 ; ":                         startFEN,
		"\ufeff" + board + " w KQkq - 0 1;":                            startFEN,
		board + " w KQkq - fmvn 12; hmvc 7;":                           board + " w KQkq - 7 12",
		board + ` w KQkq - id "a; hmvc 9;"; hmvc 7; bm e4 d4; fmvn 0;`: board + " w KQkq - 7 1",
		board + " w KQkq - 0 1 ;D1 20 ;D2 400":                         startFEN,
		board + " w KQkq - hmvc 2; fmvn 4; moves":                      "",
		"startpos moves":                                               startFEN,
		"startpos  moves e2e4\te7e5 ":                                  "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
		board + " w KQkq - 0 1  moves e4 e5;":                          "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
		board + " w KQkq - hmvc 2; unknown;":                           board + " w KQkq - 2 1",
		board + " w KQkq - hmvc 2; unknown":                            "",
		board + ` w KQkq - c0 "never closed; hm`:                       startFEN,
		board + " w KQkq - 0 0 [1.0]":                                  startFEN,
		board + " w KQkq - 0 1; [0.5] -31 game 7":                      startFEN,
		board + " w KQkq - [1-0] hmvc 2; fmvn 4;":                      board + " w KQkq - 2 4",
		board + " w KQkq - 0 1 | +31 | 0.5":                            startFEN,
		board + " w KQkq - 0 0; 1-0":                                   startFEN,
		board + " w KQkq - 0 1 [1.0] [31]":                             "",
		board + " w KQkq - 0 1 [won]":                                  "",
		board + " w KQkq - 0 1 [1.0":                                   "",
		board + " w KQkq - 0 1 banana split":                           "",
	} {
		s, err := ParsePosition(text)
		switch {
		case want == "" && err == nil:
			t.Errorf("%q is read as %s", text, s)
		case want != "" && (err != nil || s.String() != want):
			t.Errorf("%q: %v, %v; want %s", text, s, err, want)
		}
	}
}

func TestPositions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"startpos", startFEN},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", startFEN},
		{"startpos moves e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{"startpos moves e4 Nf6 Nf3", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves g8f6 g1f3"},
		{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{"4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 9 moves e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 70 moves a1a2", "r3k2r/8/8/8/8/8/R7/4K2R b Kkq - 4 70"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 70 moves e8g8 a1a2 f8f7", "r4rk1/8/8/8/8/8/R7/4K2R b K - 5 71 moves f8f7"},
	} {
		if s := vectors.Must(ParsePosition(c.text)); s.String() != c.want {
			t.Errorf("%q is %q, want %q", c.text, s, c.want)
		}
	}
}

func TestBoard(t *testing.T) {
	s := vectors.Must(ParsePosition("startpos moves e2e4 d7d5 e4d5 d8d5 b1c3 d5e5"))
	const want = `    a  b  c  d  e  f  g  h
  ┌────────────────────────┐
8 │ ♜  ♞  ♝  ·  ♚  ♝  ♞  ♜ │   black ♛♜♜♝♝♞♞♟♟♟♟♟♟♟
7 │ ♟  ♟  ♟     ♟  ♟  ♟  ♟ │
6 │    ·     ·     ·     · │
5 │ ·     · [ ][♛]    ·    │   white to move, in check
4 │    ·     ·     ·     · │   2 quiet plies of 100
3 │ ·     ♘     ·     ·    │
2 │ ♙  ♙  ♙  ♙     ♙  ♙  ♙ │
1 │ ♖     ♗  ♕  ♔  ♗  ♘  ♖ │   white ♕♖♖♗♗♘♘♙♙♙♙♙♙♙
  └────────────────────────┘
    a  b  c  d  e  f  g  h
`
	if got := s.Draw(false); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "chess"), false, func(t *testing.T, st game.State) {
		s := st.(*State)
		for _, m := range s.Moves(nil) {
			if back, err := parseMove(s, SAN(s, m)); err != nil || back != m {
				t.Errorf("%s: %s is written %s, which is read as %d, %v", s, s.MoveString(m), SAN(s, m), back, err)
			}
			s.Play(m)
			if s.line[s.ply].checked(1 - s.side()) {
				t.Errorf("%s: %s leaves the king in check", s, s.MoveString(m))
			}
			s.Undo()
		}
	}, startFEN, "startpos moves e2e4 e7e5 Nf3 Nc6 Bb5 a6", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 70 moves a1a2 a8a7 a2a1 a7a8",
		"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "k7/2P5/8/8/8/8/2p5/K7 b - - 99 1 moves c2c1q")
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"e2e4", "Nf3", "O-O", "exd5", "R1xa3+", "Qh4e1", "e8=Q#", "0-0-0", "e4!?", "c7c8n"} {
		for i := range 4 {
			f.Add(text, i)
		}
	}
	positions := []string{startFEN, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "3q4/k1P5/8/8/4Q2Q/8/8/2K4Q w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"}
	f.Fuzz(func(t *testing.T, text string, at int) {
		s := vectors.Must(ParsePosition(positions[uint(at)%uint(len(positions))]))
		m, err := parseMove(s, text)
		if err != nil {
			return
		}
		for _, legal := range s.Moves(nil) {
			if legal == m {
				return
			}
		}
		t.Errorf("%s: %q is read as %d, which is not legal", s, text, m)
	})
}

// TestPGN checks that another library reads the same games from the file: the numbers of games and
// moves, two tags, the final positions and the results.
func TestPGN(t *testing.T) {
	world := gametest.New(t, New, "chess")
	starts := []string{
		startFEN,
		"r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R b KQkq - 4 8",
		"8/P6k/8/8/8/8/p6K/8 w - - 0 40",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves g1f3 g8f6 f3g1",
	}
	var file bytes.Buffer
	write := pgn.New(&file, world)
	rng := rand.New(rand.NewPCG(5, 9))
	var games []*game.Transcript
	var ends []*State
	for i := range 80 {
		g, s := gametest.Record(world, rng, starts[i%len(starts)], 1+rng.IntN(250))
		g.Event, g.Round = "alphabeta:depth=2,eval=x.json against mix(0.5*random,0.5*greedy)", "3.1"
		if g.End != game.Played {
			g.End, g.Utility = game.Adjudicated, []float64{0, 0}
		}
		vectors.Check(write(g))
		games, ends = append(games, g), append(ends, s.(*State))
	}
	for n, line := range strings.Split(file.String(), "\n") {
		if len(line) > 80 {
			t.Errorf("line %d has %d signs: %s", n+1, len(line), line)
		}
	}
	in := oracle.NewScanner(strings.NewReader(file.String()))
	finished := 0
	for i, g := range games {
		if !in.HasNext() {
			t.Fatalf("%d games read of %d", i, len(games))
		}
		theirs, err := in.ParseNext()
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
		before := 0
		if i%4 == 3 {
			before = 3
		}
		if n := len(theirs.Moves()); n != before+len(g.Moves) {
			t.Fatalf("game %d: %d moves, want %d", i, n, before+len(g.Moves))
		}
		ours, other := strings.Fields(ends[i].FEN()), strings.Fields(theirs.Position().String())
		if ours[0] != other[0] || ours[1] != other[1] || ours[2] != other[2] || ours[5] != other[5] {
			t.Errorf("game %d ends at %v, want %v", i, other, ours)
		}
		if got := theirs.GetTagPair("Result"); got != g.Result() {
			t.Errorf("game %d: result %q, want %q", i, got, g.Result())
		}
		if got := theirs.GetTagPair("White"); got != "first" {
			t.Errorf("game %d: white is %q", i, got)
		}
		if g.End == game.Played && g.Utility[0] != 0 { // the library does not end games in a draw
			finished++
			if got := string(theirs.Outcome()); got != g.Result() {
				t.Errorf("game %d: they find %q, want %q", i, got, g.Result())
			}
		}
	}
	if in.HasNext() {
		t.Error("more games than were written")
	}
	if finished == 0 {
		t.Error("no game ended in mate")
	}
}
