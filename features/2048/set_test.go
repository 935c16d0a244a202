package g2048

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	board "plyfit/game/2048"
	"plyfit/game/gametest"
	"plyfit/game/play"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestSymmetry checks that rotating or mirroring the board changes no term.
func TestSymmetry(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	set := sets(g)[0]
	a := vectors.Must(g.Parse("0125/3416/0230/7700 player 100"))
	for _, text := range []string{"5210/6143/0320/0077 player 100", "7700/0230/3416/0125 player 100", "0307/1427/2130/5600 player 100"} {
		b := vectors.Must(g.Parse(text))
		x, y := set.Extract(a, 0, nil), set.Extract(b, 0, nil)
		if len(x) != len(y) {
			t.Fatalf("%s: %d terms and %d", text, len(x), len(y))
		}
		for i := range x {
			if x[i] != y[i] {
				t.Errorf("%s: term %d is %v and %v", text, x[i].Index, x[i].Value, y[i].Value)
			}
		}
	}
}

func TestTermsByHand(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	featuretest.ByHand(t, g, sets(g)[0], "1123/0000/0000/0003 player 16", map[string]float64{
		"score": 16, "empty": 11, "merges": 2, // the twos, and the eights in the last column
		"merge-exponents": 4, "chain": 2, "full-lines": 1, "stuck-lines": 0,
		"tiles-4": 1, "tiles-8": 2, "tiles-16": 0, "roughness": 2, "valleys": 0, "disorder": 0 + 3,
	})
}

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, sets, "2048", "2048:size=3", "2048:size=2")
}

func TestHandWritten(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	for i, name := range []string{"2048", "2048-basic"} {
		if m := featuretest.Shipped(t, g, sets(g)[i], "handwritten/"+name+".json"); m.Weights[0] != 1 {
			t.Errorf("%s: score weighs %v, want 1", name, m.Weights[0])
		}
	}
}

// TestTuplesByName checks that, in all symmetries, the names of the active weights describe the
// contents of the tuples.
func TestTuplesByName(t *testing.T) {
	byName(t, newTuples(), sixCells.len(), [][]int{{0, 1, 2, 3, 4, 5}, {4, 5, 6, 7, 8, 9}, {0, 1, 2, 4, 5, 6}, {4, 5, 6, 8, 9, 10}})
	byName(t, newFives(), fiveCells.len(), [][]int{{0, 1, 2, 3, 4}, {4, 5, 6, 7, 8}, {0, 1, 2, 4, 5}, {4, 5, 6, 8, 9}})
}

func byName(t *testing.T, set features.TupleIndexer, length int32, cells [][]int) {
	t.Helper()
	g := gametest.New(t, board.New, "2048")
	blocks := set.Blocks()
	for i, shape := range set.(features.Shaper).Shapes() {
		if shape.Name != blocks[1+i].Name || !slices.Equal(shape.Cells, cells[i]) {
			t.Errorf("%+v: want the cells %v of %s", shape, cells[i], blocks[1+i].Name)
		}
	}
	symmetries := game.Symmetries(4, 4)
	seen := 0
	for s := range gametest.Games(g, 5, 1) {
		seen++
		b := s.(*board.State).Board()
		var want, got []string
		for i, tuple := range cells {
			for _, image := range symmetries {
				digits := ""
				for _, c := range tuple {
					digits += fmt.Sprintf("%x", b>>(4*image[c])&15)
				}
				want = append(want, fmt.Sprintf("%s[%s]", blocks[1+i].Name, digits))
			}
		}
		at := make([]int32, set.Placements())
		set.Indices(s, 0, at)
		for _, k := range at {
			got = append(got, blocks[1+k/length].FeatureName(int(k%length)))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", s, got, want)
		}
	}
	if seen < 100 {
		t.Errorf("only %d positions", seen)
	}
}

// TestAfter checks that After gives the same results as playing each move, in every position of a
// few games.
func TestAfter(t *testing.T) {
	g := vectors.Must(board.New(new(game.Options)))
	for _, set := range []features.AfterIndexer{newTuples(), newFives()} {
		rng := rand.New(rand.NewPCG(5, 8))
		dice := &play.Dice{Random: rng}
		e := play.Episode{Luck: dice}
		m := models.New("2048", set.Name(), set.Blocks())
		m.Weights[0], m.Bias = 0.9, -0.7
		var got features.Afters
		positions := 0
		for range 3 {
			e.Begin(g.New(), 0, g.MaxPlies)
			for e.Next() {
				s := e.State
				want := features.Afters{Moves: s.Moves(nil)}
				for _, move := range want.Moves {
					at := make([]int32, set.Placements())
					s.Play(move)
					set.Indices(s, 0, at)
					want.Rest = append(want.Rest, m.Dot(set.Dense(s, 0, nil))+m.Bias)
					s.Undo()
					want.At = append(want.At, at...)
				}
				if set.After(s, m, &got); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s at %s: %v, want %v", set.Name(), s, got, want)
				}
				positions++
				e.Play(dice.Uniform(s))
			}
		}
		if positions < 100 {
			t.Errorf("%d positions", positions)
		}
	}
}
