package searchtest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"plyfit/game"
	"plyfit/search"
)

// A Sprig is a node in a random tree, and a SprigState is a position in the tree. They form the
// smallest game that allows the searches to be compared with brute force.
type Sprig struct {
	ID    int
	Turn  game.Player
	Kids  []*Sprig
	Probs []float64     // used if this is a chance node
	Luck  game.Player   // player returned by For, used if this is a chance node
	Ends  []float64     // utilities, used if this is a leaf
	Eval  []float64     // evaluation of an inner node for each player
	_     [0]func() int // prevents comparison with ==
}

type SprigState struct {
	Line []*Sprig
}

// State returns a game state that starts at the node n.
func (n *Sprig) State() *SprigState { return &SprigState{Line: []*Sprig{n}} }

func (s *SprigState) At() *Sprig        { return s.Line[len(s.Line)-1] }
func (s *SprigState) Turn() game.Player { return s.At().Turn }
func (s *SprigState) Moves(dst []game.Move) []game.Move {
	for i := range s.At().Kids {
		dst = append(dst, game.Move(i))
	}
	return dst
}
func (s *SprigState) Play(m game.Move)              { s.Line = append(s.Line, s.At().Kids[m]) }
func (s *SprigState) Undo()                         { s.Line = s.Line[:len(s.Line)-1] }
func (s *SprigState) Utility(p game.Player) float64 { return s.At().Ends[p] }
func (s *SprigState) Hash() uint64                  { return game.Mix(uint64(s.At().ID)) }
func (s *SprigState) Clone() game.State             { return s.At().State() }
func (s *SprigState) String() string                { return fmt.Sprintf("node %d at %d", s.At().ID, len(s.Line)) }
func (s *SprigState) MoveString(m game.Move) string { return fmt.Sprint(m) }
func (s *SprigState) Prob(m game.Move) float64      { return s.At().Probs[m] }
func (s *SprigState) For() game.Player              { return s.At().Luck }
func (SprigEval) Evaluate(s game.State, p game.Player) float64 {
	return s.(interface{ At() *Sprig }).At().Eval[p]
}

type SprigEval struct{}

var (
	_ game.State       = (*SprigState)(nil)
	_ game.Chancer     = (*SprigState)(nil)
	_ search.Evaluator = SprigEval{}
)

// A Shape describes the random trees to grow.
type Shape struct {
	Players int
	Sum     game.Sum
	Chance  float64 // probability that an inner node other than the root is a chance node
	Whole   bool    // utilities are small integers, which leads to many ties
	Signs   bool    // utilities are -1 or 1, for two-player zero-sum games
	Height  int
}

func (sh Shape) Game(root *Sprig) *game.Game {
	g := &game.Game{Name: "sprig", Spec: "sprig", Players: sh.Players, Sum: sh.Sum, MaxPlies: 100,
		New: func() game.State { return root.State() }}
	// Make the bounds as tight as possible, since pruning depends on them.
	var widen func(n *Sprig)
	widen = func(n *Sprig) {
		for _, v := range append(slices.Clone(n.Eval), n.Ends...) {
			g.Min, g.Max = min(g.Min, v), max(g.Max, v)
		}
		for _, k := range n.Kids {
			widen(k)
		}
	}
	widen(root)
	// Shift evaluations strictly inside the bounds, so that searches do not change them.
	var move func(n *Sprig)
	move = func(n *Sprig) {
		lo, hi := g.Min+float64(1e-6*(g.Max-g.Min)), g.Max-float64(1e-6*(g.Max-g.Min))
		for p, v := range n.Eval {
			n.Eval[p] = max(lo, min(hi, v))
		}
		for _, k := range n.Kids {
			move(k)
		}
	}
	move(root)
	return g
}

func (sh Shape) values(r *rand.Rand) []float64 {
	v := make([]float64, sh.Players)
	for {
		sum := 0.0
		for p := range v {
			if v[p] = float64(r.Float64()*8) - 4; sh.Whole {
				v[p] = float64(r.IntN(5) - 2)
			}
			if sh.Sum == game.Constant {
				v[p] += 4
			}
			if sh.Signs {
				v[p] = float64(2*r.IntN(2) - 1)
			}
			sum += v[p]
		}
		switch sh.Sum {
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

func (sh Shape) Grow(r *rand.Rand) *Sprig {
	next := 0
	var grow func(height int) *Sprig
	grow = func(height int) *Sprig {
		next++
		n := &Sprig{ID: next, Eval: sh.values(r)}
		if height == 0 || height < sh.Height && r.IntN(8) == 0 {
			n.Turn, n.Ends = game.Nobody, sh.values(r)
			return n
		}
		n.Turn = game.Player(r.IntN(sh.Players))
		kids := 1 + r.IntN(4)
		if height < sh.Height && r.Float64() < sh.Chance {
			n.Turn, n.Luck = game.Chance, game.Player(r.IntN(sh.Players))
			sum := 0.0
			for range kids {
				p := r.Float64() + 0.05
				n.Probs, sum = append(n.Probs, p), sum+p
			}
			for i := range n.Probs {
				n.Probs[i] /= sum
			}
		}
		for range kids {
			n.Kids = append(n.Kids, grow(height-1))
		}
		return n
	}
	return grow(sh.Height)
}
