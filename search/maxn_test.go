package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/game"
	treegame "plyfit/game/tree"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

var sprigShapes = []searchtest.Shape{
	{Players: 2, Sum: game.Zero, Height: 6}, {Players: 2, Sum: game.Zero, Chance: .3, Height: 6}, {Players: 2, Sum: game.Zero, Chance: .3, Whole: true, Height: 6},
	{Players: 3, Sum: game.Zero, Whole: true, Height: 6}, {Players: 3, Sum: game.Zero, Chance: .2, Height: 6}, {Players: 3, Sum: game.Constant, Whole: true, Height: 6},
	{Players: 4, Sum: game.Constant, Chance: .1, Height: 6}, {Players: 3, Sum: game.General, Chance: .2, Height: 6}, {Players: 1, Sum: game.General, Chance: .5, Height: 6},
}

// TestMaxNTies: a tie between averages that rounding parts goes to the first child, pruned
// or not: .2*3 + .8*3 is no more than 3.
func TestMaxNTies(t *testing.T) {
	for tree, want := range map[string][]float64{
		"(p0 (p1 (p0 (p0 <3,3,2,3>) (p0 <2,-3,0,1>) (chance 1/5 <3,3,0,2> 4/5 <3,0,-3,-1>)) (p1 (p2 <-3,1,-2,-3> <0,3,1,1>) (p1 <2,-3,2,-2>)) " +
			"(chance 2/4 (chance 4/8 <-3,2,2,-2> 2/8 <1,-3,0,-1> 2/8 <-3,-1,0,3>) 2/4 (p2 <2,3,-2,0>))))": {3, 3, 2, 3},
		"(p0 <3,1,0> (chance 1/5 <3,0,1> 4/5 <3,0,1>))":                                {3, 1, 0},
		"(p1 (p0 <1,3,1> (chance 1/5 <3,0,1> 4/5 <1,0,1>) <1.4,2,2>) <0,1,0>)":         {0, 1, 0},
		"(p0 (chance 7/10 <1,1,0> 2/10 <1,1,0> 1/10 <1,1,0>) <1,0,5>)":                 {1, 1, 0},
		"(p2 (chance 7/10 <0,1,-1> 2/10 <0,1,-1> 1/10 <0,1,-1>) <5,0,-1> <6,0,-0.99>)": {6, 0, -0.99},
	} {
		g, err := treegame.New(new(game.Options))
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.Parse(tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, prune := range []search.Prune{search.PruneDefault, search.NoPrune} {
			r := searchtest.Search(t, searchtest.Made(t, searchtest.MaxNOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 6, Prune: prune}), s)
			if !searchtest.AllNear(r.Values, want) {
				t.Errorf("%s, prune %v: %v, want %v", tree, prune, r.Values, want)
			}
		}
	}
}

func TestMaxNAgainstBruteForce(t *testing.T) {
	pruned := map[string]int64{}
	for _, sh := range sprigShapes {
		name := fmt.Sprintf("%+v", sh)
		for seed := range uint64(150) {
			root := sh.Grow(rand.New(rand.NewPCG(seed, 1)))
			g := sh.Game(root)
			for _, depth := range []int{0, 1, 2, 3} {
				cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: depth}
				want := searchtest.MaxN(root, depth)
				if depth == 0 {
					want = searchtest.MaxN(root, 100)
				}
				r := searchtest.Search(t, searchtest.Made(t, searchtest.MaxNOf, cfg), g.New())
				cfg.Prune, cfg.Complete = search.NoPrune, true
				plain := searchtest.Search(t, searchtest.Made(t, searchtest.MaxNOf, cfg), g.New())
				if best := want[root.Turn]; best == g.Min || best == g.Max {
					// Of equal moves the shortest win is played, from which the
					// others may get something else.
					below := depth - 1
					if depth == 0 {
						below = 100
					}
					if want = searchtest.MaxN(root.Kids[r.Move], below); want[root.Turn] != best {
						t.Fatalf("%s, seed %d, depth %d: %v of a move worth %v; want %v", name, seed, depth, r.Values, want, best)
					}
				}
				if !searchtest.AllNear(r.Values, want) || !searchtest.AllNear(plain.Values, want) {
					t.Fatalf("%s, seed %d, depth %d: %v, without pruning %v; want %v", name, seed, depth, r.Values, plain.Values, want)
				}
				if r.Value != r.Values[root.Turn] || r.Move != plain.Move || plain.Exact && !r.Exact {
					t.Fatalf("%s, seed %d, depth %d: pruning changed %+v to %+v", name, seed, depth, plain, r)
				}
				if r.Nodes > plain.Nodes {
					t.Fatalf("%s, seed %d: pruning took %d nodes instead of %d", name, seed, r.Nodes, plain.Nodes)
				}
				pruned[name] += plain.Nodes - r.Nodes
				for i, m := range plain.Root {
					below := depth - 1
					if depth == 0 {
						below = 100
					}
					v := searchtest.MaxN(root.Kids[m.Move], below)[root.Turn]
					if !searchtest.Near(m.Value, v) || m.Kind != search.Exact {
						t.Fatalf("%s, seed %d: root move %v; want %v", name, seed, m, v)
					}
					if k := r.Root[i]; k.Kind == search.Upper && k.Value < v-1e-9 || k.Kind == search.Exact && !searchtest.Near(k.Value, v) {
						t.Fatalf("%s, seed %d: root move %v of the pruned search; the truth is %v", name, seed, k, v)
					}
					if as := slices.Contains(plain.Best, m.Move); as != (v >= plain.Value-1e-9) {
						t.Fatalf("%s, seed %d: move %d worth %v, best %v: among the best %v", name, seed, m.Move, v, plain.Value, as)
					}
				}
			}
		}
	}
	for _, sh := range sprigShapes {
		name := fmt.Sprintf("%+v", sh)
		if pruned[name] == 0 && sh.Sum != game.General {
			t.Errorf("%s: nothing pruned", name)
		}
	}
}
