package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/game"
)

// sprig is a node of a random tree, sprigState a position in it: the smallest
// game on which the searches of this file can be held against brute force.
type sprig struct {
	id    int
	turn  game.Player
	kids  []*sprig
	probs []float64     // of a chance node
	luck  game.Player   // of a chance node
	ends  []float64     // utilities of a leaf
	eval  []float64     // what an evaluation says of an inner node
	_     [0]func() int // not to be compared
}

type sprigState struct {
	line []*sprig
}

func (s *sprigState) at() *sprig        { return s.line[len(s.line)-1] }
func (s *sprigState) Turn() game.Player { return s.at().turn }
func (s *sprigState) Moves(dst []game.Move) []game.Move {
	for i := range s.at().kids {
		dst = append(dst, game.Move(i))
	}
	return dst
}
func (s *sprigState) Play(m game.Move)                         { s.line = append(s.line, s.at().kids[m]) }
func (s *sprigState) Undo()                                    { s.line = s.line[:len(s.line)-1] }
func (s *sprigState) Utility(p game.Player) float64            { return s.at().ends[p] }
func (s *sprigState) Hash() uint64                             { return game.Mix(uint64(s.at().id)) }
func (s *sprigState) Clone() game.State                        { return &sprigState{[]*sprig{s.at()}} }
func (s *sprigState) String() string                           { return fmt.Sprintf("node %d at %d", s.at().id, len(s.line)) }
func (s *sprigState) MoveString(m game.Move) string            { return fmt.Sprint(m) }
func (s *sprigState) Prob(m game.Move) float64                 { return s.at().probs[m] }
func (s *sprigState) For() game.Player                         { return s.at().luck }
func (sprigEval) Evaluate(s game.State, p game.Player) float64 { return s.(*sprigState).at().eval[p] }

type sprigEval struct{}

var (
	_ game.State   = (*sprigState)(nil)
	_ game.Chancer = (*sprigState)(nil)
	_ Evaluator    = sprigEval{}
)

// sprigShape says what trees to grow.
type sprigShape struct {
	players int
	sum     game.Sum
	chance  float64 // share of inner nodes
	whole   bool    // utilities are small whole numbers: many ties
	height  int
}

func (sh sprigShape) game(root *sprig) *game.Game {
	g := &game.Game{Name: "sprig", Spec: "sprig", Players: sh.players, Sum: sh.sum, MaxPlies: 100,
		New: func() game.State { return &sprigState{[]*sprig{root}} }}
	// The bounds are as tight as they can be: that is what pruning feeds on.
	var widen func(n *sprig)
	widen = func(n *sprig) {
		for _, v := range append(slices.Clone(n.eval), n.ends...) {
			g.Min, g.Max = min(g.Min, v), max(g.Max, v)
		}
		for _, k := range n.kids {
			widen(k)
		}
	}
	widen(root)
	// Evaluations lie strictly inside, so that no search moves them.
	var move func(n *sprig)
	move = func(n *sprig) {
		lo, hi := g.Min+1e-6*(g.Max-g.Min), g.Max-1e-6*(g.Max-g.Min)
		for p, v := range n.eval {
			n.eval[p] = max(lo, min(hi, v))
		}
		for _, k := range n.kids {
			move(k)
		}
	}
	move(root)
	return g
}

func (sh sprigShape) values(r *rand.Rand) []float64 {
	v := make([]float64, sh.players)
	for {
		sum := 0.0
		for p := range v {
			if v[p] = r.Float64()*8 - 4; sh.whole {
				v[p] = float64(r.IntN(5) - 2)
			}
			if sh.sum == game.Constant {
				v[p] += 4
			}
			sum += v[p]
		}
		switch sh.sum {
		case game.General:
			return v
		case game.Zero:
			v[len(v)-1] -= sum
		case game.Constant:
			v[len(v)-1] += 9 - sum
			if v[len(v)-1] < 0 {
				continue
			}
		}
		return v
	}
}

func (sh sprigShape) grow(r *rand.Rand) *sprig {
	next := 0
	var grow func(height int) *sprig
	grow = func(height int) *sprig {
		next++
		n := &sprig{id: next, eval: sh.values(r)}
		if height == 0 || height < sh.height && r.IntN(8) == 0 {
			n.turn, n.ends = game.Nobody, sh.values(r)
			return n
		}
		n.turn = game.Player(r.IntN(sh.players))
		kids := 1 + r.IntN(4)
		if height < sh.height && r.Float64() < sh.chance {
			n.turn, n.luck = game.Chance, game.Player(r.IntN(sh.players))
			sum := 0.0
			for range kids {
				p := r.Float64() + 0.05
				n.probs, sum = append(n.probs, p), sum+p
			}
			for i := range n.probs {
				n.probs[i] /= sum
			}
		}
		for range kids {
			n.kids = append(n.kids, grow(height-1))
		}
		return n
	}
	return grow(sh.height)
}

// bruteMaxN is max^n from the definition: no bounds, no buffers.
func bruteMaxN(n *sprig, depth int) []float64 {
	switch {
	case n.turn == game.Nobody:
		return n.ends
	case n.turn == game.Chance:
		v := make([]float64, len(n.eval))
		for i, k := range n.kids {
			for p, x := range bruteMaxN(k, depth) {
				v[p] += n.probs[i] * x
			}
		}
		return v
	case depth == 0:
		return n.eval
	}
	var best []float64
	for _, k := range n.kids {
		if v := bruteMaxN(k, depth-1); best == nil || v[n.turn] > best[n.turn] {
			best = v
		}
	}
	return best
}

func allNear(a, b []float64) bool { return slices.EqualFunc(a, b, near) }

// made is an agent, or the end of the test.
func made(t *testing.T, make func(settings) (Agent, error), c settings) Agent {
	t.Helper()
	a, err := make(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// searchOnce asks a for its answer, and that it leave s as it found it.
func searchOnce(t *testing.T, a Agent, s game.State) Result {
	t.Helper()
	text, hash := s.String(), s.Hash()
	a.Begin(7)
	r, err := a.Search(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if s.String() != text || s.Hash() != hash {
		t.Fatalf("the search changed %s to %s", text, s)
	}
	return r
}

var sprigShapes = []sprigShape{
	{2, game.Zero, 0, false, 6}, {2, game.Zero, .3, false, 6}, {2, game.Zero, .3, true, 6},
	{3, game.Zero, 0, true, 6}, {3, game.Zero, .2, false, 6}, {3, game.Constant, 0, true, 6},
	{4, game.Constant, .1, false, 6}, {3, game.General, .2, false, 6}, {1, game.General, .5, false, 6},
}

func TestMaxNAgainstBruteForce(t *testing.T) {
	pruned := map[string]int64{}
	for _, sh := range sprigShapes {
		name := fmt.Sprintf("%+v", sh)
		for seed := range uint64(150) {
			root := sh.grow(rand.New(rand.NewPCG(seed, 1)))
			g := sh.game(root)
			for _, depth := range []int{0, 1, 2, 3} {
				cfg := settings{Game: g, Eval: sprigEval{}, Depth: depth}
				want := bruteMaxN(root, depth)
				if depth == 0 {
					want = bruteMaxN(root, 100)
				}
				r := searchOnce(t, made(t, maxNOf, cfg), g.New())
				cfg.Prune, cfg.Complete = NoPrune, true
				plain := searchOnce(t, made(t, maxNOf, cfg), g.New())
				if best := want[root.turn]; best == g.Min || best == g.Max {
					// Of equal moves the shortest win is played, from which the
					// others may get something else.
					below := depth - 1
					if depth == 0 {
						below = 100
					}
					if want = bruteMaxN(root.kids[r.Move], below); want[root.turn] != best {
						t.Fatalf("%s, seed %d, depth %d: %v of a move worth %v; want %v", name, seed, depth, r.Values, want, best)
					}
				}
				if !allNear(r.Values, want) || !allNear(plain.Values, want) {
					t.Fatalf("%s, seed %d, depth %d: %v, without pruning %v; want %v", name, seed, depth, r.Values, plain.Values, want)
				}
				if r.Value != r.Values[root.turn] || r.Move != plain.Move || plain.Exact && !r.Exact {
					t.Fatalf("%s, seed %d, depth %d: pruning changed %+v to %+v", name, seed, depth, plain, r)
				}
				if r.Nodes > plain.Nodes {
					t.Fatalf("%s, seed %d: pruning took %d nodes instead of %d", name, seed, r.Nodes, plain.Nodes)
				}
				pruned[name] += plain.Nodes - r.Nodes
				for i, m := range plain.Root {
					below := depth - 1
					if depth == 0 {
						below = 100
					}
					v := bruteMaxN(root.kids[m.Move], below)[root.turn]
					if !near(m.Value, v) || m.Kind != Exact {
						t.Fatalf("%s, seed %d: root move %v; want %v", name, seed, m, v)
					}
					if k := r.Root[i]; k.Kind == Upper && k.Value < v-1e-9 || k.Kind == Exact && !near(k.Value, v) {
						t.Fatalf("%s, seed %d: root move %v of the pruned search; the truth is %v", name, seed, k, v)
					}
					if as := slices.Contains(plain.Best, m.Move); as != (v >= plain.Value-1e-9) {
						t.Fatalf("%s, seed %d: move %d worth %v, best %v: among the best %v", name, seed, m.Move, v, plain.Value, as)
					}
				}
			}
		}
	}
	for _, sh := range sprigShapes {
		name := fmt.Sprintf("%+v", sh)
		if pruned[name] == 0 && sh.sum != game.General {
			t.Errorf("%s: nothing pruned", name)
		}
	}
}
