package game

import "math"

// Estimates and proofs: a game's final value lies inside closed bounds, of the state ([Bounder]) or
// of the game, and every search keeps an evaluation strictly inside them. So a value at a bound was
// found at ends of the game: a forced win, never an overestimate.
//
// A plain clamp would do that, too, but would equate all positions whose sums lie beyond a bound
// (an evaluation without a link may give one won position 1.4 and a better one 2.3). So the thin
// margin at each bound is shared between the values in it and those beyond.

// margin is the width of the squeezed strip at a bound, as a share of the range: no estimate inside
// the range moves by more than half of it, so values of +-1 stay to 1e-9.
const margin = 5e-10

// Inside is the estimate v kept strictly between lo and hi: v itself, bit for bit, where it is at
// least a margin away from them. In the margin m below hi,
//
//	v in [hi-m, hi]   ->  hi-m .. hi-m/2   in proportion
//	v above hi        ->  hi-m/2 .. hi-m/4  by (hi-m/4) - m/4 / (1 + (v-hi)/(hi-lo))
//
// and likewise above lo. It is increasing and symmetric: -inside(v, lo, hi) is inside(-v, -hi,
// -lo). The last quarter stays empty, so that rounded averages of estimates do not reach the bound.
// One range beyond hi, sums that differ by about a millionth of it still give different values.
// Infinite bounds, and those too close together, clamp plainly.
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

// squeeze is how far from a bound an estimate is put that lies beyond it by over,
// which is negative inside the margin.
func squeeze(over, width float64) float64 {
	m := float64(width * margin)
	if over <= 0 {
		return float64(m/2) - float64(over/2)
	}
	return float64(m/4) + m/4/(1+over/width)
}

// Clamp is the number nearest to v between lo and hi.
func Clamp(v, lo, hi float64) float64 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

// Estimate is v, what an evaluation expects of s for p in a world g, as a search takes
// it: within what the end can still be worth, strictly ([Inside]) but in games of points,
// where the points that one has are such a bound themselves. lo and hi are the bounds.
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
