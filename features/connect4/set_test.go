package connect4

import (
	"math/bits"
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	board "plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/models"
)

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, sets, "connect4", "connect4:dice=on", "connect4:columns=5,rows=4", "connect4:columns=4,rows=15", "connect4:columns=12,rows=4,score=distance")
	g := gametest.New(t, board.New, "connect4")
	featuretest.Shipped(t, g, sets(g)[0], "handwritten/connect4.json")
}

// TestLinesOneByOne compares the bitwise line counts with counts made cell by cell.
func TestLinesOneByOne(t *testing.T) {
	for _, text := range []string{"connect4", "connect4:columns=5,rows=4", "connect4:columns=12,rows=4"} {
		g := gametest.New(t, board.New, text)
		sh := newShape(board.Of(g.New()))
		for s := range gametest.Games(g, 200, 3) {
			b := board.Of(s)
			first, second := b.Stones()
			var want [5]int
			for c := range b.Columns() {
				for r := range b.Rows() {
					for _, d := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
						if ec, er := c+3*d[0], r+3*d[1]; ec >= b.Columns() || er < 0 || er >= b.Rows() {
							continue
						}
						line := uint64(0)
						for k := range 4 {
							line |= 1 << ((c+k*d[0])*(b.Rows()+1) + r + k*d[1])
						}
						if line&second == 0 {
							want[bits.OnesCount64(line&first)]++
						}
					}
				}
			}
			if one, two, three := sh.lines(first, second); one != want[1] || two != want[2] || three != want[3] {
				t.Fatalf("%v: %d %d %d lines, want %v", s, one, two, three, want[1:4])
			}
		}
	}
}

func TestTermsByHand(t *testing.T) {
	for _, c := range []struct {
		game, position string
		want           map[string]float64
	}{
		// X has three stones in the bottom row, open on the right, with O's stones above them.
		{"connect4", "112233", map[string]float64{"tempo": 1, "win-now": 1, "threes": 0, "centre": 0, "low-rows": 0}},
		{"connect4", "11223", map[string]float64{"tempo": -1, "must-block": 1, "win-now": 0, "twos": 0, "threes": 1}},
		{"connect4", "223344", map[string]float64{"win-now": 1}},
		{"connect4", "22334", map[string]float64{"double-threat": 1, "must-block": 0, "centre": 1}},
		{"connect4:dice=on", "223344 die 1", map[string]float64{"win-now": 1}},
		{"connect4:dice=on", "112233 die 4", map[string]float64{"win-now": 0}},
		{"connect4:dice=on", "112233 roll", map[string]float64{"win-now": 1, "tempo": 1}},
		{"connect4", "445566", map[string]float64{"win-now": 1}},
		// The number of lines through each cell is 3 4 5 7 5 4 3 in the bottom row, and 4 6 8 10 8
		// 6 4 in the second row.
		{"connect4", "44", map[string]float64{"lines-through": 7 - 10}},
		{"connect4", "162", map[string]float64{"lines-through": 3 - 4 + 4}},
		{"connect4", "start", map[string]float64{"tempo": 1, "safe-moves": 7}},
	} {
		g := gametest.New(t, board.New, c.game)
		featuretest.ByHand(t, g, sets(g)[0], c.position, c.want)
	}
}

// TestTuplesByName checks that the active weights belong to the mover and that their names match
// the cells of each walk, both in the original and in the mirrored position. The mirrored position
// must have the same active weights.
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
	// The first player is to move. X has 4 and 5, and O has 3 and the cell above 4.
	position, mirrored := "4453", "4435"
	got := active(position)
	if len(got) != 2*walks {
		t.Fatalf("%d active weights, want %d", len(got), 2*walks)
	}
	if want := active(mirrored); !slices.Equal(got, want) {
		t.Errorf("the mirrored position has other weights")
	}
	board := map[int]byte{3: '+', 7 + 3: '-', 4: '+', 2: '-'} // index from the lower left corner, row by row
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
	for _, shape := range set.(features.Shaper).Shapes()[:walks] { // rows are numbered from the top
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

// TestWalks checks that each tuple is a walk over neighbouring cells that visits no cell twice, and
// that no two tuples are equal.
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
				t.Errorf("walk %d occurs twice", i+1)
			}
		}
	}
	for _, text := range []string{"connect4:dice=on", "connect4:rows=5,columns=5"} {
		if n := len(sets(gametest.New(t, board.New, text))); n != 2 {
			t.Errorf("%s has %d sets, want 2: the tables are of the usual board", text, n)
		}
	}
}
