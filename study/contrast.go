package study

import (
	"fmt"
	"math"
)

// Losses are what a planner lost in a cell, by unit and opening, in shares of the
// points. Exact says that nothing was sampled: all positions were counted, or a theorem
// says so. That is a property of the cell, whatever its figures are.
type Losses struct {
	Nested
	Exact bool
}

// Interval is the mean with its 95% interval.
func (l Losses) Interval() Interval {
	if l.Exact {
		return Exactly(Mean(l.Units()))
	}
	return l.Nested.Interval()
}

// Less are the losses less others on the same openings.
func (l Losses) Less(o Losses) Losses {
	out := Losses{make(Nested, len(l.Nested)), l.Exact && o.Exact}
	for i, row := range l.Nested {
		out.Nested[i] = make([]float64, len(row))
		for j, x := range row {
			out.Nested[i][j] = x - o.Nested[i][j]
		}
	}
	return out
}

// Over is the ratio to other losses on the same openings; known: those are clearly above 0.
func (l Losses) Over(o Losses) (ratio Interval, known bool) {
	if o.Exact {
		of := Mean(o.Units())
		return l.Interval().Times(1 / of), of > 0
	}
	ratio = ratioOfMeans(l.Nested, o.Nested)
	return ratio, !math.IsInf(ratio.Low, 0)
}

// Contrast is what one error costs two planners in one world, on the same openings.
type Contrast struct{ Expectimax, Minimax Losses }

// Difference is what expectimax loses more.
func (c Contrast) Difference() Interval { return c.Expectimax.Less(c.Minimax).Interval() }

// Ratio is what expectimax loses over what minimax does.
func (c Contrast) Ratio() (ratio Interval, known bool) { return c.Expectimax.Over(c.Minimax) }

// RatioText is the ratio in tables; "-" where minimax does not clearly lose anything.
func (c Contrast) RatioText() string {
	if i, known := c.Ratio(); known {
		return i.Format(2)
	}
	return "-"
}

// String is both losses and their ratio.
func (c Contrast) String() string {
	return fmt.Sprintf("expectimax loses %s, minimax %s, E/M %s", c.Expectimax.Interval().Format(4), c.Minimax.Interval().Format(4), c.RatioText())
}

// Alike is how far the ratio of two planners' losses may be from 1, up or down, and
// count as the same. A margin in points would say so of any loss that is smaller.
const Alike = 1.25

// Same is the claim that an error costs both planners the same: that the ratio of the
// losses lies within 1/Alike to Alike, by two one-sided tests of expectimax's losses less
// so many times minimax's. Where minimax does not clearly lose anything there is no
// ratio, and the claim is not decided, unless one of them gains what the other loses.
func (c Contrast) Same(claim string) Finding {
	v := Finding{Claim: claim, Support: NotDecided, Figure: c.String(), P: 1}
	ratio, known := c.Ratio()
	e, m, d := c.Expectimax.Interval(), c.Minimax.Interval(), c.Difference()
	switch {
	case !known:
		if e.Low > 0 && m.High <= 0 || e.High <= 0 && m.Low > 0 {
			v.Support, v.P = Contradicted, d.p(0)
		}
		return v
	case ratio.Low > Alike || ratio.High < 1/Alike:
		v.Support, v.P = Contradicted, d.p(0)
		return v
	case ratio.Exact():
		v.Support, v.P = Supported, 0
		return v
	}
	v.P = max(c.less(Alike), c.more(1/Alike))
	apart := d.Low > 0 || d.High < 0
	if v.P < 0.05 && !(apart && (ratio.High > Alike || ratio.Low < 1/Alike)) {
		v.Support = Supported
	}
	return v
}

// less and more are p-values of expectimax losing less, or more, than so many times minimax's loss.
func (c Contrast) less(times float64) float64 { return TTest(c.beyond(times), Below, 0) }
func (c Contrast) more(times float64) float64 { return TTest(c.beyond(times), Above, 0) }

func (c Contrast) beyond(times float64) []float64 {
	out := append([]float64(nil), c.Expectimax.Units()...)
	for i, y := range c.Minimax.Units() {
		out[i] -= float64(times * y)
	}
	return out
}

// Costs is the claim that an error costs a planner points. It is negligible where the
// whole interval lies within a twentieth of what no evaluation at all costs that planner
// there, if that is clearly something.
func (l Losses) Costs(claim string, nothing Losses) Finding {
	i := l.Interval()
	v := Decide(claim, i, Above, 0, "loss "+i.Format(4))
	if none := nothing.Interval(); none.Low > 0 {
		v.Figure += fmt.Sprintf(", %.1f%% of what no evaluation at all loses there, %s", 100*i.Value/none.Value, none.Format(4))
		v = v.OrNegligible(i, smallestShare*none.Value)
	}
	return v
}

// smallestShare is the smallest loss of interest, as a share of what no evaluation at all costs.
const smallestShare = 0.05
