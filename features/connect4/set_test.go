package connect4

import (
	"math/bits"
	"testing"

	"plyfit/features/featuretest"
	board "plyfit/game/connect4"
	"plyfit/game/gametest"
)

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, sets, "connect4", "connect4:dice=on", "connect4:columns=5,rows=4", "connect4:columns=4,rows=15", "connect4:columns=12,rows=4,score=distance")
	g := gametest.New(t, board.New, "connect4")
	featuretest.Shipped(t, g, sets(g)[0], "handwritten/connect4.json")
}

// Lines counted one by one, cell by cell, agree with those counted by bits.
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
		// X: three in the bottom row, open on the right; O on top of them.
		{"connect4", "112233", map[string]float64{"tempo": 1, "win-now": 1, "threes": 0, "centre": 0, "low-rows": 0}},
		{"connect4", "11223", map[string]float64{"tempo": -1, "must-block": 1, "win-now": 0, "twos": 0, "threes": 1}},
		{"connect4", "223344", map[string]float64{"win-now": 1}},
		{"connect4", "22334", map[string]float64{"double-threat": 1, "must-block": 0, "centre": 1}},
		{"connect4:dice=on", "223344 die 1", map[string]float64{"win-now": 1}},
		{"connect4:dice=on", "112233 die 4", map[string]float64{"win-now": 0}},
		{"connect4:dice=on", "112233 roll", map[string]float64{"win-now": 1, "tempo": 1}},
		{"connect4", "445566", map[string]float64{"win-now": 1}},
		// Lines through the bottom row: 3 4 5 7 5 4 3, through the second: 4 6 8 10 8 6 4.
		{"connect4", "44", map[string]float64{"lines-through": 7 - 10}},
		{"connect4", "162", map[string]float64{"lines-through": 3 - 4 + 4}},
		{"connect4", "start", map[string]float64{"tempo": 1, "safe-moves": 7}},
	} {
		g := gametest.New(t, board.New, c.game)
		featuretest.ByHand(t, g, sets(g)[0], c.position, c.want)
	}
}
