package position

import (
	"math"

	"plyfit/game"
)

// An evaluator is a static evaluation. See search.Evaluator.
type evaluator interface {
	Evaluate(s game.State, p game.Player) float64
}

// A tracker is an evaluator that is updated incrementally. See search.Tracker.
type tracker interface {
	evaluator
	Reset(s game.State)
	Push(s game.State, m game.Move)
	Pop()
}

// static evaluates the leaves of a search.
type static struct {
	eval    evaluator
	tracker tracker // eval if it is a tracker, otherwise nil

	Ignorant   bool    // eval is Zero and the game has no score
	Constant   bool    // Ignorant is set, and there are no bounds to which Blank must be clamped
	Blank      float64 // value of every leaf if Constant is set: the middle of the range
	Points     bool    // the game has a score, and the current score is both a bound and an estimate
	Strict     bool    // estimates lie strictly inside the bounds, so a value at a bound is a proof
	Raw        bool    // estimates are not limited to the bounds
	Afterstate bool    // leaves are positions after a player's move and before nature's
}

// bind sets the evaluation for the position p, whose state and bounds must already be bound.
func (e *static) bind(p *Position, eval evaluator, afterstate bool) {
	e.eval, e.Afterstate = eval, afterstate
	if e.tracker, _ = eval.(tracker); e.tracker != nil {
		e.tracker.Reset(p.Base)
	}
	e.Ignorant, e.Constant, e.Blank = false, false, 0
	_, e.Points = game.As[game.Scorer](p.State)
	if z, ok := eval.(Zero); ok && !e.Points {
		e.Ignorant, e.Constant = true, p.Bounder == nil
		e.Blank = z.Evaluate(p.Base, p.Me) // the middle of the range is the same for both players
	}
	e.Strict = !e.Points && (!e.Ignorant || e.Constant && e.Blank > p.Shape.Min && e.Blank < p.Shape.Max)
}

// Evaluate returns the static value of an unfinished position. Unless Raw is set, the value lies
// strictly inside the bounds ([game.Inside]), with two exceptions. In games with a score, it may
// lie at a bound. With [Zero] it is the middle of the range, or the bound nearest to the middle.
func (p *Position) Evaluate() float64 {
	p.Effort.Evaluations++
	if p.Static.Constant {
		p.Effort.Estimates++
		return p.Static.Blank
	}
	var v float64
	if p.Turned {
		v = Total(p.Shape) - p.Static.eval.Evaluate(p.Base, 0)
	} else {
		v = p.Static.eval.Evaluate(p.Base, p.Me)
	}
	if p.Static.Raw {
		p.Effort.Estimates++
		return v
	}
	lo, hi := p.Bounds()
	if lo < hi {
		p.Effort.Estimates++
	}
	if p.Static.Points || p.Static.Ignorant {
		return game.Clamp(v, lo, hi)
	}
	return game.Inside(v, lo, hi)
}

// Zero is an evaluation without any knowledge of the game. In games with a score it is the current
// score. In other games it is the middle of the range, or 0 if the range has no middle.
type Zero struct{ Game *game.Game }

func (z Zero) Evaluate(s game.State, p game.Player) float64 {
	if sc, ok := game.As[game.Scorer](s); ok {
		if p > 0 && z.Game.Players == 2 && z.Game.Sum == game.Zero {
			return -sc.Score(0)
		}
		return sc.Score(p)
	}
	sh := game.ShapeOf(z.Game, s)
	if mid := float64((sh.Min + sh.Max) / 2); mid-mid == 0 {
		return mid
	}
	return 0
}

// Tolerance returns the maximum difference between values that count as equally good.
func Tolerance(v float64) float64 { return float64(1e-9 * math.Max(1, math.Abs(v))) }

// Rounding returns the maximum difference between equal values that were summed in a different
// order. Moves are compared with this tolerance rather than with Tolerance. Estimates beyond a
// bound differ by less than Tolerance ([game.Inside]), and the move with the better estimate should
// still be played.
func Rounding(v float64) float64 { return float64(1e-14 * math.Max(1, math.Abs(v))) }

// Above and Under return the nearest floating-point numbers on either side of a finite x.
func Above(x float64) float64 { return math.Nextafter(x, inf) }
func Under(x float64) float64 { return math.Nextafter(x, -inf) }

var inf = math.Inf(1)

// tracked is a position together with a [tracker], which it updates along the line of play.
type tracked struct {
	pos    *Position
	pushed []bool // used only with a Slip: whether each Play updated the tracker
}

// Play plays the move m. It updates the tracker unless m is only the intended move and may still
// slip.
func (t *tracked) Play(m game.Move) {
	p := t.pos
	moves := true
	if p.Slip != nil {
		_, pending := p.Slip.Intended()
		moves = pending || p.Base.Turn() < 0
		t.pushed = append(t.pushed, moves)
	}
	if moves {
		p.Static.tracker.Push(p.Base, m)
	}
	p.State.Play(m)
}

// Undo undoes the last call to Play.
func (t *tracked) Undo() {
	p := t.pos
	p.State.Undo()
	if p.Slip != nil {
		last := len(t.pushed) - 1
		moved := t.pushed[last]
		t.pushed = t.pushed[:last]
		if !moved {
			return
		}
	}
	p.Static.tracker.Pop()
}
