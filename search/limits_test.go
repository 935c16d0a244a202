package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/mcts"
)

func TestConfigErrors(t *testing.T) {
	c4, pig3 := world(t, "connect4"), world(t, "pig:players=3")
	guess := func(change func(o *search.Options)) search.Options {
		o := search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Prune: search.Selective}
		change(&o)
		return o
	}
	for _, c := range []struct {
		make func(search.Options) (search.Agent, error)
		cfg  search.Options
		want string
	}{
		{searchtest.AlphaBetaOf, search.Options{Eval: search.Zero(c4), Depth: 1}, "no game"},
		{searchtest.AlphaBetaOf, search.Options{Game: c4, Depth: 1}, "no evaluation"},
		{searchtest.AlphaBetaOf, search.Options{Game: c4, Eval: search.Zero(c4)}, "no limit"},
		{searchtest.MinimaxOf, search.Options{Game: c4, Eval: search.Zero(c4), Depth: -1}, "depth=-1"},
		{searchtest.MinimaxOf, search.Options{Game: c4, Eval: search.Zero(c4), Nodes: -1}, "nodes=-1"},
		{searchtest.MinimaxOf, search.Options{Game: c4, Eval: search.Zero(c4), Time: -1}, "time="},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Leaf: "leaf"}, "leaf=leaf"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Threads: -2}, "threads=-2"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Threads: 2, Observer: &leaves{}}, "single thread"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Threads: 2, Table: -1}, "need a table"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: noise{c4}, Depth: 1, Threads: 2}, "forked"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, MinProb: math.NaN()}, "probability"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Samples: -1}, "samples"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Assume: assume.Assumption{Kind: assume.Policy}}, "no policy"},
		{searchtest.AlphaBetaOf, search.Options{Game: pig3, Eval: search.Zero(pig3), Depth: 1}, "3 players"},
		{search.NewAlphaBeta, guess(func(o *search.Options) { o.Table = -1 }), "want a table"},
		{search.NewAlphaBeta, guess(func(o *search.Options) { o.Order = search.Natural }), "want order=auto"},
		{search.NewAlphaBeta, guess(func(o *search.Options) { o.Observer = &leaves{} }), "an observer"},
		{search.NewAlphaBeta, guess(func(o *search.Options) { o.Prune = search.Star1 }), "no such pruning"},
		{search.NewExpectimax, guess(func(*search.Options) {}), "no such pruning"},
	} {
		if _, err := c.make(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one of %q", err, c.want)
		}
	}
	// The tree itself specifies its number of players.
	g := world(t, "tree")
	a := searchtest.MustAgent(t, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 9})
	if _, err := a.Search(context.Background(), vectors.Must(g.Parse("(p0 <1,2,3> (p2 <3,2,1> <0,0,0>))"))); err == nil {
		t.Error("three players were searched with one number")
	}
}

// stoppable lists some of the searches that limits can stop.
var stoppable = slices.Concat(adversarial[:5], averaging[:1], averaging[2:3], averaging[6:7], selfish[:2])

// TestStopped checks that a stopped search returns a legal move and restores the position.
func TestStopped(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, w := range worlds {
		if w.spec == "tree" {
			continue
		}
		g := world(t, w.spec)
		for _, v := range stoppable {
			for _, c := range []search.Options{{Nodes: 1}, {Nodes: 2}, {Nodes: 10}, {Nodes: 1000}, {Time: time.Nanosecond}, {Time: time.Millisecond}, {Nodes: 500, Depth: 2}} {
				c.Game, c.Eval, c.Table, c.Ties, c.Complete = g, noise{g}, 1, search.Random, true
				a := v.agent(t, c)
				s := wander(g, r, r.IntN(20))
				before := s.String()
				res := searchtest.Search(t, a, s)
				if s.String() != before {
					t.Fatalf("%s: left at %s, was %s", v.name, s, before)
				}
				if s.Turn() >= 0 && !slices.Contains(s.Moves(nil), res.Move) {
					t.Errorf("%s %s: stopped without a legal move", v.name, s)
				}
				if c.Nodes > 0 && res.Nodes > c.Nodes+200 {
					t.Errorf("%s %s: %d nodes, at most %d allowed", v.name, s, res.Nodes, c.Nodes)
				}
				if res.Depth > 0 && math.IsInf(res.Value, 0) {
					t.Errorf("%s %s: value %v", v.name, s, res.Value)
				}
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	g := world(t, "othello")
	for i, v := range stoppable {
		a := v.agent(t, search.Options{Game: g, Eval: noise{g}, Depth: 40, Table: 1})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s := g.New()
		res, err := a.Search(ctx, s)
		if res.Depth == 0 && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v of a search that was stopped before it had anything", v.name, err)
		}
		if i >= len(stoppable)-2 {
			continue // searches for any number of players may return only an error
		}
		if !slices.Contains(s.Moves(nil), res.Move) {
			t.Errorf("%s: no legal move", v.name)
		}
		ctx, cancel = context.WithTimeout(context.Background(), 5*time.Millisecond)
		res, _ = a.Search(ctx, s)
		cancel()
		if !slices.Contains(s.Moves(nil), res.Move) {
			t.Errorf("%s: no legal move after a while", v.name)
		}
	}
}

// TestRandomTies checks that each of the equally good moves is played for some seed, and that the
// seed determines which.
func TestRandomTies(t *testing.T) {
	g := world(t, "tictactoe")
	for _, c := range []struct {
		at       string
		best     []game.Move
		variants []variant
	}{
		{".......OX X", []game.Move{2, 4, 5}, adversarial[:5]},
		{"X.XO..OOX X", []game.Move{1, 4, 5}, slices.Concat(adversarial[:5], selfish)}, // each of them wins immediately
	} {
		for _, v := range c.variants {
			a := v.agent(t, search.Options{Game: g, Eval: search.Zero(g), Depth: 9, Ties: search.Random, Table: 1})
			seen := map[game.Move]int{}
			s := vectors.Must(g.Parse(c.at))
			for seed := range uint64(60) {
				one := searchtest.Seeded(t, a, seed, s)
				if two := searchtest.Seeded(t, a, seed, s); two.Move != one.Move {
					t.Errorf("%s: seed %d chose %d, then %d", v.name, seed, one.Move, two.Move)
				}
				if len(one.Best) != 0 {
					t.Errorf("%s: best moves without being asked", v.name)
				}
				seen[one.Move]++
			}
			if len(seen) != 3 || min(seen[c.best[0]], seen[c.best[1]], seen[c.best[2]]) < 5 {
				t.Errorf("%s at %s: played %v, want %v about as often", v.name, c.at, seen, c.best)
			}
		}
	}
}

// TestNothingIsAllocatedPerNode compares the allocations of a short search and of a long one.
func TestNothingIsAllocatedPerNode(t *testing.T) {
	sh := searchtest.Shape{Players: 3, Sum: game.Zero, Chance: .3, Height: 8}
	g := sh.Game(sh.Grow(rand.New(rand.NewPCG(3, 37))))
	short := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 1}
	long := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 6}
	for name, make := range map[string]func(search.Options) (search.Agent, error){"maxn": searchtest.MaxNOf, "paranoid": searchtest.ParanoidOf, "mcts": searchtest.MctsOf(mcts.Options{Simulations: 100000, Exploration: 1})} {
		count := func(c search.Options) (nodes int64, allocations float64) {
			a, s := searchtest.MustAgent(t, make, c), g.New()
			run := func() {
				r := vectors.Must(a.Search(context.Background(), s))
				nodes = r.Nodes
			}
			for range 3 {
				run()
			}
			return nodes, testing.AllocsPerRun(5, run)
		}
		few, little := count(short)
		many, much := count(long)
		if much > little+8 { // the longer search may write a longer line to its result
			t.Errorf("%s: %v allocations in %d nodes, %v in %d", name, little, few, much, many)
		}
	}
}

// nowhere is an evaluation that always returns NaN.
type nowhere struct{}

func (nowhere) Evaluate(game.State, game.Player) float64 { return math.NaN() }

// TestEvaluationIsNaN checks that three planners report an error if the evaluation returns NaN.
func TestEvaluationIsNaN(t *testing.T) {
	root := &searchtest.Sprig{ID: 1, Eval: []float64{0}}
	for i := range 2 {
		end := &searchtest.Sprig{ID: 4 + i, Turn: game.Nobody, Ends: []float64{0}}
		root.Kids = append(root.Kids, &searchtest.Sprig{ID: 2 + i, Eval: []float64{0}, Kids: []*searchtest.Sprig{end}})
	}
	g := searchtest.Shape{Players: 1, Sum: game.General}.Game(root)
	for name, make := range map[string]func(search.Options) (search.Agent, error){"minimax": searchtest.MinimaxOf, "alphabeta": searchtest.AlphaBetaOf, "expectimax": search.NewExpectimax} {
		a := searchtest.MustAgent(t, make, search.Options{Game: g, Depth: 1, Eval: nowhere{}})
		r, err := a.Search(context.Background(), g.New())
		if err == nil || !strings.HasPrefix(err.Error(), name+": the evaluation is NaN within 1 decisions of ") {
			t.Errorf("%s: %+v, error %v", name, r, err)
		}
	}
}

// TestOrderBeyondTheBound checks that the move to the position with the highest evaluation is
// played even if several evaluations exceed the upper bound 1.
func TestOrderBeyondTheBound(t *testing.T) {
	tree := &searchtest.Sprig{Turn: 0}
	for i, v := range []float64{1.2, .7, 2.5, 1.9} {
		next := &searchtest.Sprig{ID: 10 + i, Turn: 1, Eval: []float64{v, -v}}
		for k, u := range []float64{1, -1} {
			next.Kids = append(next.Kids, &searchtest.Sprig{ID: 20 + 2*i + k, Turn: game.Nobody, Ends: []float64{u, -u}})
		}
		tree.Kids = append(tree.Kids, next)
	}
	tree.Eval = []float64{0, 0}
	g := &game.Game{Name: "sprig", Spec: "sprig", Players: 2, Sum: game.Zero, Min: -1, Max: 1, MaxPlies: 9,
		New: func() game.State { return &searchtest.SprigState{Line: []*searchtest.Sprig{tree}} }}
	for _, ties := range []search.Ties{search.First, search.Random} {
		for name, a := range everySearch(t, search.Options{Game: g, Eval: searchtest.SprigEval{}, Fork: func() search.Evaluator { return searchtest.SprigEval{} }, Depth: 1, Ties: ties}) {
			if name == "mcts" {
				continue // the agent searches to the end of the game
			}
			r := searchtest.Search(t, a, g.New())
			if r.Move != 2 || r.Exact || math.Abs(r.Value-1) > 1e-9 || r.Value >= 1 {
				t.Errorf("%s: move %d, value %v, exact %v; want move 2 and a value just below 1", name, r.Move, r.Value, r.Exact)
			}
		}
	}
}

// everySearch returns agents of many kinds, most of which search c.Depth decisions deep.
func everySearch(t testing.TB, c search.Options) map[string]search.Agent {
	t.Helper()
	agents := map[string]search.Agent{}
	add := func(name string, make func(search.Options) (search.Agent, error), change func(*search.Options)) {
		c := c
		if change != nil {
			change(&c)
		}
		a := searchtest.MustAgent(t, make, c)
		a.Begin(3)
		agents[name] = a
	}
	opposed := assume.Chance // every search assumes the same model of nature
	add("greedy", searchtest.GreedyOf, nil)
	add("minimax", searchtest.MinimaxOf, func(c *search.Options) { c.Assume.Kind = opposed })
	add("textbook", searchtest.AlphaBetaOf, func(c *search.Options) { c.Assume.Kind, c.Order, c.Table = opposed, search.Natural, -1 })
	add("alphabeta", searchtest.AlphaBetaOf, func(c *search.Options) { c.Assume.Kind = opposed })
	if c.Fork != nil {
		add("alphabeta, threads", searchtest.AlphaBetaOf, func(c *search.Options) { c.Assume.Kind, c.Threads = opposed, 2 })
	}
	add("alphabeta, selective", search.NewAlphaBeta, func(c *search.Options) {
		c.Assume.Kind, c.Prune = opposed, search.Selective
	})
	add("alphabeta, no table", searchtest.AlphaBetaOf, func(c *search.Options) { c.Assume.Kind, c.Table = opposed, -1 })
	add("alphabeta, deepening", searchtest.AlphaBetaOf, func(c *search.Options) { c.Assume.Kind, c.Nodes = opposed, 1<<40 })
	for i, prune := range []search.Prune{search.PruneDefault, search.NoPrune, search.Star1, search.Star2} {
		add(fmt.Sprintf("expectimax %d", i), search.NewExpectimax, func(c *search.Options) { c.Prune = prune })
	}
	add("expectimax, plain", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table = search.NoPrune, -1 })
	add("maxn", searchtest.MaxNOf, nil)
	add("maxn, deepening", searchtest.MaxNOf, func(c *search.Options) { c.Nodes = 1 << 40 })
	add("paranoid", searchtest.ParanoidOf, nil)
	add("mcts", searchtest.MctsOf(mcts.Options{Simulations: 400}), nil)
	return agents
}

// TestNoNegativeZero checks that the values of results contain no -0, in positions whose values are
// negated during the search. Results are written to data sets.
func TestNoNegativeZero(t *testing.T) {
	for _, c := range []struct{ spec, position string }{
		{"tree", "(max (min 0 1) (min 0 2))"}, {"tree", "(min (max 0 -1) (max 0 -2))"},
		{"tree", "(max (min (chance 1/2 0 1/2 0) 1) (min 0 2))"}, {"tree", "(min (chance 1/2 (max 0 -1) 1/2 0) 3)"},
		{"connect4:dice=on", "21111112222233334533444445655556666677 die 3"},
	} {
		g := world(t, c.spec)
		s := vectors.Must(g.Parse(c.position))
		for name, a := range everySearch(t, search.Options{Game: g, Eval: search.Zero(g), Depth: 2, Complete: true}) {
			r := searchtest.Search(t, a, s)
			all := append([]float64{r.Value}, r.Values...)
			for _, m := range r.Root {
				all = append(all, m.Value)
			}
			for _, v := range all {
				if v == 0 && math.Signbit(v) {
					t.Errorf("%s at %s: -0 in %v %v %v", name, c.position, r.Value, r.Values, r.Root)
					break
				}
			}
		}
	}
}
