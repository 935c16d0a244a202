package position

import "math"

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
