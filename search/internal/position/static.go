package position

import (
	"math"

	"plyfit/game"
)

// evaluator is a static evaluation, as search.Evaluator documents it.
type evaluator interface {
	Evaluate(s game.State, p game.Player) float64
}

// tracker is an evaluator that is kept up to date, as search.Tracker documents it.
type tracker interface {
	evaluator
	Reset(s game.State)
	Push(s game.State, m game.Move)
	Pop()
}

type static struct {
	eval    evaluator
	tracker tracker // eval, where it is one

	Ignorant   bool    // eval says blank of every position
	Constant   bool    // and there are no bounds to clamp that to
	Blank      float64 // the middle of the range
	Points     bool    // the game is one of points: what one has is a bound, and an estimate
	Strict     bool    // estimates lie strictly inside the bounds, so that a value at a bound is proven
	Raw        bool    // estimates are what the evaluation says, outside of the bounds, too
	Afterstate bool    // leaves are positions after a move, before nature's
}

// bind takes eval for the position p, whose state and bounds are bound.
func (e *static) bind(p *Position, eval evaluator, afterstate bool) {
	e.eval, e.Afterstate = eval, afterstate
	if e.tracker, _ = eval.(tracker); e.tracker != nil {
		e.tracker.Reset(p.Base)
	}
	e.Ignorant, e.Constant, e.Blank = false, false, 0
	_, e.Points = game.As[game.Scorer](p.State)
	if z, ok := eval.(Zero); ok && !e.Points {
		e.Ignorant, e.Constant = true, p.Bounder == nil
		e.Blank = z.Evaluate(p.Base, p.Me) // the middle: the same for both
	}
	e.Strict = !e.Points && (!e.Ignorant || e.Constant && e.Blank > p.Shape.Min && e.Blank < p.Shape.Max)
}

// Evaluate is the static value of an unfinished position, kept strictly inside the game's range
// ([game.Inside]), except two kinds of estimates that may lie at a bound: the points so far in
// games of points, and zero, which means the middle of the range or the bound nearest to it.
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

// Zero is the evaluation that knows nothing: the current score in games of
// score, the middle of the range elsewhere (0 where the range has no middle).
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

// Tolerance is how far apart two values may lie and be as good as each other.
func Tolerance(v float64) float64 { return float64(1e-9 * math.Max(1, math.Abs(v))) }

// Rounding is how far apart equal values summed in different order may lie. Moves are chosen by it:
// estimates beyond a bound differ by less than tolerance ([game.Inside]), and the better one is
// played.
func Rounding(v float64) float64 { return float64(1e-14 * math.Max(1, math.Abs(v))) }

// Above and under are the nearest numbers on either side of a finite x.
func Above(x float64) float64 { return math.Nextafter(x, inf) }
func Under(x float64) float64 { return math.Nextafter(x, -inf) }

var inf = math.Inf(1)

// tracked is a position whose evaluation is a [Tracker], updated along the line of play.
type tracked struct {
	pos    *Position
	pushed []bool // with slip: whether each Play told the tracker
}

// Play makes m and tells the tracker, unless m is only chosen and yet to slip.
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

// Undo takes the last Play back.
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
