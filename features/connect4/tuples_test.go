package connect4

import (
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	board "plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestTuplesByName: the active weights are those of the mover whose names say what the
// cells of a walk hold, as it stands or mirrored; the same cells of a mirrored position
// give the same weights.
func TestTuplesByName(t *testing.T) {
	g := gametest.New(t, board.New, "connect4")
	set := newTuples(board.Of(g.New()))
	m := models.New("connect4", set.Name(), set.Blocks())
	active := func(position string) []string {
		s := vectors.Must(g.Parse(position))
		var names []string
		for _, x := range set.Extract(s, s.Turn(), nil) {
			names = append(names, m.Name(x.Index))
		}
		slices.Sort(names)
		return names
	}
	// First to move: X on 4 and 5, O on 3 and on top of 4.
	position, mirrored := "4453", "4435"
	got := active(position)
	if len(got) != 2*walks {
		t.Fatalf("%d active weights, want %d", len(got), 2*walks)
	}
	if want := active(mirrored); !slices.Equal(got, want) {
		t.Errorf("the mirrored position has other weights")
	}
	board := map[int]byte{3: '+', 7 + 3: '-', 4: '+', 2: '-'} // by row and column from below
	for cell, height := range map[int]int{0: 0, 1: 0, 2: 1, 3: 2, 4: 1, 5: 0, 6: 0} {
		board[7*height+cell] = '_'
	}
	cell := func(c int) byte {
		if what, ok := board[c]; ok {
			return what
		}
		return '.'
	}
	for i, walk := range randomWalks() {
		filling := func(column func(c int) int) string {
			var b strings.Builder
			for _, c := range walk {
				b.WriteByte(cell(c/7*7 + column(c%7)))
			}
			return set.Blocks()[i].Name + "[" + b.String() + "]"
		}
		for _, want := range []string{filling(func(c int) int { return c }), filling(func(c int) int { return 6 - c })} {
			if !slices.Contains(got, want) {
				t.Errorf("walk %d: %s is not active", i+1, want)
			}
		}
	}
	for _, shape := range set.(features.Shaper).Shapes()[:walks] { // counted from the top
		name := shape.Name + "["
		for _, c := range shape.Cells {
			name += string(cell((5-c/7)*7 + c%7))
		}
		if name += "]"; !slices.Contains(got, name) {
			t.Errorf("drawn as %v: %s is not active", shape.Cells, name)
		}
	}
	if second := active("445"); !strings.HasPrefix(second[0], "second-") || second[0] == got[0] {
		t.Errorf("with the second player to move %s is active", second[0])
	}
}

// TestWalks: each tuple is a walk over neighbours that visits no cell twice, and none
// stands twice.
func TestWalks(t *testing.T) {
	all := randomWalks()
	for i, walk := range all {
		for k, c := range walk {
			if slices.Index(walk, c) != k {
				t.Errorf("walk %d visits cell %d twice", i+1, c)
			}
			if k == 0 {
				continue
			}
			b := walk[k-1]
			if dr, dc := c/7-b/7, c%7-b%7; dr*dr > 1 || dc*dc > 1 || c == b {
				t.Errorf("walk %d steps from %d to %d", i+1, b, c)
			}
		}
		for _, other := range all[:i] {
			if slices.Equal(walk, other) {
				t.Errorf("walk %d stands twice", i+1)
			}
		}
	}
	for _, text := range []string{"connect4:dice=on", "connect4:rows=5,columns=5"} {
		if n := len(sets(gametest.New(t, board.New, text))); n != 2 {
			t.Errorf("%s has %d sets, want 2: the tables are of the usual board", text, n)
		}
	}
}
