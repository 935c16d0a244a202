package search

import (
	"context"

	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/models"
)

func TestRandomDrawsUniformly(t *testing.T) {
	root := &sprig{id: 1, eval: []float64{0}}
	for i := range 4 {
		root.kids = append(root.kids, &sprig{id: i + 2, turn: game.Nobody, ends: []float64{0}})
	}
	g := sprigShape{players: 1, sum: game.General}.game(root)
	a := made(t, randomOf, settings{Game: g})
	play := func(seed uint64) (moves []game.Move) {
		a.Begin(seed)
		for range 4000 {
			r, err := a.Search(context.Background(), g.New())
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, r.Move)
		}
		return moves
	}
	first := play(1)
	count := map[game.Move]int{}
	for _, m := range first {
		count[m]++
	}
	for m, n := range count {
		// Four standard deviations of a binomial(4000, 1/4) are 110.
		if n < 890 || n > 1110 {
			t.Errorf("move %d was drawn %d times of 4000", m, n)
		}
	}
	if !slices.Equal(first, play(1)) {
		t.Error("the same seed drew other moves")
	}
	if slices.Equal(first, play(2)) {
		t.Error("another seed drew the same moves")
	}
}

// bruteOnePly is what a position is worth with no decision left to search.
func bruteOnePly(n *sprig, after bool) []float64 {
	if n.turn == game.Nobody {
		return n.ends
	}
	if n.turn != game.Chance || after {
		return n.eval
	}
	v := make([]float64, len(n.eval))
	for i, k := range n.kids {
		for p, x := range bruteOnePly(k, after) {
			v[p] += n.probs[i] * x
		}
	}
	return v
}

func TestGreedyAgainstBruteForce(t *testing.T) {
	for _, sh := range sprigShapes {
		for seed := range uint64(100) {
			root := sh.grow(rand.New(rand.NewPCG(seed, 2)))
			g := sh.game(root)
			for _, leaf := range []models.Leaves{models.Decision, models.Afterstate} {
				cfg := settings{Game: g, Eval: sprigEval{}, Leaf: leaf, Complete: true}
				r := searchOnce(t, made(t, greedyOf, cfg), g.New())
				best := math.Inf(-1)
				for i, k := range root.kids {
					v := bruteOnePly(k, leaf == models.Afterstate)[root.turn]
					if !near(r.Root[i].Value, v) {
						t.Fatalf("%+v, seed %d, %s: %v; want %v", sh, seed, leaf, r.Root[i], v)
					}
					best = max(best, v)
				}
				if !near(r.Value, best) || !slices.Contains(r.Best, r.Move) || r.Best[0] != r.Move {
					t.Fatalf("%+v, seed %d: %+v; want %v", sh, seed, r, best)
				}
			}
		}
	}
}

func TestGreedyTiesFollowTheSeed(t *testing.T) {
	root := &sprig{id: 1, eval: []float64{0}}
	for i := range 5 {
		root.kids = append(root.kids, &sprig{id: i + 2, turn: game.Nobody, ends: []float64{float64(i % 2)}})
	}
	g := sprigShape{players: 1, sum: game.General}.game(root)
	drawn := map[game.Move]bool{}
	a := made(t, greedyOf, settings{Game: g, Eval: sprigEval{}, Ties: Random})
	for seed := range uint64(40) {
		a.Begin(seed)
		r, err := a.Search(context.Background(), g.New())
		if err != nil {
			t.Fatal(err)
		}
		drawn[r.Move] = true
	}
	if len(drawn) != 2 || !drawn[1] || !drawn[3] {
		t.Errorf("drawn among equals: %v; want 1 and 3", drawn)
	}
}

// TestSlipWorld holds greedy in a slippery world against the sum over what the
// move may be replaced by.
func TestSlipWorld(t *testing.T) {
	const p = 0.3
	for seed := range uint64(100) {
		sh := sprigShape{2, game.Zero, .3, false, 4}
		root := sh.grow(rand.New(rand.NewPCG(seed, 3)))
		g, err := game.WithSlip(sh.game(root), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, assume := range []AssumeKind{AssumeDefault, AssumeBase} {
			cfg := settings{Game: g, Eval: sprigEval{}, Assume: Assume{Kind: assume}}
			r := searchOnce(t, made(t, greedyOf, cfg), g.New())
			mean := 0.0
			for _, k := range root.kids {
				mean += bruteOnePly(k, false)[root.turn] / float64(len(root.kids))
			}
			for i, k := range root.kids {
				want := bruteOnePly(k, false)[root.turn]
				if assume == AssumeDefault {
					want = (1-p)*want + p*mean
				}
				if !near(r.Root[i].Value, want) {
					t.Fatalf("seed %d, assume %d: move %d is worth %v; want %v", seed, assume, i, r.Root[i].Value, want)
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
			sh := sprigShape{players, sum, 1, false, 4}
			root := sh.grow(rand.New(rand.NewPCG(seed, 4)))
			g, err := game.WithAdversary(sh.game(root))
			if err != nil {
				t.Fatal(err)
			}
			cfg := settings{Game: g, Eval: sprigEval{}, Depth: 2, Assume: Assume{Kind: AssumeAdversary}}
			s := g.New()
			if r := searchOnce(t, made(t, maxNOf, cfg), s); !near(r.Values[0], bruteHostile(root, 2)) || r.Values[1] != -r.Values[0] {
				t.Fatalf("seed %d: %v; want %v", seed, r.Values, bruteHostile(root, 2))
			}
			if root.kids[0].turn != game.Chance {
				continue
			}
			s.Play(0)
			n := root.kids[0]
			r := searchOnce(t, made(t, maxNOf, cfg), s)
			mover := s.Turn()
			if want := bruteHostile(n, 2); mover != 1-n.luck || !near(r.Values[0], want) || r.Value != r.Values[mover] {
				t.Fatalf("seed %d: nature's opponent %d found %+v; want %v", seed, mover, r, want)
			}
			if got := bruteHostile(n.kids[r.Move], 2); !near(got, r.Values[0]) {
				t.Fatalf("seed %d: the move leads to %v, the value is %v", seed, got, r.Values[0])
			}
		}
	}
}

// bruteHostile is player 0's minimax value with nature for an opponent.
func bruteHostile(n *sprig, depth int) float64 {
	switch {
	case n.turn == game.Nobody:
		return n.ends[0]
	case n.turn >= 0 && depth == 0:
		return n.eval[0]
	}
	maximise := n.turn == 0
	if n.turn == game.Chance {
		maximise = n.luck == 1
	} else {
		depth--
	}
	best := math.Inf(1)
	if maximise {
		best = math.Inf(-1)
	}
	for _, k := range n.kids {
		if v := bruteHostile(k, depth); (v > best) == maximise {
			best = v
		}
	}
	return best
}

func TestFinishedRoot(t *testing.T) {
	end := &sprig{id: 1, turn: game.Nobody, ends: []float64{2, -2}}
	g := sprigShape{players: 2, sum: game.Zero}.game(end)
	cfg := settings{Game: g, Eval: sprigEval{}, Depth: 3}
	for name, a := range map[string]Agent{"greedy": made(t, greedyOf, cfg), "maxn": made(t, maxNOf, cfg)} {
		if r := searchOnce(t, a, g.New()); r.Move != game.NoMove || r.Value != 2 || !r.Exact || len(r.PV) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := searchOnce(t, made(t, randomOf, cfg), g.New()); r.Move != game.NoMove {
		t.Errorf("random: %+v", r)
	}
}

func TestLimits(t *testing.T) {
	sh := sprigShape{3, game.General, .2, false, 8}
	root := sh.grow(rand.New(rand.NewPCG(5, 5)))
	g := sh.game(root)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := made(t, maxNOf, settings{Game: g, Eval: sprigEval{}, Depth: 3}).Search(cancelled, g.New()); err == nil {
		t.Error("a search that was stopped before it began has an answer")
	}
	for nodes := int64(1); nodes < 3000; nodes += 37 {
		r := searchOnce(t, made(t, maxNOf, settings{Game: g, Eval: sprigEval{}, Nodes: nodes}), g.New())
		if r.Nodes > nodes || int(r.Move) >= len(root.kids) {
			t.Fatalf("with %d nodes: %+v", nodes, r)
		}
		if r.Depth > 0 && !r.Exact && !allNear(r.Values, bruteMaxN(root, r.Depth)) {
			t.Fatalf("with %d nodes, depth %d: %v", nodes, r.Depth, r.Values)
		}
	}
	for _, limit := range []time.Duration{1, time.Microsecond, 50 * time.Microsecond} {
		r := searchOnce(t, made(t, maxNOf, settings{Game: g, Eval: sprigEval{}, Time: limit}), g.New())
		if int(r.Move) >= len(root.kids) {
			t.Errorf("within %v: %+v", limit, r)
		}
	}
}
