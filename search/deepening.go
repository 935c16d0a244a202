package search

// deepest is the horizon of a search without a limit of depth.
const deepest = 1 << 20

// onward is the next horizon after depth, one decision deeper.
func onward(depth int) int { return depth + 1 }

// deepen is iterative deepening (Slate and Atkin 1977): it calls iterate with the horizons first,
// next(first), ... up to last, until deeper ones would find the same (final) or a limit stops it
// (done is false). It reports whether any iteration finished.
func deepen(first, last int, next func(depth int) int, iterate func(depth int) (final, done bool)) (finished bool) {
	for depth := first; depth <= last; depth = next(depth) {
		final, done := iterate(depth)
		if !done {
			return finished
		}
		if finished = true; final {
			break
		}
	}
	return finished
}
