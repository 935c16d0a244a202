package chess

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	rules "plyfit/game/chess"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/models"
)

func TestLaw(t *testing.T) { featuretest.Laws(t, rules.New, Profile.Sets, "chess") }

// TestTerms checks terms that were counted by hand, from White's point of view.
func TestTerms(t *testing.T) {
	for _, c := range []struct {
		text string
		want map[string]float64
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", map[string]float64{"tempo": 1, "pawn": 0, "space": 0, "shield": 0}},
		{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", map[string]float64{
			// The bishop can reach b5 and the queen h5, a pawn guards a6, and the knight can move
			// to e2.
			"tempo": -1, "bishop-mobility": 4, "queen-mobility": 4, "knight-mobility": 1, "islands": 0,
		}},
		// White has doubled, isolated pawns on the a-file and a backward pawn on d3. Black's pawn
		// on e5 guards d4 and f4, and the pawns on c6 and d6 are next to each other.
		{"4k3/8/2pp4/4p3/P7/P2P4/8/4K3 w - - 0 1", map[string]float64{
			"pawn": 0, "doubled": 1, "isolated": 2 + 1, "backward": 0, "supported": -1, "phalanx": -2, "islands": 2 - 1,
			"isolated-open": 2, "passed-4": 1, "passed-3": 0,
		}},
		// A guarded passed pawn on e6, blocked by the enemy king.
		{"8/4k3/4P3/3P4/8/8/8/4K3 w - - 0 1", map[string]float64{
			"pawn": 2, "passed-5": 1, "passed-6": 1, "passed-guarded": 1, "passed-blocked": 1, "passed-free": 1,
			// The values are the distances to the stop squares e7 and d6, multiplied by the ranks
			// beyond the third.
			"passed-own-king": 3*6 + 2*5, "passed-their-king": 3*0 + 2*1, "supported": 1, "chain-rank": 4,
		}},
		// A king on g4 cannot catch the pawn on a5, but one on d6 can.
		{"8/8/8/P7/6k1/8/8/4K3 w - - 0 1", map[string]float64{"unstoppable": 1}},
		{"8/8/3k4/P7/8/8/8/4K3 b - - 0 1", map[string]float64{"unstoppable": 0}},
		{"8/8/4k3/P7/8/8/8/4K3 w - - 0 1", map[string]float64{"unstoppable": 1}},
		{"8/8/4k3/P7/8/8/8/4K3 b - - 0 1", map[string]float64{"unstoppable": 0}},
		// Rooks on the open e-file and the seventh rank, and on the half-open b-file.
		{"6k1/p3R1pp/8/8/1r6/8/1P4PP/6K1 w - - 0 1", map[string]float64{
			"rook": 0, "rook-open": 1, "rook-semi-open": -1, "rook-seventh": 1, "loose-pawn-move": 1, "loose-pawn": -1,
		}},
		// A knight on d5 is guarded by e4, and no pawn can drive it away. Black's bishop has three
		// pawns on squares of its colour.
		{"6k1/5bp1/4p1p1/3N4/4P3/8/6PP/6K1 w - - 0 1", map[string]float64{"outpost-knight": 0, "knight": 1, "bishop": -1, "bad-bishop": -2}},
		{"6k1/5bp1/6p1/3N4/4P3/8/6PP/6K1 w - - 0 1", map[string]float64{"outpost-knight": 1, "pawn": 1}},
		// A pawn attacks a knight and a rook. The terms depend on the side to move. The rook guards
		// the knight.
		{"4k3/8/2n1r3/3P4/8/8/8/3K4 w - - 0 1", map[string]float64{"pawn-threat-move": 2, "pawn-threat": 0, "hanging-move": 1}},
		{"4k3/8/2n1r3/3P4/8/8/8/3K4 b - - 0 1", map[string]float64{"pawn-threat-move": 0, "pawn-threat": 2, "hanging": 1}},
		// First, there are bishops on squares of the same colour and then of different colours,
		// with two extra pawns. Then there is an extra rook without pawns.
		{"4k1b1/8/8/8/8/8/PP4B1/4K3 w - - 0 1", map[string]float64{"opposite-bishops": 0}},
		{"4kb2/8/8/8/8/8/PP4B1/4K3 w - - 0 1", map[string]float64{"opposite-bishops": 2}},
		{"4k1b1/8/8/8/8/8/PP6/2B1K3 w - - 0 1", map[string]float64{"opposite-bishops": 2, "pawnless": 0}},
		{"4k3/p7/8/8/8/8/8/R3K3 w Q - 0 1", map[string]float64{"pawnless": 5, "castling": 1}},
		// White's king is behind three pawns, and Black's king is next to two open files.
		{"3rk3/ppp5/8/8/8/8/5PPP/3R2K1 w - - 0 1", map[string]float64{"shield": 3, "king-open": -2, "king-semi-open": -1}},
	} {
		featuretest.ByHand(t, gametest.New(t, rules.New, "chess"), classic.Set(), c.text, c.want)
	}
}

// board returns a FEN with each rank reversed or, if turn is set, with the colours exchanged.
func board(fen string, turn bool) string {
	field, rest, _ := strings.Cut(fen, " ")
	ranks := strings.Split(field, "/")
	for i, rank := range ranks {
		letters := []byte(rank)
		if turn {
			for k, c := range letters {
				if c > '9' {
					letters[k] ^= 0x20
				}
			}
		} else {
			slices.Reverse(letters)
		}
		ranks[i] = string(letters)
	}
	if turn {
		slices.Reverse(ranks)
		if rest = "b" + rest[1:]; fen[len(field)+1] == 'b' {
			rest = "w" + rest[1:]
		}
	}
	return strings.Join(ranks, "/") + " " + rest
}

// TestColours checks that the mover's values stay the same when the colours are exchanged and when
// the board is mirrored from left to right.
func TestColours(t *testing.T) {
	g := gametest.New(t, rules.New, "chess")
	for _, set := range Profile.Sets(g) {
		t.Run(set.Name(), func(t *testing.T) { testColours(t, g, set) })
	}
}

func testColours(t *testing.T, g *game.Game, set features.Set) {
	m := models.New("chess", set.Name(), set.Blocks())
	for _, fen := range []string{
		"r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w - - 4 8",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
		"3r2k1/1b3ppp/pq2pn2/1p6/3N4/1P2P1P1/PB3PBP/2RQ2K1 b - - 0 1",
		"6k1/R1PQb1r1/3p1p1p/4N1pN/2p2p1P/4P3/1P6/2B1KB1R w - - 0 31",
	} {
		var seen [3][]float64
		for i, text := range []string{fen, board(fen, true), board(fen, false)} {
			s := vectors.Must(g.Parse(text))
			seen[i] = make([]float64, m.Len())
			for _, term := range set.Extract(s, s.Turn(), nil) {
				seen[i][term.Index] += float64(term.Value)
			}
		}
		for k, v := range seen[0] {
			if math.Abs(v-seen[1][k]) > 1e-6 || math.Abs(v-seen[2][k]) > 1e-6 {
				t.Errorf("%s: %s is %v, turned round %v, mirrored %v", fen, m.Name(int32(k)), v, seen[1][k], seen[2][k])
			}
		}
	}
}

// TestOneLine checks that one more line in the list of chess/classic adds a complete term: a weight
// for each phase, a value and a line of documentation.
func TestOneLine(t *testing.T) {
	list := append(classicTerms[:len(classicTerms):len(classicTerms)],
		features.Term[position]{Name: "corner-knights", Doc: "knights in corners", Value: func(b *position) float64 {
			return float64(count(b.us.army.knights&corners) - count(b.them.army.knights&corners))
		}})

	terms := classic
	terms.List = list
	set := terms.Set()
	m := models.New("chess", set.Name(), set.Blocks())
	if first := int32(classic.Len()); m.Len() != classic.Len()+phases || m.Name(first) != "corner-knights@0" || m.Name(first+1) != "corner-knights@1" {
		t.Fatalf("%d features, the last %s: want the new ones behind %d others", m.Len(), m.Name(int32(m.Len()-1)), first)
	}
	docs := set.(features.Documented).Docs()
	if last := docs[len(docs)-1]; last.Name != "corner-knights" || last.Text != "knights in corners" {
		t.Errorf("documented as %v", last)
	}
	// White has two knights in corners, Black has one, and there are no other pieces. The position
	// is therefore close to the last phase.
	s := vectors.Must(gametest.New(t, rules.New, "chess").Parse("n3k3/8/8/8/8/8/8/N3K2N b - - 0 1"))
	base, sum := classic.Set().Extract(s, 1, nil), float32(0)
	x := set.Extract(s, 1, nil)
	for _, term := range x[len(base):] {
		sum += term.Value
	}
	if len(x) != len(base)+2 || sum != -1 {
		t.Errorf("black's knights in corners less white's: %v in %d terms, want -1 in 2", sum, len(x)-len(base))
	}
}

const corners = 1 | 1<<7 | 1<<56 | 1<<63

// TestWideTerms checks terms that were counted by hand, from White's point of view.
func TestWideTerms(t *testing.T) {
	g := gametest.New(t, rules.New, "chess")
	for _, c := range []struct {
		text string
		want map[string]float64
	}{
		// First, there is an extra knight with four pawns on one wing. Then there is an extra queen
		// with pawns on both wings.
		{"4k3/pp6/8/8/8/8/PP6/1N2K3 w - - 0 1", map[string]float64{
			"lead-1": 1, "lead-2": 2, "lead-3": 3, "lead-4": 3, "lead-9": 3, "lead-pawns": 12, "lead-own-pawns": 6,
			"ahead-pawns": 4, "ahead-own-pawns": 2, "lead-wings": 0, "lead-opposite": 0,
		}},
		{"4k3/p6p/8/8/8/8/P6P/Q3K3 w - - 0 1", map[string]float64{"lead-6": 6, "lead-9": 9, "lead-wings": 9, "ahead-wings": 1}},
		{"q3k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1", map[string]float64{"lead-6": -6, "lead-9": -9, "lead-wings": -9, "ahead-wings": -1, "ahead-own-pawns": -2}},
		// First, there are bishops on squares of different colours with two extra pawns, without
		// and with knights. Then there are bishops on squares of the same colour.
		{"4kb2/8/8/8/8/8/PP4B1/4K3 w - - 0 1", map[string]float64{"lead-opposite": 2, "lead-opposite-only": 2}},
		{"4kb2/n7/8/8/8/8/PP4B1/N3K3 w - - 0 1", map[string]float64{"lead-opposite": 2, "lead-opposite-only": 0}},
		{"4k1b1/8/8/8/8/8/PP4B1/4K3 w - - 0 1", map[string]float64{"lead-opposite": 0, "lead-2": 2}},
		// Places relative to kings on e1, d5 and a1. The pawn on d2 is one file and one rank away.
		// The cell four files and one rank away has no term.
		{"4k3/8/8/8/8/8/3PP3/R3K3 w - - 0 1", map[string]float64{"pawn-king-1+1": 1, "pawn-king-0+1": 1, "rook-king-4+0": 1}},
		{"4k3/8/8/3K4/8/8/8/3Q4 w - - 0 1", map[string]float64{"queen-king-0-2": 1}},
		{"7k/Q7/8/8/8/8/8/K7 w - - 0 1", map[string]float64{"queen-king-0+5": 1}},
		{"4k3/n7/8/8/8/8/8/4K2B w - - 0 1", map[string]float64{"bishop-king-3+0": 1}},
		// First, a pawn attacks a knight, which the rook guards, and the unguarded rook. Then two
		// pawns attack a queen, which attacks both of them.
		{"4k3/8/2n1r3/3P4/8/8/8/3K4 w - - 0 1", map[string]float64{
			"pawn-hits-knight-guarded-move": 1, "pawn-hits-rook-move": 1, "pawn-hits-knight": 0, "pawn-hits-rook": 0, "piece-alone": -1, "pawn-alone": 1,
		}},
		{"4k3/8/2n1r3/3P4/8/8/8/3K4 b - - 0 1", map[string]float64{"pawn-hits-knight-guarded": 1, "pawn-hits-rook": 1, "pawn-hits-rook-move": 0}},
		{"4k3/8/3q4/2P1P3/8/8/8/4K3 b - - 0 1", map[string]float64{"pawn-hits-queen": 2, "queen-hits-pawn-move": -2, "queen-hits-pawn": 0, "pawn-alone": 2}},
		// A bishop attacks through its queen, and a rook through its rook. Kings attack too.
		{"4k3/8/5n2/8/3Q4/2B5/8/4K3 w - - 0 1", map[string]float64{"bishop-hits-knight-move": 1, "queen-hits-knight-move": 1}},
		{"r3k3/8/8/8/8/8/R7/R3K3 w - - 0 1", map[string]float64{"rook-hits-rook-move": 2, "rook-hits-rook-guarded": -1, "rooks-joined": 2}},
		{"8/7p/8/8/8/4k3/3N4/3K4 b - - 0 1", map[string]float64{"king-hits-knight-guarded-move": -1}},
		// The pawn holds d3 and f3. The two kings' attacks cancel out.
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", map[string]float64{"hold-d3": 1, "hold-c3": 1, "hold-d2": 0, "hold-d1": 0, "pawn-guard-d3": 1, "pawn-guard-c3": 1}},
		{"4k3/8/8/8/8/2p5/4P3/4K3 w - - 0 1", map[string]float64{"hold-d2": -1, "hold-d3": 1, "pawn-guard-d7": -1, "pawn-guard-b7": -1}},
		// First, there are rooks on files with the enemy king, with a queen behind a pawn and with
		// the player's own queen. Then rooks are shut in between the edge and the king.
		{"4k3/8/8/8/4R3/8/8/4K3 b - - 0 1", map[string]float64{"rook-their-king": 1, "rook-ring": 1, "rook-their-queen": 0}},
		{"3qk3/8/8/8/8/8/3P4/3RK3 w - - 0 1", map[string]float64{"rook-their-queen": 1, "rook-ring": 0, "rook-their-king": 0}},
		{"4k3/8/8/8/8/3Q4/8/3RK3 w - - 0 1", map[string]float64{"rook-own-queen": 1, "rook-ring": 1}},
		{"4k3/8/8/8/8/8/5PPP/6KR w - - 0 1", map[string]float64{"rook-shut-in": 1, "rooks-joined": 0}},
		{"r1k5/8/8/8/8/8/5PPP/5RK1 w - - 0 1", map[string]float64{"rook-shut-in": -1}},
		// For the bishop on c1, the pawn on e5 is on the same colour, the pawns on d5 and e5 are
		// blocked, and d6 is a target. From b2, a pawn hides the centre, but a knight does not.
		{"4k3/8/3pp3/3PP3/8/8/8/2B1K3 w - - 0 1", map[string]float64{"bishop-shut-in": 2, "bishop-targets": 1, "bishop-centre": 0}},
		{"4k3/8/8/8/8/2N5/1B6/4K3 w - - 0 1", map[string]float64{"bishop-centre": 2}},
		{"4k3/8/8/8/3P4/8/1B6/4K3 w - - 0 1", map[string]float64{"bishop-centre": 1}},
		// Pawns by rank. Black's pawns are on their third and fourth ranks.
		{"4k3/8/2pp4/4p3/P7/P2P4/8/4K3 w - - 0 1", map[string]float64{"phalanx-3": -2, "supported-4": -1, "supported-twice-4": 0, "blocked-3": 0}},
		{"4k3/8/8/3P4/2P1P3/8/8/4K3 w - - 0 1", map[string]float64{"supported-5": 1, "supported-twice-5": 1}},
		{"4k3/8/4p3/3P4/8/8/8/4K3 w - - 0 1", map[string]float64{"attacked-5": 1, "attacked-3": -1}},
		{"4k3/8/3n4/3P4/8/8/8/4K3 w - - 0 1", map[string]float64{"blocked-5": 1}},
		{"4k3/2P1P3/8/8/8/8/1PP5/4K3 w - - 0 1", map[string]float64{"blocked-7": 1, "phalanx-7": 0, "supported-7": 0}},
	} {
		featuretest.ByHand(t, g, wide.Set(), c.text, c.want)
	}
}

// TestWideHoldsClassic checks that chess/wide begins with the terms of chess/classic, with the same
// names and values.
func TestWideHoldsClassic(t *testing.T) {
	s := vectors.Must(gametest.New(t, rules.New, "chess").Parse("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"))
	a, b := models.New("chess", "chess/classic", classic.Set().Blocks()), models.New("chess", "chess/wide", wide.Set().Blocks())
	if int32(a.Len()) != wideFirst || b.Len() != a.Len()+int(wideTerms)*phases {
		t.Fatalf("%d and %d features, want %d and %d", a.Len(), b.Len(), wideFirst, int(wideFirst)+int(wideTerms)*phases)
	}
	for i := range wideFirst {
		if a.Name(i) != b.Name(i) {
			t.Fatalf("feature %d is %s and %s", i, a.Name(i), b.Name(i))
		}
	}
	for p := range game.Player(2) {
		x, y := classic.Set().Extract(s, p, nil), wide.Set().Extract(s, p, nil)
		if len(y) <= len(x) || !slices.Equal(x, y[:len(x)]) {
			t.Fatalf("player %d: %v, want it to begin with %v", p, y, x)
		}
	}
}
