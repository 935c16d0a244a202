package checkers

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/features/featuretest"
	rules "plyfit/game/checkers"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/models"
)

func TestLaw(t *testing.T) { featuretest.Laws(t, rules.New, Profile.Sets, "checkers") }

// TestTerms checks terms that were counted by hand, with Black's values first.
func TestTerms(t *testing.T) {
	for _, c := range []struct {
		text string
		want map[string]float64
	}{
		{"B:W21-32:B1-12", map[string]float64{"tempo": 1, "opposition": -1}},
		// Black has a bridge and a triangle on 1, 2, 3 and 7, and a man on 28 in the dog hole.
		// White has a king in the centre and men on 31 and 32.
		{"W:W32,31,K18:B1,2,3,7,28", map[string]float64{
			"men": 3, "kings": -1, "back-row": 3 - 2, "bridge": 1, "triangle": 1, "advance": 1 + 6, "kings-centre": -1,
			"sides": 1, "dog-hole": 1, "mobility": 2 + 1 + 1 + 2 + 0 - (1 + 2 + 4), "trade": 2. / 8, "tempo": -1,
		}},
		// White's king in the corner can neither step nor jump, because 25 and 22 are on the same
		// diagonal. Only Black's man on 26 has passed all enemy pieces.
		{"B:WK29:B22,25,26", map[string]float64{"men": 3, "kings": -1, "runaway": 1, "trapped": -1}},
		{"B:W20:B21", map[string]float64{"runaway": 0, "sides": 0}},
	} {
		featuretest.ByHand(t, gametest.New(t, rules.New, "checkers"), classic.Set(), c.text, c.want)
	}
}

// TestColours checks that the mover's values stay the same when the board is rotated and the
// colours are exchanged.
func TestColours(t *testing.T) {
	g := gametest.New(t, rules.New, "checkers")
	a := featuretest.Values(t, g, classic.Set(), "B:W21,22,K6,30,32:B1,3,K18,9,12", 0)
	b := featuretest.Values(t, g, classic.Set(), "W:B12,11,K27,3,1:W32,30,K15,24,21", 1)
	for name, v := range a {
		if math.Abs(b[name]-v) > 1e-6 {
			t.Errorf("%s: %v for black, %v for white", name, v, b[name])
		}
	}
	if len(a) != len(b) || len(a) < 5 {
		t.Errorf("%v and %v", a, b)
	}
}

// tableTerms returns the values of the table features of checkers/patterns from the mover's point
// of view.
func tableTerms(t *testing.T, text string) map[string]float64 {
	t.Helper()
	g := gametest.New(t, rules.New, "checkers")
	s := vectors.Must(g.Parse(text))
	set := patterns()
	m := models.New("checkers", set.Name(), set.Blocks())
	got := map[string]float64{}
	for _, term := range set.Extract(s, s.Turn(), nil) {
		if name := m.Name(term.Index); strings.HasPrefix(name, "men-") {
			got[name] += float64(term.Value)
		}
	}
	return got
}

// TestPatternsByName checks that each window has one active weight per phase, whose name describes
// the men on the window's squares and ignores the kings.
func TestPatternsByName(t *testing.T) {
	// Black is to move, so the squares are numbered from 1. The mover has men on 1, 6 and 10 and a
	// king on 18. The other player has men on 14, 22 and 32 and a king on 31.
	got := tableTerms(t, "B:W14,22,32,K31:B1,6,10,K18")
	men := map[int]byte{1: '+', 6: '+', 10: '+', 14: '-', 22: '-', 32: '-'}
	for row := 1; row+3 <= 8; row++ {
		for file := 1; file+3 <= 8; file++ {
			var filling strings.Builder
			for r := row; r < row+4; r++ {
				for f := file; f < file+4; f++ {
					if (r+f)%2 == 0 {
						continue // a light square
					}
					square := 4*(r-1) + (f+1)/2
					if what, ok := men[square]; ok {
						filling.WriteByte(what)
					} else {
						filling.WriteByte('.')
					}
				}
			}
			name := fmt.Sprintf("men-%d-%d[%s]", row, file, filling.String())
			// Eight of the 24 pieces are left.
			if a, b := got[name+"@0"], got[name+"@1"]; math.Abs(a-1./3) > 1e-6 || math.Abs(b-2./3) > 1e-6 {
				t.Errorf("%s has %v and %v, want 1/3 and 2/3", name, a, b)
			}
		}
	}
	if len(got) != 2*25 {
		t.Errorf("%d active weights, want 50", len(got))
	}
}

// TestPatternsOfEitherSide checks that the mover's weights stay the same when the board is rotated
// and the colours are exchanged.
func TestPatternsOfEitherSide(t *testing.T) {
	keys := func(m map[string]float64) (names []string) {
		for name := range m {
			names = append(names, name)
		}
		slices.Sort(names)
		return names
	}
	black := keys(tableTerms(t, "B:W21,22,K6,30,32:B1,3,K18,9,12"))
	white := keys(tableTerms(t, "W:B12,11,K27,3,1:W32,30,K15,24,21"))
	if !slices.Equal(black, white) {
		t.Errorf("the active weights are %v for black and %v for white", black, white)
	}
}
