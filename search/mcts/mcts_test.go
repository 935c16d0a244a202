package mcts_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// exactly returns the utilities that result from optimal play in a whole tree.
func exactly(n *searchtest.Sprig, draw func(game.State, []game.Move) []float64) []float64 {
	g := &game.Game{Players: len(n.Eval), Sum: game.General}
	return searchtest.Rule{Game: g, Draw: draw}.Values(n.State(), 100)
}

// decided reports whether, at every decision in a tree, the best move is better than the
// second-best by a margin. UCT needs C^2 ln(N)/gap^2 visits to distinguish two moves. If another
// player has two nearly equal moves, the choice between them changes the values of all players.
func decided(n *searchtest.Sprig) bool {
	best, next := math.Inf(-1), math.Inf(-1)
	for _, k := range n.Kids {
		if !decided(k) {
			return false
		}
		if n.Turn >= 0 {
			v := exactly(k, searchtest.Averages)[n.Turn]
			best, next = max(best, v), max(next, min(best, v))
		}
	}
	return n.Turn < 0 || best-next > 0.8
}

// TestMCTSConverges compares UCT with the exact values of whole trees: minimax and expectimax for
// one and two players, and max^n for three.
func TestMCTSConverges(t *testing.T) {
	for _, sh := range []searchtest.Shape{
		{Players: 2, Sum: game.Zero, Height: 4}, {Players: 2, Sum: game.Zero, Chance: .4, Height: 4}, {Players: 1, Sum: game.General, Chance: .5, Height: 4},
		{Players: 3, Sum: game.General, Height: 4}, {Players: 3, Sum: game.General, Chance: .3, Height: 4},
	} {
		found, most := 0, 8
		if vectors.Long() {
			most = 30
		}
		for seed := uint64(0); found < most; seed++ {
			root := sh.Grow(rand.New(rand.NewPCG(seed, 31)))
			if len(root.Kids) < 2 || !decided(root) {
				continue
			}
			found++
			g := sh.Game(root)
			want := exactly(root, searchtest.Averages)
			r := searchtest.Search(t, searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 50000}), search.Options{Game: g, Eval: searchtest.SprigEval{}}), g.New())
			// Values lie in a range of about 8. The mean of 50,000 draws has a standard error of
			// about 0.03, and exploration adds a bias.
			for p, v := range r.Values {
				if math.Abs(v-want[p]) > 0.12 {
					t.Errorf("%+v, seed %d: %v; want %v", sh, seed, r.Values, want)
					break
				}
			}
			if v := exactly(root.Kids[r.Move], searchtest.Averages)[root.Turn]; v != want[root.Turn] {
				t.Errorf("%+v, seed %d: move %d is worth %v, the best %v", sh, seed, r.Move, v, want[root.Turn])
			}
			if r.Exact && !searchtest.AllNear(r.Values, want) || r.Value != r.Values[root.Turn] || len(r.Root) != len(root.Kids) || r.Depth < 1 || r.PV[0] != r.Move {
				t.Errorf("%+v, seed %d: %+v", sh, seed, r)
			}
		}
	}
}

// TestMCTSInAHostileWorld checks that nature's moves are the opponent's decisions, both at the root
// and below.
func TestMCTSInAHostileWorld(t *testing.T) {
	for seed := range uint64(15) {
		sh := searchtest.Shape{Players: 1, Sum: game.General, Chance: .6, Height: 4}
		root := sh.Grow(rand.New(rand.NewPCG(seed, 32)))
		g := vectors.Must(game.WithAdversary(sh.Game(root)))
		cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Assume: assume.Assumption{Kind: assume.Adversary}}
		s := g.New()
		if r := searchtest.Search(t, searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 40000}), cfg), s); math.Abs(r.Values[0]-exactly(root, nil)[0]) > 0.15 || r.Values[1] != -r.Values[0] {
			t.Errorf("seed %d: %v; want %v", seed, r.Values, exactly(root, nil)[0])
		}
		for i, k := range root.Kids {
			if k.Turn != game.Chance {
				continue
			}
			s.Play(game.Move(i))
			r := searchtest.Search(t, searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 40000}), cfg), s)
			s.Undo()
			if want := -exactly(k, nil)[0]; math.Abs(r.Value-want) > 0.15 || -exactly(k.Kids[r.Move], nil)[0] < want-0.15 {
				t.Errorf("seed %d: nature's opponent found %v by move %d; want %v", seed, r.Value, r.Move, want)
			}
		}
	}
}

// TestMCTSInASlipperyWorld compares UCT with expectimax in a world with slips.
func TestMCTSInASlipperyWorld(t *testing.T) {
	for seed := range uint64(10) {
		sh := searchtest.Shape{Players: 2, Sum: game.Zero, Chance: .2, Height: 4}
		g := vectors.Must(game.WithSlip(sh.Game(sh.Grow(rand.New(rand.NewPCG(seed, 33)))), .25))
		want := searchtest.SearchOnce(t, search.NewExpectimax, search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 50}, g.New())
		r := searchtest.Search(t, searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 40000}), search.Options{Game: g, Eval: searchtest.SprigEval{}}), g.New())
		if math.Abs(r.Value-want.Value) > 0.2 {
			t.Errorf("seed %d: %v; want %v", seed, r.Value, want.Value)
		}
	}
}

// TestRollouts checks the values from rollouts. The tree contains only the root and its children,
// so a move's value is the mean of its rollouts.
func TestRollouts(t *testing.T) {
	for seed := range uint64(10) {
		sh := searchtest.Shape{Players: 3, Sum: game.General, Chance: .3, Height: 5}
		root := sh.Grow(rand.New(rand.NewPCG(seed, 34)))
		g := sh.Game(root)
		cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}}
		a := searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 30000, Rollout: policy.Uniform{}, MaxNodes: 1, Exploration: 100}), cfg)
		r := searchtest.Search(t, a, g.New())
		rollout := searchtest.Rule{Game: g, Eval: searchtest.SprigEval{}, Draw: func(s game.State, moves []game.Move) []float64 {
			if s.Turn() >= 0 {
				return policy.Uniform{}.Probs(s, moves, nil)
			}
			return searchtest.Averages(s, moves)
		}}
		for i, k := range root.Kids {
			want := rollout.Values(k.State(), 100)[root.Turn]
			if m := r.Root[i]; math.Abs(m.Value-want) > 0.15 {
				t.Errorf("seed %d: %v; want %v", seed, m, want)
			}
		}
		if n := mcts.Size(a); n != 1+len(root.Kids) {
			t.Errorf("seed %d: %d nodes in memory", seed, n)
		}
	}
}

func TestMCTSIsDeterministicAndBounded(t *testing.T) {
	sh := searchtest.Shape{Players: 2, Sum: game.Zero, Chance: .3, Height: 8}
	g := sh.Game(sh.Grow(rand.New(rand.NewPCG(1, 35))))
	for name, o := range map[string]mcts.Options{"evaluation": {Simulations: 3000}, "rollouts": {Simulations: 3000, Rollout: policy.Uniform{}}, "small": {Simulations: 3000, MaxNodes: 50}} {
		cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Ties: search.Random, Complete: true}
		run := func(a search.Agent, seed uint64) search.Result {
			r := searchtest.Seeded(t, a, seed, g.New())
			r.Elapsed = 0
			return r
		}
		used := searchtest.MustAgent(t, searchtest.MctsOf(o), cfg)
		first := run(used, 1)
		if other := run(used, 2); reflect.DeepEqual(first.Root, other.Root) {
			t.Errorf("%s: two seeds, one search", name)
		}
		for what, a := range map[string]search.Agent{"used": used, "new": searchtest.MustAgent(t, searchtest.MctsOf(o), cfg)} {
			if again := run(a, 1); !reflect.DeepEqual(first, again) {
				t.Errorf("%s: %+v, then by a %s agent %+v", name, first, what, again)
			}
		}
		if n := mcts.Size(used); o.MaxNodes > 0 && n > o.MaxNodes {
			t.Errorf("%d nodes in memory; want at most %d", n, o.MaxNodes)
		}
	}
}

// TestMCTSLimits checks that a search returns a legal move with many limits on nodes and time.
func TestMCTSLimits(t *testing.T) {
	sh := searchtest.Shape{Players: 3, Sum: game.General, Chance: .3, Height: 8}
	root := sh.Grow(rand.New(rand.NewPCG(1, 36)))
	g := sh.Game(root)
	for nodes := int64(1); nodes < 400; nodes += 3 {
		r := searchtest.Search(t, searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{}), search.Options{Game: g, Eval: searchtest.SprigEval{}, Nodes: nodes}), g.New())
		if r.Nodes > nodes || int(r.Move) >= len(root.Kids) {
			t.Fatalf("with %d nodes: %+v", nodes, r)
		}
	}
	for _, limit := range []time.Duration{1, time.Microsecond, 100 * time.Microsecond} {
		r := searchtest.Search(t, searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{}), search.Options{Game: g, Eval: searchtest.SprigEval{}, Time: limit}), g.New())
		if int(r.Move) >= len(root.Kids) {
			t.Errorf("within %v: %+v", limit, r)
		}
	}
	// Each root move must be tried, even if the number of simulations is smaller than the number of
	// moves.
	r := searchtest.Search(t, searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 1}), search.Options{Game: g, Eval: searchtest.SprigEval{}}), g.New())
	for _, m := range r.Root {
		if m.Kind != search.Exact {
			t.Errorf("move %d was not tried", m.Move)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 1 << 30}), search.Options{Game: g, Eval: searchtest.SprigEval{}}).Search(cancelled, g.New()); err == nil && r.Move == game.NoMove {
		t.Error("neither a move nor an error")
	}
}

func TestMCTSRefuses(t *testing.T) {
	g := searchtest.Shape{Players: 1}.Game(&searchtest.Sprig{Turn: game.Nobody, Ends: []float64{0}})
	for _, o := range []mcts.Options{{Simulations: -1}, {Exploration: -1}, {Exploration: math.NaN()}, {MaxNodes: -1}} {
		if _, err := searchtest.MctsOf(o)(search.Options{Game: g, Eval: searchtest.SprigEval{}}); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// leaves3 replaces the utilities in a tree with wins, draws and losses.
func leaves3(n *searchtest.Sprig, r *rand.Rand) {
	if n.Turn == game.Nobody {
		v := float64(r.IntN(3) - 1)
		if n.Ends[0] = v; len(n.Ends) > 1 {
			n.Ends[1] = -v
		}
	}
	for p := range n.Eval {
		n.Eval[p] /= 10
	}
	for _, k := range n.Kids {
		leaves3(k, r)
	}
}

// TestMCTSProofs checks that proofs are correct, and that there are proofs for at least nine tenths
// as many positions as are won or lost. It uses the normal and the adversarial world.
func TestMCTSProofs(t *testing.T) {
	for _, sh := range []searchtest.Shape{{Players: 2, Sum: game.Zero, Height: 4}, {Players: 2, Sum: game.Zero, Chance: .3, Height: 4}, {Players: 1, Sum: game.General, Chance: .5, Height: 4}} {
		for _, hostile := range []bool{false, true} {
			proven, wins := 0, 0
			for seed := range uint64(200) {
				r := rand.New(rand.NewPCG(seed, 39))
				root := sh.Grow(r)
				leaves3(root, r)
				g := sh.Game(root)
				g.Min, g.Max = -1, 1
				cfg := search.Options{Eval: searchtest.SprigEval{}, Complete: true}
				want := exactly(root, searchtest.Averages)[0]
				truth := func(n *searchtest.Sprig) float64 { return exactly(n, searchtest.Averages)[0] }
				if cfg.Game = g; hostile {
					h := vectors.Must(game.WithAdversary(g))
					cfg.Game, cfg.Assume.Kind = h, assume.Adversary
					truth = func(n *searchtest.Sprig) float64 { return exactly(n, nil)[0] }
					want = truth(root)
				}
				a := searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 3000}), cfg)
				got := searchtest.Search(t, a, cfg.Game.New())
				if got.Exact {
					proven++
					if !searchtest.Near(got.Values[0], want) || !searchtest.Near(truth(root.Kids[got.Move]), want) {
						t.Fatalf("%+v, hostile %v, seed %d: proven %v by move %d; the truth is %v", sh, hostile, seed, got.Values, got.Move, want)
					}
				}
				if searchtest.Near(math.Abs(want), 1) {
					wins++
				}
				// Check every proof in the tree, not only the one at the root.
				mcts.Visit(a, func(line []game.Move, proof int8) {
					n := root
					for _, m := range line {
						n = n.Kids[m]
					}
					if proof != 0 && !searchtest.Near(truth(n), float64(proof)) {
						t.Fatalf("%+v, hostile %v, seed %d: node %d is proven %d; the truth is %v", sh, hostile, seed, n.ID, proof, truth(n))
					}
				})
			}
			if proven < wins*9/10 || wins < 10 {
				t.Errorf("%+v, hostile %v: %d proven of %d won or lost", sh, hostile, proven, wins)
			}
		}
	}
}

// TestMCTSAgainstAPolicy compares UCT with expectimax under two assumed policies, one of which
// gives some moves probability 0.
func TestMCTSAgainstAPolicy(t *testing.T) {
	seeds := uint64(5)
	if vectors.Long() {
		seeds = 15
	}
	for _, sh := range []searchtest.Shape{{Players: 2, Sum: game.Zero, Chance: .2, Height: 4}, {Players: 1, Sum: game.General, Chance: .5, Height: 4}} {
		for seed := range seeds {
			root := sh.Grow(rand.New(rand.NewPCG(seed, 15)))
			root.Turn = 0
			g := sh.Game(root)
			minimax := searchtest.MustAgent(t, searchtest.MinimaxOf, search.Options{Game: searchtest.HostileGame(t, g), Eval: searchtest.SprigEval{}, Depth: 2})
			ghost := vectors.Must(policy.NewMix([]float64{.8, .2}, []game.Policy{policy.FromAgent(minimax, g), policy.Uniform{}}))
			for name, p := range map[string]game.Policy{"ghost": ghost, "minimax": policy.FromAgent(minimax, g)} {
				cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Assume: assume.Assumption{Kind: assume.Policy, Policy: p}}
				cfg.Depth = 50
				want := searchtest.SearchOnce(t, search.NewExpectimax, cfg, g.New())
				r := searchtest.Search(t, searchtest.MustAgent(t, searchtest.MctsOf(mcts.Options{Simulations: 100000}), cfg), g.New())
				if math.Abs(r.Value-want.Value) > 0.2 || r.Exact && !searchtest.Near(r.Value, want.Value) {
					t.Errorf("%+v, seed %d, %s: %v (exact %v); want %v", sh, seed, name, r.Value, r.Exact, want.Value)
				}
			}
		}
	}
}
