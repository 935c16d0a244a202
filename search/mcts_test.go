package search

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"plyfit/game"
	rules2048 "plyfit/game/2048"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/pig"
)

// decided reports whether every decision of a tree is: the best move is better than
// the next by a margin. UCT takes C^2 ln(N)/gap^2 visits to tell two moves
// apart, and where they belong to somebody else the choice decides everything.
func decided(n *sprig) bool {
	best, next := math.Inf(-1), math.Inf(-1)
	for _, k := range n.kids {
		if !decided(k) {
			return false
		}
		if n.turn >= 0 {
			v := bruteMaxN(k, 100)[n.turn]
			best, next = max(best, v), max(next, min(best, v))
		}
	}
	return n.turn < 0 || best-next > 0.8
}

// TestMCTSConverges holds UCT against the exact values of whole trees: minimax
// and expectimax of one and two, max^n of three.
func TestMCTSConverges(t *testing.T) {
	for _, sh := range []sprigShape{
		{2, game.Zero, 0, false, 4}, {2, game.Zero, .4, false, 4}, {1, game.General, .5, false, 4},
		{3, game.General, 0, false, 4}, {3, game.General, .3, false, 4},
	} {
		found := 0
		for seed := uint64(0); found < 15; seed++ {
			root := sh.grow(rand.New(rand.NewPCG(seed, 31)))
			if len(root.kids) < 2 || !decided(root) {
				continue
			}
			found++
			g := sh.game(root)
			want := bruteMaxN(root, 100)
			r := searchOnce(t, made(t, mctsOf, settings{Game: g, Eval: sprigEval{}, MCTS: MCTS{Simulations: 50000}}), g.New())
			// Values lie in a range of about 8: the mean of 50,000 draws of them
			// strays by some 0.03, and exploration takes its share.
			for p, v := range r.Values {
				if math.Abs(v-want[p]) > 0.12 {
					t.Errorf("%+v, seed %d: %v; want %v", sh, seed, r.Values, want)
					break
				}
			}
			if v := bruteMaxN(root.kids[r.Move], 100)[root.turn]; v != want[root.turn] {
				t.Errorf("%+v, seed %d: move %d is worth %v, the best %v", sh, seed, r.Move, v, want[root.turn])
			}
			if r.Exact && !allNear(r.Values, want) || r.Value != r.Values[root.turn] || len(r.Root) != len(root.kids) || r.Depth < 1 || r.PV[0] != r.Move {
				t.Errorf("%+v, seed %d: %+v", sh, seed, r)
			}
		}
	}
}

// TestMCTSInAHostileWorld: nature's nodes are decisions of the opponent, at the
// root and below.
func TestMCTSInAHostileWorld(t *testing.T) {
	for seed := range uint64(15) {
		sh := sprigShape{1, game.General, .6, false, 4}
		root := sh.grow(rand.New(rand.NewPCG(seed, 32)))
		g, err := game.WithAdversary(sh.game(root))
		if err != nil {
			t.Fatal(err)
		}
		cfg := settings{Game: g, Eval: sprigEval{}, MCTS: MCTS{Simulations: 40000}, Assume: Assume{Kind: AssumeAdversary}}
		s := g.New()
		if r := searchOnce(t, made(t, mctsOf, cfg), s); math.Abs(r.Values[0]-bruteHostile(root, 100)) > 0.15 || r.Values[1] != -r.Values[0] {
			t.Errorf("seed %d: %v; want %v", seed, r.Values, bruteHostile(root, 100))
		}
		for i, k := range root.kids {
			if k.turn != game.Chance {
				continue
			}
			s.Play(game.Move(i))
			r := searchOnce(t, made(t, mctsOf, cfg), s)
			s.Undo()
			if want := -bruteHostile(k, 100); math.Abs(r.Value-want) > 0.15 || -bruteHostile(k.kids[r.Move], 100) < want-0.15 {
				t.Errorf("seed %d: nature's opponent found %v by move %d; want %v", seed, r.Value, r.Move, want)
			}
		}
	}
}

// TestMCTSInASlipperyWorld holds it against expectimax there.
func TestMCTSInASlipperyWorld(t *testing.T) {
	for seed := range uint64(10) {
		sh := sprigShape{2, game.Zero, .2, false, 4}
		g, err := game.WithSlip(sh.game(sh.grow(rand.New(rand.NewPCG(seed, 33)))), .25)
		if err != nil {
			t.Fatal(err)
		}
		want := searchOnce(t, made(t, expectimaxOf, settings{Game: g, Eval: sprigEval{}, Depth: 50}), g.New())
		r := searchOnce(t, made(t, mctsOf, settings{Game: g, Eval: sprigEval{}, MCTS: MCTS{Simulations: 40000}}), g.New())
		if math.Abs(r.Value-want.Value) > 0.2 {
			t.Errorf("seed %d: %v; want %v", seed, r.Value, want.Value)
		}
	}
}

// bruteRollout is what everybody gets when all moves are drawn uniformly.
func bruteRollout(n *sprig, decisions int) []float64 {
	switch {
	case n.turn == game.Nobody:
		return n.ends
	case n.turn >= 0 && decisions == 0:
		return n.eval
	case n.turn >= 0:
		decisions--
	}
	v := make([]float64, len(n.eval))
	for i, k := range n.kids {
		q := 1 / float64(len(n.kids))
		if n.turn == game.Chance {
			q = n.probs[i]
		}
		for p, x := range bruteRollout(k, decisions) {
			v[p] += q * x
		}
	}
	return v
}

// TestRollouts lets no tree grow below the root, so that a move's value is the
// mean of its rollouts.
func TestRollouts(t *testing.T) {
	for _, depth := range []int{0, 2} {
		horizon := depth
		if depth == 0 {
			horizon = 100
		}
		for seed := range uint64(10) {
			sh := sprigShape{3, game.General, .3, false, 5}
			root := sh.grow(rand.New(rand.NewPCG(seed, 34)))
			g := sh.game(root)
			cfg := settings{Game: g, Eval: sprigEval{}, MCTS: MCTS{Simulations: 30000, Rollout: Uniform{}, RolloutDepth: depth, MaxNodes: 1, Exploration: 100}}
			a := made(t, mctsOf, cfg)
			r := searchOnce(t, a, g.New())
			for i, k := range root.kids {
				want := bruteRollout(k, horizon)[root.turn]
				if m := r.Root[i]; math.Abs(m.Value-want) > 0.15 {
					t.Errorf("seed %d, rollouts of %d: %v; want %v", seed, depth, m, want)
				}
			}
			if n := len(a.(*mcts).tree.store); n != 1+len(root.kids) {
				t.Errorf("seed %d: %d nodes in memory", seed, n)
			}
		}
	}
}

func TestMCTSIsDeterministicAndBounded(t *testing.T) {
	sh := sprigShape{2, game.Zero, .3, false, 8}
	g := sh.game(sh.grow(rand.New(rand.NewPCG(1, 35))))
	for name, o := range map[string]MCTS{"evaluation": {Simulations: 3000}, "rollouts": {Simulations: 3000, Rollout: Uniform{}}, "small": {Simulations: 3000, MaxNodes: 50}} {
		cfg := settings{Game: g, Eval: sprigEval{}, Ties: Random, Complete: true, MCTS: o}
		run := func(a Agent, seed uint64) Result {
			a.Begin(seed)
			r, err := a.Search(context.Background(), g.New())
			if err != nil {
				t.Fatal(err)
			}
			r.Elapsed = 0
			return r
		}
		used := made(t, mctsOf, cfg)
		first := run(used, 1)
		if other := run(used, 2); reflect.DeepEqual(first.Root, other.Root) {
			t.Errorf("%s: two seeds, one search", name)
		}
		for what, a := range map[string]Agent{"used": used, "new": made(t, mctsOf, cfg)} {
			if again := run(a, 1); !reflect.DeepEqual(first, again) {
				t.Errorf("%s: %+v, then by a %s agent %+v", name, first, what, again)
			}
		}
		if n := len(used.(*mcts).tree.store); o.MaxNodes > 0 && n > o.MaxNodes {
			t.Errorf("%d nodes in memory; want at most %d", n, o.MaxNodes)
		}
	}
}

// TestMCTSLimits stops it everywhere, and asks for a legal move every time.
func TestMCTSLimits(t *testing.T) {
	sh := sprigShape{3, game.General, .3, false, 8}
	root := sh.grow(rand.New(rand.NewPCG(1, 36)))
	g := sh.game(root)
	for nodes := int64(1); nodes < 400; nodes += 3 {
		r := searchOnce(t, made(t, mctsOf, settings{Game: g, Eval: sprigEval{}, Nodes: nodes}), g.New())
		if r.Nodes > nodes || int(r.Move) >= len(root.kids) {
			t.Fatalf("with %d nodes: %+v", nodes, r)
		}
	}
	for _, limit := range []time.Duration{1, time.Microsecond, 100 * time.Microsecond} {
		r := searchOnce(t, made(t, mctsOf, settings{Game: g, Eval: sprigEval{}, Time: limit}), g.New())
		if int(r.Move) >= len(root.kids) {
			t.Errorf("within %v: %+v", limit, r)
		}
	}
	// Fewer simulations than moves: each root move is tried all the same.
	r := searchOnce(t, made(t, mctsOf, settings{Game: g, Eval: sprigEval{}, MCTS: MCTS{Simulations: 1}}), g.New())
	for _, m := range r.Root {
		if m.Kind != Exact {
			t.Errorf("move %d was not tried", m.Move)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := made(t, mctsOf, settings{Game: g, Eval: sprigEval{}, MCTS: MCTS{Simulations: 1 << 30}}).Search(cancelled, g.New()); err == nil && r.Move == game.NoMove {
		t.Error("neither a move nor an error")
	}
}

func TestMCTSRefuses(t *testing.T) {
	g := sprigShape{players: 1}.game(&sprig{turn: game.Nobody, ends: []float64{0}})
	for _, o := range []MCTS{{Simulations: -1}, {Exploration: -1}, {Exploration: math.NaN()}, {RolloutDepth: -1}, {MaxNodes: -1}} {
		if _, err := mctsOf(settings{Game: g, Eval: sprigEval{}, MCTS: o}); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// TestNothingIsAllocatedPerNode compares a short search with a long one.
func TestNothingIsAllocatedPerNode(t *testing.T) {
	sh := sprigShape{3, game.Zero, .3, false, 8}
	g := sh.game(sh.grow(rand.New(rand.NewPCG(3, 37))))
	short := settings{Game: g, Eval: sprigEval{}, Depth: 1, MCTS: MCTS{Simulations: 100000, Exploration: 1}}
	long := settings{Game: g, Eval: sprigEval{}, Depth: 6, MCTS: MCTS{Simulations: 100000, Exploration: 1}}
	for name, make := range map[string]func(settings) (Agent, error){"maxn": maxNOf, "paranoid": paranoidOf, "mcts": mctsOf} {
		count := func(c settings) (nodes int64, allocations float64) {
			a, s := made(t, make, c), g.New()
			run := func() {
				r, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				nodes = r.Nodes
			}
			for range 3 {
				run()
			}
			return nodes, testing.AllocsPerRun(5, run)
		}
		few, little := count(short)
		many, much := count(long)
		if much > little+8 { // a longer line is written to the result
			t.Errorf("%s: %v allocations in %d nodes, %v in %d", name, little, few, much, many)
		}
	}
}

// BenchmarkMany is the speed of a node of each search with many values: three
// players' pig, connect four and 2048, by the evaluation that knows
// nothing.
func BenchmarkMany(b *testing.B) {
	type rules func(*game.Options) (*game.Game, error)
	for _, c := range []struct {
		name  string
		rules rules
		spec  string
		make  func(settings) (Agent, error)
		depth int
	}{
		{"maxn/pig", pig.New, "pig:players=3", maxNOf, 5},
		{"maxn/connect4", connect4.New, "connect4", maxNOf, 6},
		{"paranoid/pig", pig.New, "pig:players=3", paranoidOf, 5},
		{"paranoid/connect4", connect4.New, "connect4", paranoidOf, 8},
		{"mcts/connect4", connect4.New, "connect4", mctsOf, 0},
		{"mcts/2048", rules2048.New, "2048", mctsOf, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := gametest.New(b, c.rules, c.spec)
			a, err := c.make(settings{Game: g, Eval: Zero(g), Depth: c.depth, MCTS: MCTS{Simulations: 20000}})
			if err != nil {
				b.Fatal(err)
			}
			s := g.New()
			for s.Turn() == game.Chance {
				s.Play(s.Moves(nil)[0])
			}
			nodes := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				r, err := a.Search(context.Background(), s)
				if err != nil {
					b.Fatal(err)
				}
				nodes += r.Nodes
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}

// leaves3 makes the ends of a tree wins, draws and losses.
func leaves3(n *sprig, r *rand.Rand) {
	if n.turn == game.Nobody {
		v := float64(r.IntN(3) - 1)
		if n.ends[0] = v; len(n.ends) > 1 {
			n.ends[1] = -v
		}
	}
	for p := range n.eval {
		n.eval[p] /= 10
	}
	for _, k := range n.kids {
		leaves3(k, r)
	}
}

// TestMCTSProofs asks that what is proven be true, and that wins and losses
// are proven; in the world as it is and in a hostile one.
func TestMCTSProofs(t *testing.T) {
	for _, sh := range []sprigShape{{2, game.Zero, 0, false, 4}, {2, game.Zero, .3, false, 4}, {1, game.General, .5, false, 4}} {
		for _, hostile := range []bool{false, true} {
			proven, wins := 0, 0
			for seed := range uint64(200) {
				r := rand.New(rand.NewPCG(seed, 39))
				root := sh.grow(r)
				leaves3(root, r)
				g := sh.game(root)
				g.Min, g.Max = -1, 1
				cfg := settings{Eval: sprigEval{}, MCTS: MCTS{Simulations: 3000}, Complete: true}
				want := bruteMaxN(root, 100)[0]
				truth := func(n *sprig) float64 { return bruteMaxN(n, 100)[0] }
				if cfg.Game = g; hostile {
					h, err := game.WithAdversary(g)
					if err != nil {
						t.Fatal(err)
					}
					cfg.Game, cfg.Assume.Kind = h, AssumeAdversary
					truth = func(n *sprig) float64 { return bruteHostile(n, 100) }
					want = truth(root)
				}
				a := made(t, mctsOf, cfg)
				got := searchOnce(t, a, cfg.Game.New())
				if got.Exact {
					proven++
					if !near(got.Values[0], want) || !near(truth(root.kids[got.Move]), want) {
						t.Fatalf("%+v, hostile %v, seed %d: proven %v by move %d; the truth is %v", sh, hostile, seed, got.Values, got.Move, want)
					}
				}
				if near(math.Abs(want), 1) {
					wins++
				}
				// Every proof in memory, not the root's alone.
				tree := &a.(*mcts).tree
				var walk func(n *sprig, at int32)
				walk = func(n *sprig, at int32) {
					node := tree.store[at]
					if node.proof != 0 && !near(truth(n), float64(node.proof)) {
						t.Fatalf("%+v, hostile %v, seed %d: node %d is proven %d; the truth is %v", sh, hostile, seed, n.id, node.proof, truth(n))
					}
					for c := node.first; c < node.first+node.count; c++ {
						walk(n.kids[tree.store[c].move], c)
					}
				}
				walk(root, 0)
			}
			if proven < wins*9/10 || wins < 10 {
				t.Errorf("%+v, hostile %v: %d proven of %d won or lost", sh, hostile, proven, wins)
			}
		}
	}
}
