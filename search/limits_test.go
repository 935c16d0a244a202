package search_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
)

func TestConfigErrors(t *testing.T) {
	c4, pig3 := world(t, "connect4"), world(t, "pig:players=3")
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
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Threads: 2, Observer: &leaves{}}, "one thread"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Threads: 2, Table: -1}, "want a table"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: noise{c4}, Depth: 1, Threads: 2}, "forked"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, MinProb: math.NaN()}, "probability"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Samples: -1}, "samples"},
		{search.NewExpectimax, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 1, Assume: assume.Assumption{Kind: assume.Policy}}, "no policy"},
		{searchtest.AlphaBetaOf, search.Options{Game: pig3, Eval: search.Zero(pig3), Depth: 1}, "3 players"},
	} {
		if _, err := c.make(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one of %q", err, c.want)
		}
	}
	// A tree says itself how many play.
	g := world(t, "tree")
	a, err := searchtest.AlphaBetaOf(search.Options{Game: g, Eval: search.Zero(g), Depth: 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Search(context.Background(), parse(t, g, "(p0 <1,2,3> (p2 <3,2,1> <0,0,0>))")); err == nil {
		t.Error("three players were searched with one number")
	}
}

// stoppable are agents that stop at limits, with what tells them apart.
var stoppable = append(adversarial[:5:5], averaging[0], averaging[2], averaging[6])

// TestStopped: whenever a search is stopped it has a legal move, and the
// position is as it was.
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
				res, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
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

// TestUnfinishedDepth: where a search plays another move than the best of the last depth
// that it finished, the move is better one decision deeper; and that happens.
func TestUnfinishedDepth(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct {
		spec  string
		order search.Order
		nodes int
	}{{"connect4", search.Auto, 500}, {"connect4", search.Natural, 500}, {"othello", search.Auto, 500}} {
		spec, g := c.spec, world(t, c.spec)
		eval, overtaken := noise{g}, 0
		for range 100 {
			s := wander(g, r, r.IntN(12))
			a := searchtest.Made(t, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: eval, Nodes: int64(100 + r.IntN(c.nodes)), Order: c.order, Table: 1})
			res := searchtest.Search(t, a, s)
			best := -1
			for i, m := range res.Root {
				if m.Kind == search.Exact && m.Value == res.Value && best < 0 {
					best = i
				}
			}
			if best < 0 || res.Move == res.Root[best].Move {
				continue
			}
			overtaken++
			if len(res.PV) == 0 || res.PV[0] != res.Move {
				t.Errorf("%s %s: the line %v does not begin with the move %v", spec, s, res.PV, res.Move)
			}
			whole := searchtest.Search(t, searchtest.Made(t, searchtest.MinimaxOf, search.Options{Game: g, Eval: eval, Depth: res.Depth + 1}), s)
			value := map[game.Move]float64{}
			for _, m := range whole.Root {
				value[m.Move] = m.Value
			}
			if value[res.Move] < value[res.Root[best].Move] {
				t.Errorf("%s %s: at depth %d move %d is worth %v, and %d, the best at depth %d, %v", spec, s, res.Depth+1, res.Move, value[res.Move], res.Root[best].Move, res.Depth, value[res.Root[best].Move])
			}
		}
		if overtaken < 3 {
			t.Errorf("%s: %d of 100 searches played a move of the unfinished depth, want some", spec, overtaken)
		}
	}
}

func TestCancelled(t *testing.T) {
	g := world(t, "othello")
	for _, v := range stoppable {
		a := v.agent(t, search.Options{Game: g, Eval: noise{g}, Depth: 40, Table: 1})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s := g.New()
		res, err := a.Search(ctx, s)
		if res.Depth == 0 && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v of a search that was stopped before it had anything", v.name, err)
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

// TestRandomTies: among equally good moves each is played, and the seed decides.
func TestRandomTies(t *testing.T) {
	g := world(t, "tictactoe")
	for _, v := range adversarial[:5] {
		a := v.agent(t, search.Options{Game: g, Eval: search.Zero(g), Depth: 9, Ties: search.Random, Table: 1})
		seen := map[game.Move]int{}
		s := parse(t, g, ".......OX X")
		for seed := range uint64(60) {
			a.Begin(seed)
			one, err := a.Search(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			a.Begin(seed)
			if two, _ := a.Search(context.Background(), s); two.Move != one.Move {
				t.Errorf("%s: seed %d chose %d, then %d", v.name, seed, one.Move, two.Move)
			}
			if len(one.Best) != 0 {
				t.Errorf("%s: best moves without being asked", v.name)
			}
			seen[one.Move]++
		}
		if len(seen) != 3 || seen[2] < 5 || seen[4] < 5 || seen[5] < 5 {
			t.Errorf("%s: played %v, want 2, 4 and 5 about as often", v.name, seen)
		}
	}
}

// BenchmarkStop reports how late searches stop: the 99th of a hundred, in
// milliseconds after the limit.
func BenchmarkStop(b *testing.B) {
	var late []float64
	for b.Loop() {
		r := rand.New(rand.NewPCG(7, 7))
		for _, w := range worlds {
			if w.spec == "tree" {
				continue
			}
			g := world(b, w.spec)
			for _, limit := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond} {
				for _, v := range []variant{adversarial[2], averaging[2]} {
					a := v.agent(b, search.Options{Game: g, Eval: noise{g}, Time: limit, Table: 1})
					for range 10 {
						s := wander(g, r, r.IntN(10))
						start := time.Now()
						if _, err := a.Search(context.Background(), s); err != nil {
							b.Fatal(err)
						}
						late = append(late, float64(time.Since(start)-limit)/1e6)
					}
				}
			}
		}
	}
	sort.Float64s(late)
	b.ReportMetric(late[len(late)*99/100], "ms-late-p99")
	b.ReportMetric(late[len(late)-1], "ms-late-max")
}
