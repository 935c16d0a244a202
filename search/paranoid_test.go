package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
)

// bruteParanoid is what p gets when all others want him to get little.
func bruteParanoid(n *sprig, p game.Player, depth int) float64 {
	switch {
	case n.turn == game.Nobody:
		return n.ends[p]
	case n.turn == game.Chance:
		sum := 0.0
		for i, k := range n.kids {
			sum += n.probs[i] * bruteParanoid(k, p, depth)
		}
		return sum
	case depth == 0:
		return n.eval[p]
	}
	best := bruteParanoid(n.kids[0], p, depth-1)
	for _, k := range n.kids[1:] {
		if v := bruteParanoid(k, p, depth-1); n.turn == p {
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
			root := sh.grow(rand.New(rand.NewPCG(seed, 21)))
			g := sh.game(root)
			for _, depth := range []int{0, 1, 3, 5} {
				horizon := depth
				if depth == 0 {
					horizon = 100
				}
				want := bruteParanoid(root, root.turn, horizon)
				cfg := settings{Game: g, Eval: sprigEval{}, Depth: depth}
				r := searchOnce(t, made(t, paranoidOf, cfg), g.New())
				cfg.Prune, cfg.Complete = NoPrune, true
				plain := searchOnce(t, made(t, paranoidOf, cfg), g.New())
				if !near(r.Value, want) || !near(plain.Value, want) || r.Move != plain.Move {
					t.Fatalf("%s, seed %d, depth %d: %v by %d, without pruning %v by %d; want %v", name, seed, depth, r.Value, r.Move, plain.Value, plain.Move, want)
				}
				for i, k := range root.kids {
					v := bruteParanoid(k, root.turn, horizon-1)
					if m := plain.Root[i]; m.Kind != Exact || !near(m.Value, v) {
						t.Fatalf("%s, seed %d: %v; want %v", name, seed, m, v)
					}
					if m := r.Root[i]; m.Kind == Exact && !near(m.Value, v) || m.Kind == Upper && m.Value < v-1e-12 {
						t.Fatalf("%s, seed %d: %v after pruning; the truth is %v", name, seed, m, v)
					}
				}
				saved += plain.Nodes - r.Nodes
			}
		}
		if saved <= 0 && sh.players > 1 {
			t.Errorf("%s: alpha-beta saved %d nodes", name, saved)
		}
	}
}

// TestTwoPlayersAgree: with two players and a sum of zero max^n and paranoid
// are expectimax, and with a hostile nature minimax.
func TestTwoPlayersAgree(t *testing.T) {
	sh := sprigShape{2, game.Zero, .3, false, 6}
	for seed := range uint64(150) {
		root := sh.grow(rand.New(rand.NewPCG(seed, 22)))
		g := sh.game(root)
		for depth := 1; depth <= 4; depth++ {
			for _, assume := range []AssumeKind{AssumeChance, AssumeAdversary, AssumeUniform} {
				cfg := settings{Game: g, Eval: sprigEval{}, Depth: depth, Assume: Assume{Kind: assume}}
				want := searchOnce(t, made(t, expectimaxOf, cfg), g.New())
				for name, make := range map[string]func(settings) (Agent, error){"maxn": maxNOf, "paranoid": paranoidOf} {
					r := searchOnce(t, made(t, make, cfg), g.New())
					if !near(r.Value, want.Value) || !allNear(r.Values, want.Values) || r.Move != want.Move {
						t.Fatalf("seed %d, depth %d, assume %d, %s: %+v; want %+v", seed, depth, assume, name, r, want)
					}
				}
			}
		}
	}
}

// watcher checks what an Observer is told against the truth.
type watcher struct {
	t     *testing.T
	truth func(n *sprig, depth int) float64
	told  map[Bound]int
}

func (w *watcher) Node(s game.State, depth int, value float64, kind Bound) {
	w.told[kind]++
	want := w.truth(s.(*sprigState).at(), depth)
	const near = 1e-9
	if kind == Exact && math.Abs(value-want) > near || kind == Lower && want < value-near || kind == Upper && want > value+near {
		w.t.Fatalf("%s, depth %d: told %v (%v); the truth is %v", s, depth, value, kind, want)
	}
}

func TestObserversHearTheTruth(t *testing.T) {
	told := map[Bound]int{}
	for seed := range uint64(100) {
		sh := sprigShape{2, game.Zero, .3, false, 6}
		root := sh.grow(rand.New(rand.NewPCG(seed, 23)))
		g := sh.game(root)
		for name, make := range map[string]func(settings) (Agent, error){"maxn": maxNOf, "paranoid": paranoidOf} {
			w := &watcher{t, func(n *sprig, depth int) float64 {
				return bruteMaxN(n, depth)[0]
			}, told}
			a := made(t, make, settings{Game: g, Eval: sprigEval{}, Depth: 3, Observer: w})
			if r := searchOnce(t, a, g.New()); !r.Exact && r.Depth != 3 {
				t.Errorf("%s: depth %d", name, r.Depth)
			}
		}
	}
	if told[Exact] == 0 || told[Lower] == 0 || told[Upper] == 0 {
		t.Errorf("told of %v", told)
	}
}
