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

// treeWalk evaluates the tree below a position through a damage, in a world with a slip. Its values
// are those of search's planners, by a test. In a world with slip p a move is worth (1-p) of what it
// leads to and p of the mean over all moves, so a slippery tree is no larger.
//
// Values are those of the player at the root, in half ranges from the middle, damage included. It
// belongs to one goroutine.
type treeWalk struct {
	eval    *Evaluation
	arg     *argument
	damaged *Damaged
	slip    float64 // 0: none
	depth   int     // decisions
	nature  nature
	after   bool // leaves are afterstates

	state  game.State
	chance game.Chancer
	bounds game.Bounder
	sign   int // of the root's player: 1 for player 0
	me     game.Player
	parent uint64 // hash of the position that the last decision was taken in; set where the damage shares
	known  map[tableKey]float64
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

// newWalk makes a walk of so many decisions through the damage, in the world of the slip.
func newWalk(e *Evaluation, depth int, nature nature, slip float64, d Damage) *treeWalk {
	return &treeWalk{eval: e, arg: e.Argument(e.Model), damaged: e.Damaged(d), slip: slip, depth: depth, nature: nature, after: e.Leaves == models.Afterstate, known: map[tableKey]float64{}}
}

// Values are what each move at s, a base state, is worth to player root: the value of the position
// that the move leads to, before it may slip itself.
func (w *treeWalk) Values(s game.State, root game.Player) (moves []game.Move, values []float64) {
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
		values = append(values, w.node(below))
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
	w.moves = w.moves[:0]
	w.parent = w.deciding()
}

// deciding is the hash of the present position where the damage depends on it, else 0.
func (w *treeWalk) deciding() uint64 {
	if w.damaged.shares() {
		return w.state.Hash()
	}
	return 0
}

func (w *treeWalk) node(depth int) float64 {
	turn := w.state.Turn()
	if v, ended := w.end(depth, turn); ended {
		return v
	}
	key := tableKey{w.state.Hash(), int32(depth)}
	below, maximize, parent := depth, turn == w.me, w.parent
	switch {
	case turn >= 0:
		below, parent = depth-1, key.hash
	case depth == 0 && w.damaged.shares():
		key.hash ^= game.Mix(parent) // the leaves behind nature's moves depend on the decision before them
	}
	if v, ok := w.known[key]; ok {
		return v
	}
	averaged := turn == game.Chance && w.nature == averages
	if turn == game.Chance {
		maximize = w.chance.For() != w.me
	}
	first := len(w.moves)
	w.moves = w.state.Moves(w.moves)
	last := len(w.moves)
	best, sum := 0.0, 0.0
	for i := first; i < last; i++ {
		m, p := w.moves[i], 1.0
		if averaged {
			p = w.chance.Prob(m)
		}
		w.parent = parent
		w.state.Play(m)
		v := w.node(below)
		w.state.Undo()
		if i == first || maximize == (v > best) && v != best {
			best = v
		}
		sum += float64(p * v)
	}
	w.moves = w.moves[:first]
	switch {
	case averaged:
		best = sum
	case turn >= 0 && w.slip > 0:
		best = float64((1-w.slip)*best) + float64(w.slip*(sum/float64(last-first)))
	}
	w.known[key] = best
	return best
}

// end is the value of the present position where the walk goes no deeper.
func (w *treeWalk) end(depth int, turn game.Player) (v float64, ended bool) {
	switch {
	case w.over():
		return 0, true
	case turn == game.Nobody:
		return w.damaged.Terminal(w.eval.Terminal(w.state.Utility(0)), w.sign), true
	case depth == 0 && (turn >= 0 || w.after):
		lo, hi := w.limits()
		return w.damaged.value(w.state, w.parent, w.arg.Of(w.state), lo, hi, w.sign), true
	}
	return 0, false
}

// limits are the grades between which the end must lie for player 0.
func (w *treeWalk) limits() (lo, hi int) {
	if w.bounds == nil {
		return -Grades, Grades
	}
	l, h := w.bounds.Bounds(0)
	return w.eval.Terminal(l), w.eval.Terminal(h)
}

// compares reports whether the walk compares values and never averages them.
func (w *treeWalk) compares() bool {
	return w.slip == 0 && (w.chance == nil || w.nature == opposes)
}

// cut is node by alpha-beta, in a world without chance.
func (w *treeWalk) cut(depth int, alpha, beta float64) float64 {
	turn := w.state.Turn()
	if v, ended := w.end(depth, turn); ended {
		return v
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
