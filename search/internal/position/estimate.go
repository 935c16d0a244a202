package position

import "math"

// Estimates and proofs: what the end of a game pays lies inside closed bounds, of
// the state ([game.Bounder]) or of the game, and every search keeps what an
// evaluation expects strictly inside them. So a value at a bound is one that was
// found at ends of the game: a win that can be forced, never an evaluation that
// says more than there is to win.
//
// A plain clamp would do that, too, and would make all positions alike whose sums
// lie beyond a bound (an evaluation without a link says 1.4 of one won position
// and 2.3 of a better one). So the thin margin at each bound is shared between
// what lies in it and what lies beyond.

// margin is the width of the squeezed strip at a bound, as a share of the range:
// no estimate inside the range moves by more than half of it, so that values of
// +-1 stay to 1e-9.
const margin = 5e-10

// Inside is the estimate v kept strictly between lo and hi: v itself, bit for
// bit, where it is at least a margin away from them. In the margin m below hi,
//
//	v in [hi-m, hi]   ->  hi-m .. hi-m/2   in proportion
//	v above hi        ->  hi-m/2 .. hi-m/4  by (hi-m/4) - m/4 / (1 + (v-hi)/(hi-lo))
//
// and likewise above lo. It is increasing and symmetric: -inside(v, lo, hi) is
// inside(-v, -hi, -lo). The last quarter stays empty, so that averages of
// estimates, rounded, do not reach the bound. As far beyond hi as the range is
// wide, sums are told apart that differ by about a millionth of it.
//
// Where a bound is infinite it is a plain clamp, as it is between bounds too
// close together for numbers to lie between.
func Inside(v, lo, hi float64) float64 {
	width := hi - lo
	m := float64(width * margin)
	switch {
	case v > lo+m && v < hi-m:
		return v
	case !(width < math.Inf(1)):
		return clamp(v, lo, hi)
	case v >= hi-m:
		v = min(hi-squeeze(v-hi, width), Under(hi))
	case v <= lo+m:
		v = max(lo+squeeze(lo-v, width), Above(lo))
	}
	return clamp(v, lo, hi)
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

// clamp is the number nearest to v between lo and hi.
func clamp(v, lo, hi float64) float64 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

// Tolerance is how far apart two values may lie and be as good as each other.
func Tolerance(v float64) float64 { return float64(1e-9 * math.Max(1, math.Abs(v))) }

// Rounding is how far apart equal values may lie that were summed up in another
// order. It is what a move is chosen by: estimates beyond a bound differ by less
// than tolerance ([Inside]), and the better one is played.
func Rounding(v float64) float64 { return float64(1e-14 * math.Max(1, math.Abs(v))) }

// Above and under are the nearest numbers on either side of a finite x.
func Above(x float64) float64 { return math.Nextafter(x, inf) }
func Under(x float64) float64 { return math.Nextafter(x, -inf) }

var inf = math.Inf(1)
