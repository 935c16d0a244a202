package arena

import (
	"strings"
	"testing"

	"plyfit/arena/stats"
)

// TestCorrect: conclusions of several matches are drawn together by Holm; those of a
// sequential test, and matches without a figure, stay as they are.
func TestCorrect(t *testing.T) {
	match := func(c Conclusion, p float64) *Result {
		return &Result{A: "a", B: "b", Measure: Wins, Games: 20, Pairs: 10, Conclusion: c, P: p, Score: stats.Estimate{Value: 0.6, Low: 0.51, High: 0.69, Known: true, Bounded: true}}
	}
	clear, slight, open := match(BetterA, 0.001), match(BetterA, 0.04), match(Undecided, 0.5)
	same, tested := match(Same, 1), match(BetterA, 0.04)
	tested.SPRT = &SPRTResult{Decision: stats.AcceptHigh}
	Correct(clear, slight, open, same, tested)
	for name, c := range map[string]struct {
		r    *Result
		want Conclusion
		p    float64
	}{"clear": {clear, BetterA, 0.003}, "slight": {slight, Undecided, 0.08}, "open": {open, Undecided, 0.5}, "same": {same, Same, 0}, "tested": {tested, BetterA, 0}} {
		if c.r.Conclusion != c.want || c.r.Corrected != c.p {
			t.Errorf("%s: %v, p %v, want %v and %v", name, c.r.Conclusion, c.r.Corrected, c.want, c.p)
		}
	}
	if !strings.Contains(slight.Sentence, "p 0.04 alone, 0.08 as one of 3 comparisons (Holm)") || strings.Contains(open.Sentence, "Holm") {
		t.Errorf("%q and %q", slight.Sentence, open.Sentence)
	}
	alone := match(BetterA, 0.04)
	if Correct(alone); alone.Conclusion != BetterA || alone.Family != 0 {
		t.Errorf("alone: %+v", alone)
	}
}
