package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
)

// TestInside holds the squeeze at the bounds to its promises.
func TestInside(t *testing.T) {
	for _, b := range [][2]float64{{-1, 1}, {0, 1}, {-64, 64}, {-3, 3}, {1, 3}, {-18.5, 2}, {1000, 1001}} {
		lo, hi := b[0], b[1]
		width := hi - lo
		near := 1e-9 * math.Max(1, math.Max(math.Abs(lo), math.Abs(hi)))
		r := rand.New(rand.NewPCG(1, 2))
		for range 100000 {
			v := lo + width*r.Float64()
			if got := inside(v, lo, hi); math.Abs(got-v) > near || got != v && v > lo+near && v < hi-near {
				t.Fatalf("[%v, %v]: %v became %v", lo, hi, v, got)
			}
		}
		// Up to and beyond each bound, in steps that numbers of this size can show.
		last := math.Inf(-1)
		for _, v := range []float64{-1e300, lo - 100*width, lo - width, lo - width/2, lo - width/3, lo - width/1000, lo, lo + width/2,
			hi, hi + width/1000, hi + width/3, hi + width/2, hi + width, hi + 100*width, 1e300} {
			got := inside(v, lo, hi)
			if !(got > lo && got < hi && got > last) {
				t.Errorf("[%v, %v]: %v became %v, the one before it %v", lo, hi, v, got, last)
			}
			if mirrored := -inside(-v, -hi, -lo); mirrored != got {
				t.Errorf("[%v, %v]: %v became %v, its mirror image %v", lo, hi, v, got, mirrored)
			}
			last = got
		}
		for range 100000 {
			a, b := lo+width*(40*r.Float64()-20), lo+width*(40*r.Float64()-20)
			x, y := inside(a, lo, hi), inside(b, lo, hi)
			if a < b && x > y || a > b && x < y {
				t.Fatalf("[%v, %v]: the order of %v and %v is lost: %v and %v", lo, hi, a, b, x, y)
			}
		}
	}
	inf := math.Inf(1)
	for _, c := range [][4]float64{{5, 0, inf, 5}, {-5, 0, inf, 0}, {5, -inf, inf, 5}, {inf, -inf, inf, inf}, {7, 2, 2, 2}, {7, 1, above(1), 1}} {
		if got := inside(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%v in [%v, %v] became %v, want %v", c[0], c[1], c[2], got, c[3])
		}
	}
}

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
	positions := 400
	if testing.Short() {
		positions = 60
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
			for name, a := range everySearch(t, settings{Game: g, Eval: loud{}, Fork: func() Evaluator { return loud{} }, Depth: depth}) {
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
	tree := &sprig{turn: 0}
	for i, v := range []float64{1.2, .7, 2.5, 1.9} {
		next := &sprig{id: 10 + i, turn: 1, eval: []float64{v, -v}}
		for k, u := range []float64{1, -1} {
			next.kids = append(next.kids, &sprig{id: 20 + 2*i + k, turn: game.Nobody, ends: []float64{u, -u}})
		}
		tree.kids = append(tree.kids, next)
	}
	tree.eval = []float64{0, 0}
	g := &game.Game{Name: "sprig", Spec: "sprig", Players: 2, Sum: game.Zero, Min: -1, Max: 1, MaxPlies: 9,
		New: func() game.State { return &sprigState{[]*sprig{tree}} }}
	for _, ties := range []Ties{First, Random} {
		for name, a := range everySearch(t, settings{Game: g, Eval: sprigEval{}, Fork: func() Evaluator { return sprigEval{} }, Depth: 1, Ties: ties}) {
			if name == "mcts" {
				continue // it searches to the end
			}
			r := searchOnce(t, a, g.New())
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
		for name, a := range everySearch(t, settings{Game: g, Eval: Zero(g), Depth: 1000}) {
			if name == "minimax" && c.most == 9 {
				continue // half a million nodes
			}
			r := searchOnce(t, a, parse(t, g, c.at))
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
func everySearch(t testing.TB, c settings) map[string]Agent {
	t.Helper()
	agents := map[string]Agent{}
	add := func(name string, make func(settings) (Agent, error), change func(*settings)) {
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
	opposed := AssumeChance // every search takes nature for what it is
	add("greedy", greedyOf, nil)
	add("minimax", minimaxOf, func(c *settings) { c.Assume.Kind = opposed })
	add("textbook", alphaBetaOf, func(c *settings) { c.Assume.Kind, c.Order, c.Table = opposed, Natural, -1 })
	add("alphabeta", alphaBetaOf, func(c *settings) { c.Assume.Kind = opposed })
	if c.Fork != nil {
		add("alphabeta, threads", alphaBetaOf, func(c *settings) { c.Assume.Kind, c.Threads = opposed, 2 })
	}
	add("alphabeta, no table", alphaBetaOf, func(c *settings) { c.Assume.Kind, c.Table = opposed, -1 })
	add("alphabeta, deepening", alphaBetaOf, func(c *settings) { c.Assume.Kind, c.Nodes = opposed, 1<<40 })
	for i, prune := range []Prune{PruneDefault, NoPrune, Star1, Star2} {
		add(fmt.Sprintf("expectimax %d", i), expectimaxOf, func(c *settings) { c.Prune = prune })
	}
	add("expectimax, plain", expectimaxOf, func(c *settings) { c.Prune, c.Table = NoPrune, -1 })
	add("maxn", maxNOf, nil)
	add("maxn, deepening", maxNOf, func(c *settings) { c.Nodes = 1 << 40 })
	add("paranoid", paranoidOf, nil)
	add("mcts", mctsOf, func(c *settings) { c.MCTS.Simulations = 400 })
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
