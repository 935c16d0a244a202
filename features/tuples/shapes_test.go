package tuples

import (
	"fmt"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/game/checkers"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
)

// onBoards calls f with the boards of several games, and with rectangles of various sizes and
// numbers of states.
func onBoards(t *testing.T, f func(t *testing.T, b *board)) {
	all := map[string]game.Cells{}
	for rows := 1; rows <= 9; rows += 2 {
		for columns := 1; columns <= 9; columns += 2 {
			for _, states := range []int{2, 3, 5, 16, 62} {
				c := game.Cells{Rows: rows, Columns: columns, States: states, Symmetries: game.Symmetries(rows, columns)}
				all[fmt.Sprintf("%dx%d of %d", rows, columns, states)] = c
				c.Symmetries, c.Apart = nil, true
				all[fmt.Sprintf("%dx%d of %d apart", rows, columns, states)] = c
			}
		}
	}
	for name, g := range map[string]*game.Game{
		"checkers": gametest.New(t, checkers.New, "checkers"), "connect4": gametest.New(t, connect4.New, "connect4"),
	} {
		all[name] = g.New().(game.Celled).Cells()
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) { f(t, newBoard(c)) })
	}
}

// TestTuples checks that tuples have distinct names, respect the limits, contain no hole or
// repeated cell, differ under the symmetries, and cover every cell.
func TestTuples(t *testing.T) {
	onBoards(t, func(t *testing.T, b *board) {
		names, keys, on := map[string]bool{}, map[string]bool{}, make([]bool, len(b.hole))
		weights := 0
		for _, u := range b.tuples() {
			key := b.key(u.cells)
			if names[u.name] || keys[key] {
				t.Errorf("%s %v is there twice", u.name, u.cells)
			}
			names[u.name], keys[key] = true, true
			sorted := slices.Sorted(slices.Values(u.cells))
			if len(slices.Compact(sorted)) != len(u.cells) || len(u.cells) == 0 {
				t.Errorf("%s is %v", u.name, u.cells)
			}
			for _, c := range u.cells {
				if b.hole[c] {
					t.Errorf("%s lies on hole %d", u.name, c)
				}
				for _, symmetry := range b.Symmetries {
					on[symmetry[c]] = true
				}
			}
			n := power(b.States, len(u.cells))
			if weights += n; n > mostOfOne {
				t.Errorf("%s has %d weights", u.name, n)
			}
		}
		if weights > mostOfAll {
			t.Errorf("%d weights", weights)
		}
		for c := range on {
			if !on[c] && !b.hole[c] {
				t.Errorf("no tuple lies on cell %d", c)
			}
		}
	})
}

// TestNeighbours checks that the tuples on a common board have the expected cells.
func TestNeighbours(t *testing.T) {
	b := newBoard(gametest.New(t, connect4.New, "connect4").New().(game.Celled).Cells())
	got := map[string][]int{}
	for _, u := range b.tuples() {
		got[u.name] = u.cells
	}
	for name, want := range map[string][]int{
		"cell-1-1":    {0},
		"row-1-1":     {0, 1, 2, 3, 4, 5, 6, 7},
		"column-1-1":  {0, 7, 14, 21, 28, 35, 1, 8},
		"falling-1-1": {0, 8, 16, 24, 32, 40},
		"2x4-1-1":     {0, 1, 2, 3, 7, 8, 9, 10},
		"4x2-3-1":     {14, 15, 21, 22, 28, 29, 35, 36},
	} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}

// TestChanges checks that weights updated from position to position equal weights computed from
// scratch, regardless of which player's view was used before.
func TestChanges(t *testing.T) {
	g := gametest.New(t, connect4.New, "connect4:columns=5")
	old := Set(g).(*set)
	n := 0
	for s := range gametest.Games(g, 15, 1) {
		p := game.Player(n / 3 % 2)
		n++
		followed, afresh := make([]int32, old.Placements()), old.newView()
		old.Indices(s, p, followed)
		cells := make([]uint8, old.cells.Len())
		s.(game.Celled).Fill(p, cells)
		want := old.sides[p].Indices(cells, nil)
		if !slices.Equal(followed[:len(want)], want) || !slices.Equal(followed, afresh.indices(old, s, p)) {
			t.Fatalf("%s for player %d: %v followed, %v found", s, p, followed, want)
		}
	}
}
