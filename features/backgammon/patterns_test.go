package backgammon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/game/gametest"
	"plyfit/models"
)

// Each window of six points has the weight of what its points hold in the view of the
// player, which is computed here checker by checker; a race has none. The terms before
// the tables are those of the phases.
func TestPatterns(t *testing.T) {
	g := gametest.New(t, board.New, "backgammon")
	set := newPatterned()
	m := models.New(g.Name, set.Name(), set.Blocks())
	contacts, races := 0, 0
	for s := range gametest.Games(g, 20, 7) {
		s := board.Of(s)
		for p := range game.Player(2) {
			x, before := set.Extract(s, p, nil), appendPhased(s, p, nil)
			if !slices.Equal(x[:len(before)], before) {
				t.Fatalf("%s: other terms before the tables than without them", s)
			}
			var got []string
			for _, term := range x[len(before):] {
				if term.Value != 1 {
					t.Fatalf("%s: %s is %v, want 1", s, m.Name(term.Index), term.Value)
				}
				got = append(got, m.Name(term.Index))
			}
			want := windows(s, p)
			if races++; !s.Race() {
				contacts, races = contacts+1, races-1
			} else {
				want = nil
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s, player %d:\n%s\nwant\n%s", s, p, strings.Join(got, " "), strings.Join(want, " "))
			}
		}
	}
	if contacts < 100 || races < 100 {
		t.Errorf("%d positions with contact and %d races", contacts, races)
	}
}

// windows are the names of the weights that p's windows have.
func windows(s *board.State, p game.Player) []string {
	var own, other [26]int8
	s.Places(p, &own)
	s.Places(1-p, &other)
	onBar := func(n int8) string { return ".1+"[min(n, 2) : min(n, 2)+1] }
	var names []string
	for low := 1; low <= 19; low++ {
		filling := ""
		for point := low; point < low+6; point++ {
			what := "."
			switch {
			case own[point] == 1:
				what = "1"
			case own[point] > 1:
				what = "+"
			case other[25-point] == 1:
				what = "x"
			case other[25-point] > 1:
				what = "-"
			}
			filling += what
		}
		switch low {
		case 1:
			filling += onBar(other[25])
		case 19:
			filling += onBar(own[25])
		}
		names = append(names, fmt.Sprintf("points-%d-%d[%s]", low, low+5, filling))
	}
	return names
}

// The tables are drawn on a board of two rows: a window lies in neighbouring cells, turns
// at the end of the rows, and the bar stands at the end of the home board it belongs to.
func TestPatternShapes(t *testing.T) {
	shapes := newPatterned().(features.Shaper).Shapes()
	if len(shapes) != 19 {
		t.Fatalf("%d shapes, want 19", len(shapes))
	}
	for i, want := range map[int][]int{
		0:  {24, 23, 22, 21, 20, 19, 25}, // points 1 to 6 and the bar below
		9:  {15, 14, 13, 0, 1, 2},        // 10 to 15
		18: {6, 7, 8, 9, 10, 11, 12},     // 19 to 24 and the bar above
	} {
		if s := shapes[i]; !slices.Equal(s.Cells, want) || s.Rows != 2 || s.Columns != 13 {
			t.Errorf("%s lies at %v of %d x %d, want %v of 2 x 13", s.Name, s.Cells, s.Rows, s.Columns, want)
		}
	}
}
