package game

import "math"

// Estimates and proven values: the final value of a game lies inside closed bounds, either those of
// the state ([Bounder]) or those of the game. Except in games with points ([Scorer]), evaluations
// are kept strictly inside the bounds. A value that equals a bound therefore comes from finished
// games, not from an evaluation.
//
// A plain clamp would also achieve this, but it would give equal values to all positions whose
// evaluations lie beyond a bound. For example, an unlimited sum may evaluate one won position as
// 1.4 and a better one as 2.3. The thin margin at each bound is therefore divided between the
// values inside the margin and the values beyond the bound.

// margin is the width of the strip at each bound, as a fraction of the range. No estimate inside
// the range moves by more than half the strip, so values in [-1, 1] change by less than 1e-9.
const margin = 5e-10

// Inside returns the estimate v, moved strictly between lo and hi if necessary. If v is more than
// the margin m away from both bounds, it is returned unchanged. Near hi, values map as follows:
//
//	v in [hi-m, hi]   ->  hi-m .. hi-m/2    linearly
//	v above hi        ->  hi-m/2 .. hi-m/4  as (hi-m/4) - m/4 / (1 + (v-hi)/(hi-lo))
//
// The mapping near lo is the mirror image. The function is increasing and symmetric: changing the
// signs of v and both bounds changes the sign of the result. The last quarter of the margin stays
// empty, so that rounded averages of estimates do not reach the bound. If the bounds are infinite
// or too close together, Inside clamps v.
func Inside(v, lo, hi float64) float64 {
	width := hi - lo
	m := float64(width * margin)
	switch {
	case v > lo+m && v < hi-m:
		return v
	case !(width < math.Inf(1)):
		return Clamp(v, lo, hi)
	case v >= hi-m:
		v = min(hi-squeeze(v-hi, width), math.Nextafter(hi, math.Inf(-1)))
	case v <= lo+m:
		v = max(lo+squeeze(lo-v, width), math.Nextafter(lo, math.Inf(1)))
	}
	return Clamp(v, lo, hi)
}

// squeeze returns the distance from the bound at which an estimate is placed. over is the amount by
// which the estimate exceeds the bound. It is negative inside the margin.
func squeeze(over, width float64) float64 {
	m := float64(width * margin)
	if over <= 0 {
		return float64(m/2) - float64(over/2)
	}
	return float64(m/4) + m/4/(1+over/width)
}

// Clamp returns the number in [lo, hi] nearest to v.
func Clamp(v, lo, hi float64) float64 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

// Estimate returns v, player p's evaluation of s in the game g, limited to the results that are
// still possible. The limited value, kept, lies strictly inside the bounds lo and hi (see
// [Inside]). In games with points ([Scorer]), it may equal a bound, because the points collected so
// far are themselves a bound.
func Estimate(g *Game, s State, p Player, v float64) (kept, lo, hi float64) {
	shape := ShapeOf(g, s)
	lo, hi = shape.Min, shape.Max
	if b, ok := As[Bounder](s); ok {
		l, h := b.Bounds(p)
		lo, hi = max(lo, l), min(hi, h)
	}
	if _, points := As[Scorer](s); points {
		return Clamp(v, lo, hi), lo, hi
	}
	return Inside(v, lo, hi), lo, hi
}
