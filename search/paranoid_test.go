package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
)

// bruteParanoid is what p gets when all others want him to get little.
func bruteParanoid(n *searchtest.Sprig, p game.Player, depth int) float64 {
	switch {
	case n.Turn == game.Nobody:
		return n.Ends[p]
	case n.Turn == game.Chance:
		sum := 0.0
		for i, k := range n.Kids {
			sum += n.Probs[i] * bruteParanoid(k, p, depth)
		}
		return sum
	case depth == 0:
		return n.Eval[p]
	}
	best := bruteParanoid(n.Kids[0], p, depth-1)
	for _, k := range n.Kids[1:] {
		if v := bruteParanoid(k, p, depth-1); n.Turn == p {
			best = max(best, v)
		} else {
			best = min(best, v)
		}
	}
	return best
}

func TestParanoidAgainstBruteForce(t *testing.T) {
	for _, sh := range sprigShapes {
		name := fmt.Sprintf("%+v", sh)
		saved := int64(0)
		for seed := range uint64(150) {
			root := sh.Grow(rand.New(rand.NewPCG(seed, 21)))
			g := sh.Game(root)
			for _, depth := range []int{0, 1, 3, 5} {
				horizon := depth
				if depth == 0 {
					horizon = 100
				}
				want := bruteParanoid(root, root.Turn, horizon)
				cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: depth}
				r := searchtest.Search(t, searchtest.Made(t, searchtest.ParanoidOf, cfg), g.New())
				cfg.Prune, cfg.Complete = search.NoPrune, true
				plain := searchtest.Search(t, searchtest.Made(t, searchtest.ParanoidOf, cfg), g.New())
				if !searchtest.Near(r.Value, want) || !searchtest.Near(plain.Value, want) || r.Move != plain.Move {
					t.Fatalf("%s, seed %d, depth %d: %v by %d, without pruning %v by %d; want %v", name, seed, depth, r.Value, r.Move, plain.Value, plain.Move, want)
				}
				for i, k := range root.Kids {
					v := bruteParanoid(k, root.Turn, horizon-1)
					if m := plain.Root[i]; m.Kind != search.Exact || !searchtest.Near(m.Value, v) {
						t.Fatalf("%s, seed %d: %v; want %v", name, seed, m, v)
					}
					if m := r.Root[i]; m.Kind == search.Exact && !searchtest.Near(m.Value, v) || m.Kind == search.Upper && m.Value < v-1e-12 {
						t.Fatalf("%s, seed %d: %v after pruning; the truth is %v", name, seed, m, v)
					}
				}
				saved += plain.Nodes - r.Nodes
			}
		}
		if saved <= 0 && sh.Players > 1 {
			t.Errorf("%s: alpha-beta saved %d nodes", name, saved)
		}
	}
}

// TestTwoPlayersAgree: with two players and a sum of zero max^n and paranoid
// are expectimax, and with a hostile nature minimax.
func TestTwoPlayersAgree(t *testing.T) {
	sh := searchtest.Shape{Players: 2, Sum: game.Zero, Chance: .3, Height: 6}
	for seed := range uint64(150) {
		root := sh.Grow(rand.New(rand.NewPCG(seed, 22)))
		g := sh.Game(root)
		for depth := 1; depth <= 4; depth++ {
			for _, kind := range []assume.Kind{assume.Chance, assume.Adversary, assume.Uniform} {
				cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: depth, Assume: assume.Assumption{Kind: kind}}
				want := searchtest.Search(t, searchtest.Made(t, search.NewExpectimax, cfg), g.New())
				for name, make := range map[string]func(search.Options) (search.Agent, error){"maxn": searchtest.MaxNOf, "paranoid": searchtest.ParanoidOf} {
					r := searchtest.Search(t, searchtest.Made(t, make, cfg), g.New())
					if !searchtest.Near(r.Value, want.Value) || !searchtest.AllNear(r.Values, want.Values) || r.Move != want.Move {
						t.Fatalf("seed %d, depth %d, kind %d, %s: %+v; want %+v", seed, depth, kind, name, r, want)
					}
				}
			}
		}
	}
}

// watcher checks what an Observer is told against the truth.
type watcher struct {
	t     *testing.T
	truth func(n *searchtest.Sprig, depth int) float64
	told  map[search.Bound]int
}

func (w *watcher) Node(s game.State, depth int, value float64, kind search.Bound) {
	w.told[kind]++
	want := w.truth(s.(*searchtest.SprigState).At(), depth)
	const near = 1e-9
	if kind == search.Exact && math.Abs(value-want) > near || kind == search.Lower && want < value-near || kind == search.Upper && want > value+near {
		w.t.Fatalf("%s, depth %d: told %v (%v); the truth is %v", s, depth, value, kind, want)
	}
}

func TestObserversHearTheTruth(t *testing.T) {
	told := map[search.Bound]int{}
	for seed := range uint64(100) {
		sh := searchtest.Shape{Players: 2, Sum: game.Zero, Chance: .3, Height: 6}
		root := sh.Grow(rand.New(rand.NewPCG(seed, 23)))
		g := sh.Game(root)
		for name, make := range map[string]func(search.Options) (search.Agent, error){"maxn": searchtest.MaxNOf, "paranoid": searchtest.ParanoidOf} {
			w := &watcher{t, func(n *searchtest.Sprig, depth int) float64 {
				return searchtest.MaxN(n, depth)[0]
			}, told}
			a := searchtest.Made(t, make, search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 3, Observer: w})
			if r := searchtest.Search(t, a, g.New()); !r.Exact && r.Depth != 3 {
				t.Errorf("%s: depth %d", name, r.Depth)
			}
		}
	}
	if told[search.Exact] == 0 || told[search.Lower] == 0 || told[search.Upper] == 0 {
		t.Errorf("told of %v", told)
	}
}
