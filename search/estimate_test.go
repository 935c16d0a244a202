package search_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/mcts"
)

// loud is an evaluation that says far more than there is to win.
type loud struct{}

func (loud) Evaluate(s game.State, p game.Player) float64 {
	v := 6*float64(game.Mix(s.Hash()+5)>>40)/(1<<24) - 3
	if p == 1 {
		return -v
	}
	return v
}

// TestExactIsAProof: by an evaluation without a link that says up to 3 of games
// worth 1, a search answers 1 and exact where a win can be forced, and nowhere
// else.
func TestExactIsAProof(t *testing.T) {
	positions := 60
	if vectors.Long() {
		positions = 400
	}
	for _, c := range []struct {
		spec         string
		depth, plies int
	}{{"connect4:columns=5,rows=4", 4, 4}, {"connect4:columns=5,rows=4,dice=on", 2, 20}, {"tictactoe", 4, 2}} {
		g, spec, depth := world(t, c.spec), c.spec, c.depth
		r := rand.New(rand.NewPCG(5, 1))
		wins, others := 0, 0
		for range positions {
			s := wander(g, r, c.plies+r.IntN(10))
			if s.Turn() < 0 {
				continue
			}
			won, lost := farthest(s, s.Turn(), 1, depth) <= depth, farthest(s, 1-s.Turn(), 1, depth) <= depth
			for name, a := range everySearch(t, search.Options{Game: g, Eval: loud{}, Fork: func() search.Evaluator { return loud{} }, Depth: depth}) {
				res, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				certain := name != "mcts" && name != "greedy" // those do not search so deep
				switch {
				case won && certain && !(res.Exact && math.Abs(res.Value-1) < 1e-12),
					lost && certain && !(res.Exact && math.Abs(res.Value+1) < 1e-12),
					!won && certain && res.Value == 1, !lost && certain && res.Value == -1,
					!res.Exact && math.Abs(res.Value) > 1-1e-11:
					t.Fatalf("%s, %s, %s: value %v, exact %v; a forced win: %v, a forced loss: %v", spec, name, s, res.Value, res.Exact, won, lost)
				}
			}
			if won || lost {
				wins++
			} else {
				others++
			}
		}
		if wins < 5 || others < 5 {
			t.Errorf("%s: %d positions are decided and %d are not", spec, wins, others)
		}
	}
}

// TestOrderBeyondTheBound: of moves to positions of which the evaluation says 1.2,
// 2.5 and 1.9 where there is 1 to win, the one with 2.5 is played.
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
				continue // it searches to the end
			}
			r := searchtest.Search(t, a, g.New())
			if r.Move != 2 || r.Exact || math.Abs(r.Value-1) > 1e-9 || r.Value >= 1 {
				t.Errorf("%s: move %d, value %v, exact %v; want move 2 and a value just below 1", name, r.Move, r.Value, r.Exact)
			}
		}
	}
}

// TestDepthIsWhatWasSeen: a solved game is not seen a thousand decisions deep.
func TestDepthIsWhatWasSeen(t *testing.T) {
	g := world(t, "tictactoe")
	for _, c := range []struct {
		at   string
		most int
	}{{"......... X", 9}, {"X...O.... X", 7}, {"XOXOX.OXO X", 1}, {"XX.OO.... X", 5}} {
		for name, a := range everySearch(t, search.Options{Game: g, Eval: search.Zero(g), Depth: 1000}) {
			if name == "minimax" && c.most == 9 {
				continue // half a million nodes
			}
			r := searchtest.Search(t, a, parse(t, g, c.at))
			if r.Depth < 1 || r.Depth > c.most || name != "mcts" && name != "greedy" && !r.Exact {
				t.Errorf("%s, %s: depth %d, exact %v; want at most %d", name, c.at, r.Depth, r.Exact, c.most)
			}
			if name == "textbook" && r.Depth != c.most {
				t.Errorf("%s, %s: depth %d, want %d", name, c.at, r.Depth, c.most)
			}
		}
	}
}

// everySearch is an agent of every kind that searches c.Depth decisions deep.
func everySearch(t testing.TB, c search.Options) map[string]search.Agent {
	t.Helper()
	agents := map[string]search.Agent{}
	add := func(name string, make func(search.Options) (search.Agent, error), change func(*search.Options)) {
		c := c
		if change != nil {
			change(&c)
		}
		a, err := make(c)
		if err != nil {
			t.Fatal(err)
		}
		a.Begin(3)
		agents[name] = a
	}
	opposed := assume.Chance // every search takes nature for what it is
	add("greedy", searchtest.GreedyOf, nil)
	add("minimax", searchtest.MinimaxOf, func(c *search.Options) { c.Assume.Kind = opposed })
	add("textbook", searchtest.AlphaBetaOf, func(c *search.Options) { c.Assume.Kind, c.Order, c.Table = opposed, search.Natural, -1 })
	add("alphabeta", searchtest.AlphaBetaOf, func(c *search.Options) { c.Assume.Kind = opposed })
	if c.Fork != nil {
		add("alphabeta, threads", searchtest.AlphaBetaOf, func(c *search.Options) { c.Assume.Kind, c.Threads = opposed, 2 })
	}
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

// farthest is the number of decisions within which p forces an end worth target to
// him from s, whatever others do and nature draws; more than depth where that
// takes more. It asks the contract of a game alone.
func farthest(s game.State, p game.Player, target float64, depth int) int {
	var forced func(depth int) bool
	forced = func(depth int) bool {
		turn := s.Turn()
		switch {
		case turn == game.Nobody:
			return s.Utility(p) == target
		case turn >= 0 && depth == 0:
			return false
		case turn >= 0:
			depth--
		}
		for _, m := range s.Moves(nil) {
			s.Play(m)
			ok := forced(depth)
			s.Undo()
			if ok == (turn == p) {
				return ok
			}
		}
		return turn != p
	}
	d := 0
	for d <= depth && !forced(d) {
		d++
	}
	return d
}

// TestDepthOfAProofRemembered: an agent that is asked again says that it looked as far
// as the proof does that its table remembers.
func TestDepthOfAProofRemembered(t *testing.T) {
	g := world(t, "tree")
	for _, c := range []struct {
		tree  string
		depth int
	}{{"(max (min (max -2 7 -2)))", 3}, {"(max (min (max (min 4 5) 3) 9) 2)", 4}, {"(max (chance 1/2 (max 1 2) 1/2 (min 5 (max 4 6))))", 3}} {
		s := parse(t, g, c.tree)
		for _, limit := range []search.Options{{Depth: 9}, {Nodes: 1 << 40}} {
			limit.Game, limit.Eval = g, search.Zero(g)
			a := searchtest.Made(t, search.NewExpectimax, limit)
			for i := range 3 {
				r, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				if r.Depth != c.depth || !r.Exact {
					t.Errorf("%s, search %d: depth %d, exact %v; want a proof of depth %d", c.tree, i+1, r.Depth, r.Exact, c.depth)
				}
			}
		}
	}
}
