package damage

import (
	"context"
	"math"

	"plyfit/game"
	"plyfit/models"
)

// nature is who moves at a game's own chance nodes, in the planner's mind.
type nature int8

const (
	averages nature = iota // chance, by its probabilities
	opposes                // the opponent of the one whose luck it is
)

// treeWalk evaluates the tree below a position under many damages and slips at once, each leaf
// visited once. Its values are those of search's planners, by a test. In a world with slip p a move
// is worth (1-p) of what it leads to and p of the mean over all moves, so a slippery tree is no
// larger.
//
// Values are those of the player at the root, in half ranges from the middle, damage included. It
// belongs to one goroutine.
type treeWalk struct {
	eval    *Evaluation
	arg     *argument
	damaged []*Damaged
	slips   []float64 // 0: no slip
	depth   int       // decisions
	nature  nature
	after   bool // leaves are afterstates

	state  game.State
	chance game.Chancer
	bounds game.Bounder
	sign   int // of the root's player: 1 for player 0
	me     game.Player
	parent uint64 // hash of the position that the last decision was taken in; set where shares
	shares bool   // a damage depends on it
	width  int
	known  map[tableKey]int32 // where a node's values stand in memory
	memory []float64
	out    [][]float64 // by ply: the node's values
	acc    [][]float64 // by ply: two rows, the best so far and the sum
	moves  []game.Move

	ctx   context.Context // nil: none stops it
	count int             // of nodes
	ended bool            // ctx has: values are of no use
}

// over reports whether the walk is to end. It asks ctx now and then.
func (w *treeWalk) over() bool {
	if w.count++; w.count&0xff == 0 && w.ctx != nil && w.ctx.Err() != nil {
		w.ended = true
	}
	return w.ended
}

type tableKey struct {
	hash  uint64
	depth int32
}

// newWalk makes a walk of so many decisions through the damages, in the worlds of the slips.
func newWalk(e *Evaluation, depth int, nature nature, slips []float64, damages ...Damage) *treeWalk {
	w := &treeWalk{eval: e, arg: e.Argument(e.Model), slips: slips, depth: depth, nature: nature, after: e.Leaves == models.Afterstate}
	for _, d := range damages {
		l := e.Damaged(d)
		w.damaged, w.shares = append(w.damaged, l), w.shares || l.shares()
	}
	w.width = len(slips) * len(damages)
	w.known = map[tableKey]int32{}
	return w
}

// Values are what each move at s, a base state, is worth to player root, by slip and damage:
// values[move][slip*len(damages)+damage] is that of the position that the move leads to, before it
// may slip itself. They stay valid until the next call.
func (w *treeWalk) Values(s game.State, root game.Player) (moves []game.Move, values [][]float64) {
	w.begin(s, root)
	below := w.depth
	if s.Turn() >= 0 {
		below--
	}
	moves = s.Moves(nil)
	parent := w.parent
	for _, m := range moves {
		w.parent = parent
		s.Play(m)
		values = append(values, append([]float64(nil), w.node(below, 0)...))
		s.Undo()
	}
	return moves, values
}

func (w *treeWalk) begin(s game.State, root game.Player) {
	w.state, w.me, w.sign = s, root, 1
	if root == 1 {
		w.sign = -1
	}
	w.chance, _ = game.As[game.Chancer](s)
	w.bounds, _ = game.As[game.Bounder](s)
	clear(w.known)
	w.memory, w.moves = w.memory[:0], w.moves[:0]
	w.parent = w.deciding()
}

// deciding is the hash of the present position where a damage depends on it, else 0.
func (w *treeWalk) deciding() uint64 {
	if w.shares {
		return w.state.Hash()
	}
	return 0
}

func (w *treeWalk) node(depth, ply int) []float64 {
	for len(w.out) <= ply {
		w.out = append(w.out, make([]float64, w.width))
		w.acc = append(w.acc, make([]float64, 2*w.width))
	}
	out := w.out[ply]
	turn := w.state.Turn()
	switch {
	case w.over():
		return out
	case turn == game.Nobody:
		k := w.eval.Terminal(w.state.Utility(0))
		for i, l := range w.damaged {
			out[i] = l.Terminal(k, w.sign)
		}
		w.spread(out)
		return out
	case depth == 0 && (turn >= 0 || w.after):
		w.leaf(out)
		return out
	}
	key := tableKey{w.state.Hash(), int32(depth)}
	parent := w.parent
	switch {
	case turn >= 0:
		parent = key.hash
	case depth == 0 && w.shares:
		key.hash ^= game.Mix(parent) // the leaves behind nature's moves depend on the decision before them
	}
	if at, ok := w.known[key]; ok {
		return w.memory[at : int(at)+w.width]
	}
	first := len(w.moves)
	w.moves = w.state.Moves(w.moves)
	last := len(w.moves)
	if turn == game.Chance {
		w.natural(depth, ply, first, last, parent)
	} else {
		w.decide(depth-1, ply, first, last, parent, turn == w.me)
	}
	w.moves = w.moves[:first]
	w.known[key] = int32(len(w.memory))
	w.memory = append(w.memory, out...)
	return out
}

// spread copies the values of the first slip's world to the others'.
func (w *treeWalk) spread(out []float64) {
	for k := len(w.damaged); k < len(out); k += len(w.damaged) {
		copy(out[k:], out[:len(w.damaged)])
	}
}

func (w *treeWalk) leaf(out []float64) {
	lo, hi := w.limits()
	x := w.arg.Of(w.state)
	for i, l := range w.damaged {
		out[i] = l.value(w.state, w.parent, x, lo, hi, w.sign)
	}
	w.spread(out)
}

// limits are the grades between which the end must lie for player 0.
func (w *treeWalk) limits() (lo, hi int) {
	if w.bounds == nil {
		return -Grades, Grades
	}
	l, h := w.bounds.Bounds(0)
	return w.eval.Terminal(l), w.eval.Terminal(h)
}

// decide is a node where a player chooses, or slips.
func (w *treeWalk) decide(below, ply, first, last int, parent uint64, maximize bool) {
	best, sum := w.acc[ply][:w.width], w.acc[ply][w.width:]
	w.each(below, ply, first, last, parent, func(i int, v []float64) {
		if i == first {
			copy(best, v)
			copy(sum, v)
			return
		}
		for j, x := range v {
			if maximize == (x > best[j]) && x != best[j] {
				best[j] = x
			}
			sum[j] += x
		}
	})
	out, n := w.out[ply], float64(last-first)
	damages := len(w.damaged)
	for k, p := range w.slips {
		for j := k * damages; j < (k+1)*damages; j++ {
			out[j] = best[j]
			if p > 0 {
				out[j] = float64((1-p)*best[j]) + float64(p*(sum[j]/n))
			}
		}
	}
}

// natural is a chance node of the game itself.
func (w *treeWalk) natural(depth, ply, first, last int, parent uint64) {
	acc := w.acc[ply][:w.width]
	if w.nature == opposes {
		maximize := w.chance.For() != w.me
		w.each(depth, ply, first, last, parent, func(i int, v []float64) {
			for j, x := range v {
				if i == first || maximize == (x > acc[j]) && x != acc[j] {
					acc[j] = x
				}
			}
		})
	} else {
		clear(acc)
		for i := first; i < last; i++ {
			p := w.chance.Prob(w.moves[i])
			w.parent = parent
			w.state.Play(w.moves[i])
			for j, x := range w.node(depth, ply+1) {
				acc[j] += float64(p * x)
			}
			w.state.Undo()
		}
	}
	copy(w.out[ply], acc)
}

func (w *treeWalk) each(depth, ply, first, last int, parent uint64, of func(i int, v []float64)) {
	for i := first; i < last; i++ {
		w.parent = parent
		w.state.Play(w.moves[i])
		of(i, w.node(depth, ply+1))
		w.state.Undo()
	}
}

// compares reports whether the walk compares values and never averages them.
func (w *treeWalk) compares() bool {
	return len(w.slips) == 1 && w.slips[0] == 0 && (w.chance == nil || w.nature == opposes)
}

// cut is node by alpha-beta, for one damage in a world without chance.
func (w *treeWalk) cut(depth int, alpha, beta float64) float64 {
	turn := w.state.Turn()
	switch {
	case w.over():
		return 0
	case turn == game.Nobody:
		return w.damaged[0].Terminal(w.eval.Terminal(w.state.Utility(0)), w.sign)
	case depth == 0 && (turn >= 0 || w.after):
		lo, hi := w.limits()
		return w.damaged[0].value(w.state, w.parent, w.arg.Of(w.state), lo, hi, w.sign)
	}
	below, maximize, parent := depth, turn == w.me, w.parent
	if turn >= 0 {
		below--
		parent = w.deciding()
	} else {
		maximize = w.chance.For() != w.me
	}
	first := len(w.moves)
	w.moves = w.state.Moves(w.moves)
	best := math.Inf(1)
	if maximize {
		best = math.Inf(-1)
	}
	for i, last := first, len(w.moves); i < last && alpha < beta; i++ {
		w.parent = parent
		w.state.Play(w.moves[i])
		v := w.cut(below, alpha, beta)
		w.state.Undo()
		if maximize {
			best = math.Max(best, v)
			alpha = math.Max(alpha, v)
		} else {
			best = math.Min(best, v)
			beta = math.Min(beta, v)
		}
	}
	w.moves = w.moves[:first]
	return best
}
