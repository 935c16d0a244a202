package search_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/policy"
)

// brute is the value of s to player 0 by the definitions, asked of nothing but
// the contract of a game: depth decisions ahead, nature by its probabilities,
// uniformly, or as an opponent of For.
func brute(s game.State, eval noise, depth int, nature assume.Nature) float64 {
	switch turn := s.Turn(); {
	case turn == game.Nobody:
		return s.Utility(0)
	case turn >= 0 && depth == 0:
		v, lo, hi := eval.Evaluate(game.Base(s), 0), eval.g.Min, eval.g.Max
		if b, ok := game.As[game.Bounder](s); ok {
			l, h := b.Bounds(0)
			lo, hi = max(lo, l), min(hi, h)
		}
		if _, ok := game.As[game.Scorer](s); ok {
			return max(lo, min(hi, v))
		}
		return game.Inside(v, lo, hi)
	case turn == game.Chance && nature != assume.NatureOpposes:
		sum := 0.0
		moves := s.Moves(nil)
		c, _ := game.As[game.Chancer](s)
		for _, m := range moves {
			p := c.Prob(m)
			if nature == assume.NatureUniform {
				p = 1 / float64(len(moves))
			}
			s.Play(m)
			sum += p * brute(s, eval, depth, nature)
			s.Undo()
		}
		return sum
	}
	chooser, below := s.Turn(), depth-1
	if chooser == game.Chance {
		c, _ := game.As[game.Chancer](s)
		chooser, below = 1-c.For(), depth
	}
	best := math.NaN()
	for _, m := range s.Moves(nil) {
		s.Play(m)
		v := brute(s, eval, below, nature)
		s.Undo()
		if best != best || chooser == 0 && v > best || chooser != 0 && v < best {
			best = v
		}
	}
	return best
}

// TestWorlds holds the planners to the definitions in worlds of every kind.
func TestWorlds(t *testing.T) {
	for _, c := range []struct {
		world, planned string // the world, and what the planner takes it for
		assume         assume.Kind
		depth          int
	}{
		{"tictactoe+slip=.2", "tictactoe+slip=.2", assume.Default, 2},
		{"tictactoe+slip=.2", "tictactoe", assume.Base, 3},
		{"tictactoe+slip=.2", "tictactoe+slip=.2", assume.Uniform, 2},
		{"pig:target=12", "pig:target=12", assume.Default, 3},
		{"pig:target=12", "pig:target=12", assume.World, 3},
		{"pig:target=12+adversary", "pig:target=12", assume.Default, 3},
		{"pig:target=12+adversary", "pig:target=12", assume.World, 2},
		{"2048:size=2+adversary", "2048:size=2", assume.Default, 2},
		{"2048:size=2+adversary", "2048:size=2", assume.World, 2},
		{"2048:size=2", "2048:size=2", assume.Adversary, 2},
		{"2048:size=2+slip=.4", "2048:size=2+slip=.4", assume.Uniform, 2},
	} {
		g, planned := world(t, c.world), world(t, c.planned)
		_, hostile := game.As[*game.Adversary](g.New())
		r := rand.New(rand.NewPCG(8, 8))
		for _, planner := range []struct {
			name   string
			make   func(search.Options) (search.Agent, error)
			nature assume.Nature
		}{{"minimax", searchtest.MinimaxOf, assume.NatureOpposes}, {"alphabeta", searchtest.AlphaBetaOf, assume.NatureOpposes}, {"expectimax", search.NewExpectimax, assume.NatureAverages}} {
			nature := planner.nature
			switch c.assume {
			case assume.Adversary:
				nature = assume.NatureOpposes
			case assume.Uniform:
				nature = assume.NatureUniform
			case assume.World:
				nature = assume.NatureAverages
				if hostile {
					nature = assume.NatureOpposes
				}
			}
			cfg := search.Options{Game: g, Eval: noise{g}, Depth: c.depth, Assume: assume.Assumption{Kind: c.assume}, Complete: true}
			a, err := planner.make(cfg)
			if err != nil {
				t.Fatal(err)
			}
			for range 100 {
				s := wander(g, r, r.IntN(16))
				name := fmt.Sprintf("%s, %s, %d: %s", c.world, planner.name, c.assume, s)
				if slip, ok := s.(*game.Slip); ok && c.assume == assume.Base {
					if _, pending := slip.Intended(); pending {
						continue // the planner sees the move made: below
					}
				}
				res, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				p := parse(t, planned, s.String())
				want := brute(p, noise{g}, c.depth, nature)
				turn := s.Turn()
				if turn >= 0 && p.Turn() == game.Chance {
					// Nature's stand-in is to move: it takes what is best for it.
					best := math.Inf(-1)
					for _, m := range p.Moves(nil) {
						p.Play(m)
						v := brute(p, noise{g}, c.depth, nature)
						p.Undo()
						if turn == 1 {
							v = -v
						}
						best = max(best, v)
					}
					want = best
				} else if turn == 1 {
					want = -want
				}
				if math.Abs(res.Value-want) > 1e-11*math.Max(1, math.Abs(want)) {
					t.Fatalf("%s: value %v, want %v", name, res.Value, want)
				}
				if (turn >= 0) != (res.Move != game.NoMove) || (turn >= 0) != (len(res.Best) > 0) {
					t.Fatalf("%s: turn %d, move %d, best %v", name, turn, res.Move, res.Best)
				}
			}
		}
	}
}

// TestSlipUnseen searches a slip's pending position with a planner that knows of
// no slip: it sees the move made.
func TestSlipUnseen(t *testing.T) {
	g, base := world(t, "tictactoe+slip=.5"), world(t, "tictactoe")
	s := parse(t, g, "X...O.... X")
	s.Play(8)
	before := s.String()
	a, err := searchtest.AlphaBetaOf(search.Options{Game: g, Eval: noise{g}, Depth: 3, Assume: assume.Assumption{Kind: assume.Base}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Search(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, base, "X...O.... X")
	p.Play(8)
	if want := brute(p, noise{g}, 3, assume.NatureOpposes); !searchtest.Near(r.Value, want) || r.Move != game.NoMove {
		t.Errorf("value %v move %d, want %v and none", r.Value, r.Move, want)
	}
	if s.String() != before {
		t.Errorf("left at %s, was %s", s, before)
	}
}

// TestOtherPlayersFollowPolicy: with a policy for the others, their decisions
// are averages, in games of any number of players.
func TestOtherPlayersFollowPolicy(t *testing.T) {
	g := world(t, "tictactoe")
	a, err := search.NewExpectimax(search.Options{Game: g, Eval: noise{g}, Depth: 3, Assume: assume.Assumption{Kind: assume.Policy, Policy: policy.Uniform{}}})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 1))
	for range 50 {
		s := wander(g, r, r.IntN(8))
		me := s.Turn()
		var value func(depth int) float64
		value = func(depth int) float64 {
			turn := s.Turn()
			if turn == game.Nobody {
				return s.Utility(me)
			}
			if depth == 0 {
				return game.Inside(noise{g}.Evaluate(s, me), g.Min, g.Max)
			}
			best, sum := math.Inf(-1), 0.0
			moves := s.Moves(nil)
			for _, m := range moves {
				s.Play(m)
				v := value(depth - 1)
				s.Undo()
				best = max(best, v)
				sum += v / float64(len(moves))
			}
			if turn == me {
				return best
			}
			return sum
		}
		res, err := a.Search(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if want := value(3); math.Abs(res.Value-want) > 1e-12 {
			t.Fatalf("%s: value %v, want %v", s, res.Value, want)
		}
	}
}

// follower is a Tracker that plays along and complains where it was not told
// of a move.
type follower struct {
	noise
	t    *testing.T
	s    game.State
	asks int
}

func (f *follower) Reset(s game.State)             { f.s = s.Clone() }
func (f *follower) Push(s game.State, m game.Move) { f.s.Play(m) }
func (f *follower) Pop()                           { f.s.Undo() }
func (f *follower) Evaluate(s game.State, p game.Player) float64 {
	f.asks++
	if f.s.Hash() != s.Hash() {
		f.t.Fatalf("tracked %s, evaluated %s", f.s, s)
	}
	return f.noise.Evaluate(s, p)
}

func TestTracker(t *testing.T) {
	for _, w := range worlds {
		g := world(t, w.spec)
		f := &follower{noise: noise{g}, t: t}
		r := rand.New(rand.NewPCG(4, 4))
		for _, v := range append(adversarial[:5:5], averaging[:9]...) {
			tracked := v.agent(t, search.Options{Game: g, Eval: f, Depth: min(2, w.depth), Table: 1, Complete: true})
			plain := v.agent(t, search.Options{Game: g, Eval: noise{g}, Depth: min(2, w.depth), Table: 1, Complete: true})
			for range 5 {
				s := wander(g, r, r.IntN(20))
				if w.spec == "tree" {
					s = parse(t, g, grow(r, 5, true))
				}
				a, err := tracked.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				b, err := plain.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				if a.Value != b.Value || a.Nodes != b.Nodes {
					t.Fatalf("%s %s %s: %v in %d nodes, untracked %v in %d", w.spec, v.name, s, a.Value, a.Nodes, b.Value, b.Nodes)
				}
			}
		}
		if f.asks == 0 {
			t.Errorf("%s: the tracker was never asked", w.spec)
		}
	}
}

// TestInexact: a cut by probability or a sample says that it is inexact, and a
// sample depends on the seed alone.
func TestInexact(t *testing.T) {
	g := world(t, "pig:target=10")
	s := g.New()
	for name, tweak := range map[string]func(*search.Options){
		"minprob": func(c *search.Options) { c.MinProb = .01 },
		"samples": func(c *search.Options) { c.Samples = 2 },
	} {
		for _, table := range []int{-1, 1} {
			c := search.Options{Game: g, Eval: search.Zero(g), Depth: 4, Table: table}
			tweak(&c)
			a, err := search.NewExpectimax(c)
			if err != nil {
				t.Fatal(err)
			}
			value := func(seed uint64) float64 {
				a.Begin(seed)
				r, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				if r.Exact {
					t.Errorf("%s: said to be exact", name)
				}
				return r.Value
			}
			if x, y := value(5), value(5); x != y {
				t.Errorf("%s: %v, then %v with the same seed", name, x, y)
			}
		}
	}
}

// TestAfterstateNodes: OpenSpiel's expectiminimax visits as many nodes of pig.
func TestAfterstateNodes(t *testing.T) {
	g := world(t, "pig")
	a, err := search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: 6, Prune: search.NoPrune, Table: -1, Leaf: models.Afterstate})
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Search(context.Background(), g.New())
	if err != nil || r.Nodes != 56023 {
		t.Errorf("%d nodes, %v; want 56023", r.Nodes, err)
	}
}
