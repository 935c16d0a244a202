package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// variant is one way to search that must not change any value.
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
	a, err := v.make(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
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
	{"expectimax", search.NewExpectimax, nil},
	{"star1", search.NewExpectimax, func(c *search.Options) { c.Prune = search.Star1 }},
	{"star1, no table", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table = search.Star1, -1 }},
	{"star1, natural, no table", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table, c.Order = search.Star1, -1, search.Natural }},
	{"star2", search.NewExpectimax, func(c *search.Options) { c.Prune = search.Star2 }},
	{"star2, no table", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table = search.Star2, -1 }},
	{"star2, natural, no table", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Table, c.Order = search.Star2, -1, search.Natural }},
	{"star2, two threads", search.NewExpectimax, func(c *search.Options) { c.Prune, c.Threads, c.Table = search.Star2, 2, 1 }},
}

type vector struct {
	name, tree string
	value      float64
	children   []float64
	leaves     string // those that alpha-beta visits
}

func treeVectors(t *testing.T) (out []vector) {
	t.Helper()
	number := func(s string) float64 {
		x, err := spec.Number(strings.TrimSpace(s))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	numbers := func(s string) (x []float64) {
		for _, f := range strings.Split(strings.TrimSpace(s), ",") {
			if f != "" {
				x = append(x, number(f))
			}
		}
		return x
	}
	for _, file := range []string{"trees.txt", "random.txt"} {
		text, err := os.ReadFile("testdata/trees/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			f := strings.Split(line, " | ")
			if file == "random.txt" {
				out = append(out, vector{f[0], f[0], number(f[1]), numbers(f[2]), ""})
				continue
			}
			v := vector{name: f[0], tree: f[1]}
			for _, item := range f[2:] {
				key, value, _ := strings.Cut(item, "=")
				switch key {
				case "value":
					v.value = number(value)
				case "root_children":
					v.children = numbers(value)
				case "alphabeta_leaves_visited":
					v.leaves = strings.TrimSpace(value)
				}
			}
			out = append(out, v)
		}
	}
	return out
}

// check searches s, at the tree o, and compares with the value in player 0's view.
func check(t *testing.T, name string, a search.Agent, s game.State, want float64) search.Result {
	t.Helper()
	turn := s.Turn()
	if turn == 1 {
		want = -want
	}
	before := s.Hash()
	a.Begin(1)
	r, err := a.Search(context.Background(), s)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !searchtest.Near(r.Value, want) {
		t.Errorf("%s: value %v, want %v", name, r.Value, want)
	}
	if s.Hash() != before {
		t.Fatalf("%s: the search left the position changed", name)
	}
	if turn >= 0 {
		if r.Move == game.NoMove {
			t.Errorf("%s: no move", name)
		}
		if len(r.PV) == 0 || r.PV[0] != r.Move {
			t.Errorf("%s: line %v of move %v", name, r.PV, r.Move)
		}
	} else if r.Move != game.NoMove {
		t.Errorf("%s: a move where nobody chooses", name)
	}
	return r
}

func TestVectors(t *testing.T) {
	agents := map[string][2]search.Agent{}
	for _, v := range treeVectors(t) {
		s := plant(v.tree)
		variants := averaging[:len(averaging):len(averaging)]
		if !strings.Contains(v.tree, "chance") {
			variants = append(variants, adversarial...)
		}
		for _, vr := range variants {
			a, ok := agents[vr.name]
			if !ok {
				c := search.Options{Game: oakGame, Eval: search.Zero(oakGame), Depth: 99}
				a[0] = vr.agent(t, c)
				c.Complete = true
				a[1] = vr.agent(t, c)
				agents[vr.name] = a
			}
			r := check(t, vr.name+" "+v.name, a[0], s, v.value)
			if !r.Exact {
				t.Errorf("%s: %s: not exact", vr.name, v.name)
			}
			r = check(t, vr.name+" complete "+v.name, a[1], s, v.value)
			if s.Turn() < 0 {
				continue
			}
			sign := 1.0
			if s.Turn() == 1 {
				sign = -1
			}
			var best []game.Move
			for i, child := range v.children {
				if math.Abs(child-v.value) <= 1e-9*math.Max(1, math.Abs(v.value)) {
					best = append(best, game.Move(i))
				}
				root, value := r.Root[i], sign*child
				if root.Kind == search.Exact && !searchtest.Near(root.Value, value) || root.Kind == search.Upper && root.Value < value-1e-9 || root.Kind == search.Lower && root.Value > value+1e-9 {
					t.Errorf("%s: %s: child %d is %v %v, truly %v", vr.name, v.name, i, root.Kind, root.Value, value)
				}
			}
			if len(best) != len(r.Best) || best[0] != r.Best[0] {
				t.Errorf("%s: %s: best moves %v, want %v", vr.name, v.name, r.Best, best)
			}
		}
	}
}

func TestRandomTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	trees := 1000
	if testing.Short() {
		trees = 100
	}
	type searcher struct {
		variant
		agents map[[2]int]search.Agent
	}
	searchers := map[bool][]*searcher{}
	for hostile, variants := range map[bool][]variant{true: adversarial, false: averaging} {
		for _, v := range variants {
			searchers[hostile] = append(searchers[hostile], &searcher{v, map[[2]int]search.Agent{}})
		}
	}
	for n := range trees {
		text := grow(r, 6, true)
		s := plant(text)
		for i := range 2 {
			var state game.State = s
			bounded, afterstate := (n+i)%2 == 1, n%4 >= 2
			if bounded {
				state = boundedOak{s}
			}
			for _, hostile := range []bool{true, false} {
				c := search.Options{Game: oakGame, Eval: guess{}, Fork: func() search.Evaluator { return guess{} }, Depth: [...]int{99, 1, 2, 3, 4}[n%5]}
				key := [2]int{c.Depth, 0}
				if afterstate {
					c.Leaf, key[1] = models.Afterstate, 1
				}
				depth := c.Depth
				if s.Turn() < 0 {
					depth = max(depth, 1)
				}
				want := s.at.worth(depth, hostile, afterstate, bounded, s.lo, s.hi)
				for _, v := range searchers[hostile] {
					a := v.agents[key]
					if a == nil {
						a = v.agent(t, c)
						v.agents[key] = a
					}
					res := check(t, v.name+" "+text, a, state, want)
					if c.Depth == 99 && !res.Exact {
						t.Errorf("%s %s: not exact", v.name, text)
					}
					if t.Failed() {
						t.Fatalf("depth %d, hostile %v, bounded %v, afterstate %v", c.Depth, hostile, bounded, afterstate)
					}
				}
			}
		}
	}
}

// leaves writes down the finished positions that a search visits.
type leaves struct{ seen []string }

func (l *leaves) Node(s game.State, depth int, value float64, kind search.Bound) {
	if s.Turn() == game.Nobody {
		x := game.Base(s).(*oakState).at.value
		l.seen = append(l.seen, trim(x))
	}
}

func trim(x float64) string { return strings.TrimSuffix(strings.TrimRight(fmtFloat(x), "0"), ".") }

func TestLeavesVisited(t *testing.T) {
	seen := 0
	for _, v := range treeVectors(t) {
		if v.leaves == "" {
			continue
		}
		seen++
		l := &leaves{}
		a, err := searchtest.AlphaBetaOf(search.Options{Game: oakGame, Eval: search.Zero(oakGame), Depth: 99, Order: search.Natural, Table: -1, Observer: l})
		if err != nil {
			t.Fatal(err)
		}
		check(t, v.name, a, plant(v.tree), v.value)
		if got := strings.Join(l.seen, ","); got != v.leaves {
			t.Errorf("%s: leaves %s, want %s", v.name, got, v.leaves)
		}
	}
	if seen < 4 {
		t.Errorf("only %d trees list their leaves", seen)
	}
}
