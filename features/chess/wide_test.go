package chess

import (
	"slices"
	"testing"

	"plyfit/features/featuretest"
	"plyfit/game"
	rules "plyfit/game/chess"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestWideTerms counts positions by hand, as white sees them.
func TestWideTerms(t *testing.T) {
	g := gametest.New(t, rules.New, "chess")
	for _, c := range []struct {
		text string
		want map[string]float64
	}{
		// A knight ahead, four pawns on one wing; a queen, pawns on both.
		{"4k3/pp6/8/8/8/8/PP6/1N2K3 w - - 0 1", map[string]float64{
			"lead-1": 1, "lead-2": 2, "lead-3": 3, "lead-4": 3, "lead-9": 3, "lead-pawns": 12, "lead-own-pawns": 6,
			"ahead-pawns": 4, "ahead-own-pawns": 2, "lead-wings": 0, "lead-opposite": 0,
		}},
		{"4k3/p6p/8/8/8/8/P6P/Q3K3 w - - 0 1", map[string]float64{"lead-6": 6, "lead-9": 9, "lead-wings": 9, "ahead-wings": 1}},
		{"q3k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1", map[string]float64{"lead-6": -6, "lead-9": -9, "lead-wings": -9, "ahead-wings": -1, "ahead-own-pawns": -2}},
		// Bishops of different colours and two pawns more, alone and with knights.
		{"4kb2/8/8/8/8/8/PP4B1/4K3 w - - 0 1", map[string]float64{"lead-opposite": 2, "lead-opposite-only": 2}},
		{"4kb2/n7/8/8/8/8/PP4B1/N3K3 w - - 0 1", map[string]float64{"lead-opposite": 2, "lead-opposite-only": 0}},
		{"4k1b1/8/8/8/8/8/PP4B1/4K3 w - - 0 1", map[string]float64{"lead-opposite": 0, "lead-2": 2}},
		// Places from the own king: e1, d5, a1. d2 is beside and ahead; four files
		// and a rank have no term.
		{"4k3/8/8/8/8/8/3PP3/R3K3 w - - 0 1", map[string]float64{"pawn-king-1+1": 1, "pawn-king-0+1": 1, "rook-king-4+0": 1}},
		{"4k3/8/8/3K4/8/8/8/3Q4 w - - 0 1", map[string]float64{"queen-king-0-2": 1}},
		{"7k/Q7/8/8/8/8/8/K7 w - - 0 1", map[string]float64{"queen-king-0+5": 1}},
		{"4k3/n7/8/8/8/8/8/4K2B w - - 0 1", map[string]float64{"bishop-king-3+0": 1}},
		// A pawn attacks a knight, which the rook guards, and the rook, which
		// no one guards; two pawns attack a queen, and she both.
		{"4k3/8/2n1r3/3P4/8/8/8/3K4 w - - 0 1", map[string]float64{
			"pawn-hits-knight-guarded-move": 1, "pawn-hits-rook-move": 1, "pawn-hits-knight": 0, "pawn-hits-rook": 0, "piece-alone": -1, "pawn-alone": 1,
		}},
		{"4k3/8/2n1r3/3P4/8/8/8/3K4 b - - 0 1", map[string]float64{"pawn-hits-knight-guarded": 1, "pawn-hits-rook": 1, "pawn-hits-rook-move": 0}},
		{"4k3/8/3q4/2P1P3/8/8/8/4K3 b - - 0 1", map[string]float64{"pawn-hits-queen": 2, "queen-hits-pawn-move": -2, "queen-hits-pawn": 0, "pawn-alone": 2}},
		// A bishop sees through its queen, a rook through its rook; kings hit, too.
		{"4k3/8/5n2/8/3Q4/2B5/8/4K3 w - - 0 1", map[string]float64{"bishop-hits-knight-move": 1, "queen-hits-knight-move": 1}},
		{"r3k3/8/8/8/8/8/R7/R3K3 w - - 0 1", map[string]float64{"rook-hits-rook-move": 2, "rook-hits-rook-guarded": -1, "rooks-joined": 2}},
		{"8/7p/8/8/8/4k3/3N4/3K4 b - - 0 1", map[string]float64{"king-hits-knight-guarded-move": -1}},
		// d3 and f3; what the kings attack is the same for both.
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", map[string]float64{"hold-d3": 1, "hold-c3": 1, "hold-d2": 0, "hold-d1": 0, "pawn-guard-d3": 1, "pawn-guard-c3": 1}},
		{"4k3/8/8/8/8/2p5/4P3/4K3 w - - 0 1", map[string]float64{"hold-d2": -1, "hold-d3": 1, "pawn-guard-d7": -1, "pawn-guard-b7": -1}},
		// Rooks on files: with the king, with a queen behind a pawn, with the own
		// queen; in the corner beside the king, and in front of him.
		{"4k3/8/8/8/4R3/8/8/4K3 b - - 0 1", map[string]float64{"rook-their-king": 1, "rook-ring": 1, "rook-their-queen": 0}},
		{"3qk3/8/8/8/8/8/3P4/3RK3 w - - 0 1", map[string]float64{"rook-their-queen": 1, "rook-ring": 0, "rook-their-king": 0}},
		{"4k3/8/8/8/8/3Q4/8/3RK3 w - - 0 1", map[string]float64{"rook-own-queen": 1, "rook-ring": 1}},
		{"4k3/8/8/8/8/8/5PPP/6KR w - - 0 1", map[string]float64{"rook-shut-in": 1, "rooks-joined": 0}},
		{"r1k5/8/8/8/8/8/5PPP/5RK1 w - - 0 1", map[string]float64{"rook-shut-in": -1}},
		// The c1 bishop has e5 on its colour, d5 and e5 blocked, and d6 to attack;
		// from b2 it sees the centre past a knight, not past a pawn.
		{"4k3/8/3pp3/3PP3/8/8/8/2B1K3 w - - 0 1", map[string]float64{"bishop-shut-in": 2, "bishop-targets": 1, "bishop-centre": 0}},
		{"4k3/8/8/8/8/2N5/1B6/4K3 w - - 0 1", map[string]float64{"bishop-centre": 2}},
		{"4k3/8/8/8/3P4/8/1B6/4K3 w - - 0 1", map[string]float64{"bishop-centre": 1}},
		// Pawns by rank: black's stand on its third and fourth.
		{"4k3/8/2pp4/4p3/P7/P2P4/8/4K3 w - - 0 1", map[string]float64{"phalanx-3": -2, "supported-4": -1, "supported-twice-4": 0, "blocked-3": 0}},
		{"4k3/8/8/3P4/2P1P3/8/8/4K3 w - - 0 1", map[string]float64{"supported-5": 1, "supported-twice-5": 1}},
		{"4k3/8/4p3/3P4/8/8/8/4K3 w - - 0 1", map[string]float64{"attacked-5": 1, "attacked-3": -1}},
		{"4k3/8/3n4/3P4/8/8/8/4K3 w - - 0 1", map[string]float64{"blocked-5": 1}},
		{"4k3/2P1P3/8/8/8/8/1PP5/4K3 w - - 0 1", map[string]float64{"blocked-7": 1, "phalanx-7": 0, "supported-7": 0}},
	} {
		featuretest.ByHand(t, g, wide.Set(), c.text, c.want)
	}
}

// TestWideHoldsClassic: the terms of chess/classic come first, by the same names
// and with the same values.
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
