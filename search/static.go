package search

import "plyfit/game"

// static is the static evaluation of leaves.
type static struct {
	eval    Evaluator
	tracker Tracker // eval, where it is one

	ignorant   bool    // eval says blank of every position
	constant   bool    // and there are no bounds to clamp that to
	blank      float64 // the middle of the range
	points     bool    // the game is one of points: what one has is a bound, and an estimate
	strict     bool    // estimates lie strictly inside the bounds, so that a value at a bound is proven
	raw        bool    // estimates are what the evaluation says, outside of the bounds, too
	afterstate bool    // leaves are positions after a move, before nature's
}

// bind takes eval for the position p, whose state and bounds are bound.
func (e *static) bind(p *position, eval Evaluator, afterstate bool) {
	e.eval, e.afterstate = eval, afterstate
	if e.tracker, _ = eval.(Tracker); e.tracker != nil {
		e.tracker.Reset(p.base)
	}
	e.ignorant, e.constant, e.blank = false, false, 0
	_, e.points = game.As[game.Scorer](p.state)
	if z, ok := eval.(zero); ok && !e.points {
		e.ignorant, e.constant = true, p.bounder == nil
		e.blank = z.Evaluate(p.base, p.me) // the middle: the same for both
	}
	e.strict = !e.points && (!e.ignorant || e.constant && e.blank > p.shape.Min && e.blank < p.shape.Max)
}

// evaluate is the static value of a position that is not over, kept inside what
// its end can be worth: strictly ([inside]), but for two kinds of estimates that
// may stand at a bound. In games of points the points that one has are one. Zero
// says the middle of the range, or the bound that is nearest to it.
func (p *position) evaluate() float64 {
	p.effort.stats.Evaluations++
	if p.static.constant {
		p.effort.estimates++
		return p.static.blank
	}
	var v float64
	if p.turned {
		v = total(p.shape) - p.static.eval.Evaluate(p.base, 0)
	} else {
		v = p.static.eval.Evaluate(p.base, p.me)
	}
	if p.static.raw {
		p.effort.estimates++
		return v
	}
	lo, hi := p.bounds()
	if lo < hi {
		p.effort.estimates++
	}
	if p.static.points || p.static.ignorant {
		return clamp(v, lo, hi)
	}
	return inside(v, lo, hi)
}

// Zero is the evaluation that knows nothing: the current score in games of
// score, the middle of the range elsewhere (0 where the range has no middle).
func Zero(g *game.Game) Evaluator { return zero{g} }

type zero struct{ g *game.Game }

func (z zero) Evaluate(s game.State, p game.Player) float64 {
	if sc, ok := game.As[game.Scorer](s); ok {
		if p > 0 && z.g.Players == 2 && z.g.Sum == game.Zero {
			return -sc.Score(0)
		}
		return sc.Score(p)
	}
	sh := game.ShapeOf(z.g, s)
	if mid := float64((sh.Min + sh.Max) / 2); mid-mid == 0 {
		return mid
	}
	return 0
}
