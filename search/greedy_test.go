package search_test

import (
	"context"

	"math/rand/v2"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
)

func TestGreedyTiesFollowTheSeed(t *testing.T) {
	root := &searchtest.Sprig{ID: 1, Eval: []float64{0}}
	for i := range 5 {
		root.Kids = append(root.Kids, &searchtest.Sprig{ID: i + 2, Turn: game.Nobody, Ends: []float64{float64(i % 2)}})
	}
	g := searchtest.Shape{Players: 1, Sum: game.General}.Game(root)
	drawn := map[game.Move]bool{}
	a := searchtest.Made(t, searchtest.GreedyOf, search.Options{Game: g, Eval: searchtest.SprigEval{}, Ties: search.Random})
	for seed := range uint64(40) {
		r := searchtest.Seeded(t, a, seed, g.New())
		drawn[r.Move] = true
	}
	if len(drawn) != 2 || !drawn[1] || !drawn[3] {
		t.Errorf("drawn among equals: %v; want 1 and 3", drawn)
	}
}

// TestSlipWorld holds greedy in a slippery world against the sum over what the
// move may be replaced by.
func TestSlipWorld(t *testing.T) {
	for seed := range uint64(100) {
		sh := searchtest.Shape{Players: 2, Sum: game.Zero, Chance: .3, Height: 4}
		root := sh.Grow(rand.New(rand.NewPCG(seed, 3)))
		g, err := game.WithSlip(sh.Game(root), .3)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []assume.Kind{assume.Default, assume.Base} {
			cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Assume: assume.Assumption{Kind: kind}}
			r := searchtest.Ask(t, searchtest.GreedyOf, cfg, g.New())
			rule := searchtest.Rule{Game: g, Eval: searchtest.SprigEval{}, Draw: searchtest.Averages}
			at := g.New()
			if kind == assume.Base {
				at = root.State()
			}
			for i, values := range rule.Moves(at, 1) {
				want := values[root.Turn]
				if !searchtest.Near(r.Root[i].Value, want) {
					t.Fatalf("seed %d, assume %d: move %d is worth %v; want %v", seed, kind, i, r.Root[i].Value, want)
				}
			}
		}
	}
}

// TestHostileWorld lets nature's opponent be the one to move.
func TestHostileWorld(t *testing.T) {
	for seed := range uint64(100) {
		for players := 1; players <= 2; players++ {
			sum := game.Zero
			if players == 1 {
				sum = game.General
			}
			sh := searchtest.Shape{Players: players, Sum: sum, Chance: 1, Height: 4}
			root := sh.Grow(rand.New(rand.NewPCG(seed, 4)))
			g, err := game.WithAdversary(sh.Game(root))
			if err != nil {
				t.Fatal(err)
			}
			cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 2, Assume: assume.Assumption{Kind: assume.Adversary}}
			rule := searchtest.Rule{Game: sh.Game(root), Eval: cfg.Eval}
			s := g.New()
			if r := searchtest.Ask(t, searchtest.MaxNOf, cfg, s); !searchtest.Near(r.Values[0], rule.Value(root.State(), 2)) || r.Values[1] != -r.Values[0] {
				t.Fatalf("seed %d: %v; want %v", seed, r.Values, rule.Value(root.State(), 2))
			}
			if root.Kids[0].Turn != game.Chance {
				continue
			}
			s.Play(0)
			n := root.Kids[0]
			r := searchtest.Ask(t, searchtest.MaxNOf, cfg, s)
			mover := s.Turn()
			if want := rule.Value(n.State(), 2); mover != 1-n.Luck || !searchtest.Near(r.Values[0], want) || r.Value != r.Values[mover] {
				t.Fatalf("seed %d: nature's opponent %d found %+v; want %v", seed, mover, r, want)
			}
			if got := rule.Value(n.Kids[r.Move].State(), 2); !searchtest.Near(got, r.Values[0]) {
				t.Fatalf("seed %d: the move leads to %v, the value is %v", seed, got, r.Values[0])
			}
		}
	}
}

func TestFinishedRoot(t *testing.T) {
	end := &searchtest.Sprig{ID: 1, Turn: game.Nobody, Ends: []float64{2, -2}}
	g := searchtest.Shape{Players: 2, Sum: game.Zero}.Game(end)
	cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 3}
	for name, a := range map[string]search.Agent{"greedy": searchtest.Made(t, searchtest.GreedyOf, cfg), "maxn": searchtest.Made(t, searchtest.MaxNOf, cfg)} {
		if r := searchtest.Search(t, a, g.New()); r.Move != game.NoMove || r.Value != 2 || !r.Exact || len(r.PV) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := searchtest.Ask(t, searchtest.RandomOf, cfg, g.New()); r.Move != game.NoMove {
		t.Errorf("random: %+v", r)
	}
}

func TestLimits(t *testing.T) {
	sh := searchtest.Shape{Players: 3, Sum: game.General, Chance: .2, Height: 8}
	root := sh.Grow(rand.New(rand.NewPCG(5, 5)))
	g := sh.Game(root)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := searchtest.Made(t, searchtest.MaxNOf, search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 3}).Search(cancelled, g.New()); err == nil {
		t.Error("a search that was stopped before it began has an answer")
	}
	for nodes := int64(1); nodes < 3000; nodes += 37 {
		r := searchtest.Ask(t, searchtest.MaxNOf, search.Options{Game: g, Eval: searchtest.SprigEval{}, Nodes: nodes}, g.New())
		if r.Nodes > nodes || int(r.Move) >= len(root.Kids) {
			t.Fatalf("with %d nodes: %+v", nodes, r)
		}
		if r.Depth > 0 && !r.Exact && !searchtest.AllNear(r.Values, searchtest.Rule{Game: g, Eval: searchtest.SprigEval{}, Draw: searchtest.Averages}.Values(g.New(), r.Depth)) {
			t.Fatalf("with %d nodes, depth %d: %v", nodes, r.Depth, r.Values)
		}
	}
	for _, limit := range []time.Duration{1, time.Microsecond, 50 * time.Microsecond} {
		r := searchtest.Ask(t, searchtest.MaxNOf, search.Options{Game: g, Eval: searchtest.SprigEval{}, Time: limit}, g.New())
		if int(r.Move) >= len(root.Kids) {
			t.Errorf("within %v: %+v", limit, r)
		}
	}
}
