package arena

import (
	"fmt"

	"plyfit/arena/stats"
)

// Correct concludes several matches together: at most one in twenty families of matches between
// equals has a better side (Holm 1979). Matches decided by a sequential test or without a figure
// keep their conclusion and do not count.
func Correct(results ...*Result) {
	var family []*Result
	var p []float64
	for _, r := range results {
		if c := r.Conclusion; r.SPRT == nil && (c == BetterA || c == BetterB || c == Undecided) && r.Score.Bounded {
			family, p = append(family, r), append(p, r.P)
		}
	}
	if len(family) < 2 {
		return
	}
	for k, adjusted := range stats.Holm(p) {
		r := family[k]
		r.Family, r.Corrected = len(family), adjusted
		if adjusted > 0.05 {
			r.Conclusion = Undecided
		}
		r.Sentence = say("sentence", r)
	}
}

// corrected reports whether the match decides nothing among others, although alone it would.
func (r *Result) corrected() bool {
	return r.Conclusion == Undecided && r.Family > 1 && r.P <= 0.05
}

// CorrectedText says why such a match decides nothing; "" for others.
func (r *Result) CorrectedText() string {
	if !r.corrected() {
		return ""
	}
	return fmt.Sprintf("p %.2g alone, %.2g as one of %d comparisons (Holm)", r.P, r.Corrected, r.Family)
}
