package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
)

var sprigShapes = []searchtest.Shape{
	{Players: 2, Sum: game.Zero, Height: 6}, {Players: 2, Sum: game.Zero, Chance: .3, Height: 6}, {Players: 2, Sum: game.Zero, Chance: .3, Whole: true, Height: 6},
	{Players: 3, Sum: game.Zero, Whole: true, Height: 6}, {Players: 3, Sum: game.Zero, Chance: .2, Height: 6}, {Players: 3, Sum: game.Constant, Whole: true, Height: 6},
	{Players: 4, Sum: game.Constant, Chance: .1, Height: 6}, {Players: 3, Sum: game.General, Chance: .2, Height: 6}, {Players: 1, Sum: game.General, Chance: .5, Height: 6},
}

// A variant is a search configuration that must not change any value.
type variant struct {
	name  string
	make  func(search.Options) (search.Agent, error)
	tweak func(*search.Options)
}

func (v variant) agent(t testing.TB, c search.Options) search.Agent {
	t.Helper()
	if v.tweak != nil {
		v.tweak(&c)
	}
	return searchtest.MustAgent(t, v.make, c)
}

var adversarial = []variant{
	{"minimax", searchtest.MinimaxOf, nil},
	{"textbook", searchtest.AlphaBetaOf, func(c *search.Options) { c.Order, c.Table = search.Natural, -1 }},
	{"alphabeta", searchtest.AlphaBetaOf, nil},
	{"alphabeta, no table", searchtest.AlphaBetaOf, func(c *search.Options) { c.Table = -1 }},
	{"alphabeta, natural order", searchtest.AlphaBetaOf, func(c *search.Options) { c.Order = search.Natural }},
	{"alphabeta, two threads", searchtest.AlphaBetaOf, func(c *search.Options) { c.Threads, c.Table = 2, 1 }},
}

var averaging = []variant{
	{"plain", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table = search.NoPrune, -1 }},
	{"plain, table", search.NewExpectimax, func(c *search.Options) { c.Prune = search.NoPrune }},
	{"plain, table, natural", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Order = search.NoPrune, search.Natural }},
	{"expectimax", search.NewExpectimax, nil},
	{"star1", search.NewExpectimax, func(c *search.Options) { c.Prune = search.Star1 }},
	{"star1, no table", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table = search.Star1, -1 }},
	{"star1, natural, no table", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table, c.Order = search.Star1, -1, search.Natural }},
	{"star2", search.NewExpectimax, func(c *search.Options) { c.Prune = search.Star2 }},
	{"star2, no table", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table = search.Star2, -1 }},
	{"star2, natural, no table", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table, c.Order = search.Star2, -1, search.Natural }},
	{"star2, two threads", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Threads, c.Table = search.Star2, 2, 1 }},
}

// selfish lists three searches that support any number of players.
var selfish = []variant{{"maxn", searchtest.MaxNOf, nil}, {"paranoid", searchtest.ParanoidOf, nil}, {"greedy", searchtest.GreedyOf, nil}}

// bounded is a position that knows exact bounds on the utilities below it.
type bounded struct{ *searchtest.SprigState }

func (s bounded) Clone() game.State { return bounded{s.At().State()} }
func (s bounded) Bounds(p game.Player) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	var walk func(n *searchtest.Sprig)
	walk = func(n *searchtest.Sprig) {
		if n.Ends != nil {
			lo, hi = min(lo, n.Ends[p]), max(hi, n.Ends[p])
		}
		for _, k := range n.Kids {
			walk(k)
		}
	}
	walk(s.At())
	return lo, hi
}

// TestDefinitions compares the results of the variants above on random trees with their
// definitions. It checks values, root moves and lists of best moves, with and without pruning. It
// also checks that the pruning of max^n and paranoid saves nodes.
func TestDefinitions(t *testing.T) {
	for _, sh := range sprigShapes {
		t.Run(fmt.Sprintf("%+v", sh), func(t *testing.T) {
			t.Parallel()
			saved := map[string]int64{}
			for seed := range uint64(24) {
				root := sh.Grow(rand.New(rand.NewPCG(seed, 1)))
				g := sh.Game(root)
				s := g.New()
				if len(root.Kids) > 0 && root.Kids[0].Turn == game.Chance && seed%4 == 0 {
					s = root.Kids[0].State()
				}
				if seed%2 == 1 && sh.Players == 2 {
					s = bounded{s.(*searchtest.SprigState)}
				}
				for _, depth := range []int{1, 2, 3, 99} {
					for _, leaf := range []models.Leaves{models.Decision, models.Afterstate} {
						c := search.Options{Game: g, Eval: searchtest.SprigEval{}, Fork: func() search.Evaluator { return searchtest.SprigEval{} }, Depth: depth, Leaf: leaf, Table: 1}
						checkAll(t, sh, c, s, saved)
						if t.Failed() {
							t.Fatalf("seed %d, depth %d, leaf %s, at %s", seed, depth, leaf, s)
						}
					}
				}
			}
			for name, nodes := range saved {
				if nodes <= 0 && sh.Players > 1 && (sh.Sum != game.General || name == "paranoid") {
					t.Errorf("%s: pruning saved %d nodes", name, nodes)
				}
			}
		})
	}
}

// checkAll compares the variants that support games of the shape sh with their definitions at s.
func checkAll(t *testing.T, sh searchtest.Shape, c search.Options, s game.State, saved map[string]int64) {
	kinds := map[assume.Kind]func(game.State, []game.Move) []float64{assume.Chance: searchtest.Averages, assume.Uniform: searchtest.Uniform, assume.Adversary: nil}
	for kind, draw := range kinds {
		rule := searchtest.Rule{Game: c.Game, Eval: c.Eval, After: c.Leaf == models.Afterstate, Draw: draw, Alone: max(s.Turn(), 0)}
		truth := rule.Moves(s, c.Depth)
		variants := selfish
		if sh.Players == 2 && kind == assume.Adversary {
			variants = slices.Concat(variants, adversarial)
		} else if sh.Players == 2 && kind == assume.Chance {
			variants = slices.Concat(variants, averaging)
		} else if sh.Players > 2 && kind != assume.Chance || sh.Players == 1 && kind == assume.Adversary {
			continue // nature has no opponent in this game
		}
		for _, v := range variants {
			c := c
			c.Assume.Kind = kind
			known := truth
			if v.name == "paranoid" && sh.Players > 2 {
				rule.Paranoid = true
				known = rule.Moves(s, c.Depth)
				rule.Paranoid = false
			}
			if v.name == "greedy" {
				if s.Turn() < 0 {
					continue
				}
				known = rule.Moves(s, 1)
			}
			r := searchtest.Search(t, v.agent(t, c), s)
			checkResult(t, v.name, c, s, r, known)
			c.Complete = true
			if v.name == "maxn" || v.name == "paranoid" {
				c.Prune = search.NoPrune
			}
			plain := searchtest.Search(t, v.agent(t, c), s)
			checkResult(t, v.name+", complete", c, s, plain, known)
			if r.Move != plain.Move || c.Prune == search.NoPrune && (r.Nodes > plain.Nodes || plain.Exact && !r.Exact) {
				t.Errorf("%s: pruning changed %+v to %+v", v.name, plain, r)
			}
			if c.Prune == search.NoPrune {
				saved[v.name] += plain.Nodes - r.Nodes
			}
		}
	}
}

// checkResult checks a single result against the values of all moves.
func checkResult(t *testing.T, name string, c search.Options, s game.State, r search.Result, truth [][]float64) {
	mover, near := max(s.Turn(), 0), 1e-9
	worth := func(i int) float64 { return truth[i][mover] }
	if c.Depth == 99 && name != "greedy" && name != "greedy, complete" && !r.Exact {
		t.Errorf("%s: a whole tree is not exact", name)
	}
	if s.Turn() < 0 {
		if r.Move != game.NoMove {
			t.Errorf("%s: a move where no one chooses", name)
		}
		return
	}
	best, at := math.Inf(-1), int(r.Move)
	for i := range truth {
		best = max(best, worth(i))
	}
	if !searchtest.Near(r.Value, best) || math.Abs(worth(at)-best) > near || len(r.PV) == 0 || r.PV[0] != r.Move {
		t.Errorf("%s: value %v by move %d of line %v; want %v of %v", name, r.Value, r.Move, r.PV, best, truth)
	}
	if r.Values != nil && !searchtest.AllNear(r.Values, truth[at]) {
		t.Errorf("%s: values %v; want %v", name, r.Values, truth[at])
	}
	certain := r.Exact && !c.Complete && (best == c.Game.Max || best == c.Game.Min) // other moves keep their values from a shallower depth
	for i, m := range r.Root {
		v := worth(i)
		if certain && i != at {
			continue
		}
		if m.Kind == search.Exact && math.Abs(m.Value-v) > near || m.Kind == search.Upper && m.Value < v-near || m.Kind == search.Lower && m.Value > v+near {
			t.Errorf("%s: root move %v; it is worth %v", name, m, v)
		}
		if c.Prune == search.NoPrune && m.Kind != search.Exact {
			t.Errorf("%s: root move %v without pruning", name, m)
		}
		if c.Complete && slices.Contains(r.Best, m.Move) != (v >= best-near*max(1, math.Abs(best))) {
			t.Errorf("%s: move %d worth %v of %v, the best %v", name, i, v, best, r.Best)
		}
	}
}

// watcher is an Observer that checks every visit against the definition.
type watcher struct {
	t        *testing.T
	rule     searchtest.Rule
	reported map[search.Bound]int
}

func (w *watcher) Node(n *search.Visit) {
	s, depth, value, kind := n.State, n.Depth, n.Value, n.Kind
	w.reported[kind]++
	want := w.rule.Value(s.(*searchtest.SprigState).At().State(), depth)
	const near = 1e-9
	if kind == search.Exact && math.Abs(value-want) > near || kind == search.Lower && want < value-near || kind == search.Upper && want > value+near {
		w.t.Fatalf("%s, depth %d: told %v (%v); the truth is %v", s, depth, value, kind, want)
	}
}

func TestObservedValues(t *testing.T) {
	reported := map[search.Bound]int{}
	for seed := range uint64(100) {
		sh := searchtest.Shape{Players: 2, Sum: game.Zero, Chance: .3, Height: 6}
		g := sh.Game(sh.Grow(rand.New(rand.NewPCG(seed, 23))))
		for _, v := range selfish[:2] {
			w := &watcher{t, searchtest.Rule{Game: g, Eval: searchtest.SprigEval{}, Draw: searchtest.Averages}, reported}
			r := searchtest.SearchOnce(t, v.make, search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 3, Observer: w}, g.New())
			if !r.Exact && r.Depth != 3 {
				t.Errorf("%s: depth %d", v.name, r.Depth)
			}
		}
	}
	if reported[search.Exact] == 0 || reported[search.Lower] == 0 || reported[search.Upper] == 0 {
		t.Errorf("told of %v", reported)
	}
}
