package study

import (
	"fmt"

	"plyfit/arena/stats"
)

// Contrast is what one error costs two planners in one world, on the same openings: the losses of
// each in shares of the points, by unit and opening.
type Contrast struct{ Expectimax, Minimax stats.Sample }

// Difference is how much more expectimax loses.
func (c Contrast) Difference() stats.Estimate { return c.Expectimax.Less(1, c.Minimax).Estimate() }

// Ratio is what expectimax loses over what minimax loses; unknown unless minimax clearly loses
// something.
func (c Contrast) Ratio() stats.Estimate { return c.Expectimax.Over(c.Minimax) }

// RatioText formats a ratio in tables: "-" if it is unknown.
func RatioText(ratio stats.Estimate) string {
	if !ratio.Known {
		return "-"
	}
	return ratio.Range("%.2f", 1)
}

// LossText formats the mean of losses as a share of the points.
func LossText(losses stats.Sample) string { return losses.Estimate().Range("%.4f", 1) }

// Percent formats a share and its interval in percent, without the sign.
func Percent(e stats.Estimate) string { return e.Range("%.1f", 100) }

func (c Contrast) String() string {
	return fmt.Sprintf("expectimax loses %s, minimax %s, E/M %s", LossText(c.Expectimax), LossText(c.Minimax), RatioText(c.Ratio()))
}

// Alike is the factor by which two planners' losses may differ and count as the same. A margin in
// points would include any losses smaller than itself.
const Alike = 1.25

// Same decides the claim that an error costs both planners the same: that the ratio of the losses is
// within 1/Alike to Alike, by two one-sided tests. If minimax does not clearly lose anything there is
// no ratio, and the claim is not decided unless one of them gains what the other loses.
func (c Contrast) Same(claim string) Finding {
	v := Finding{Claim: claim, Support: NotDecided, Figure: c.String(), P: 1}
	ratio := c.Ratio()
	e, m, d := c.Expectimax.Estimate(), c.Minimax.Estimate(), c.Difference()
	gains := func(e stats.Estimate) bool { return e.Bounded && e.High <= 0 }
	switch {
	case !ratio.Known && (e.Above(0) && gains(m) || gains(e) && m.Above(0)), ratio.Above(Alike) || ratio.Below(1/Alike):
		v.Support, v.P = Contradicted, d.P(0)
	case ratio.Exact():
		v.Support, v.P = Supported, 0
	case ratio.Known:
		_, less := c.Expectimax.Less(Alike, c.Minimax).Test(0)
		more, _ := c.Expectimax.Less(1/Alike, c.Minimax).Test(0)
		v.P = max(less, more)
		apart := d.Above(0) || d.Below(0)
		if v.P < 0.05 && !(apart && (ratio.High > Alike || ratio.Low < 1/Alike)) {
			v.Support = Supported
		}
	}
	return v
}

// smallestShare is the smallest loss of interest, as a share of what no evaluation at all costs.
const smallestShare = 0.05

// Costs decides the claim that an error costs a planner points. nothing holds the planner's losses
// with no evaluation at all. Losses are negligible if the whole interval is within smallestShare of
// them, provided that they are clearly above 0.
func Costs(claim string, losses, nothing stats.Sample) Finding {
	e := losses.Estimate()
	v := Decide(claim, e, Above, 0, "loss "+LossText(losses))
	if none := nothing.Estimate(); none.Above(0) {
		v.Figure += fmt.Sprintf(", %.1f%% of what no evaluation at all loses there, %s", 100*e.Value/none.Value, LossText(nothing))
		v = v.OrNegligible(e, smallestShare*none.Value)
	}
	return v
}
