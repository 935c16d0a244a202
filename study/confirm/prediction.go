package confirm

import (
	"encoding/json"
	"fmt"
	"math"

	"plyfit/internal/elementary"
	"plyfit/stats"
	"plyfit/study"
)

// Prediction is what the law says of the units of a source in a world, at the depth of
// the law: what calibrating gains under expectimax, in the measure of the world.
type Prediction struct {
	World     string  `json:"world"`
	Source    string  `json:"source"`
	Held      bool    `json:"held_out"`
	Slope     float64 `json:"slope"` // median
	Predicted float64 `json:"predicted"`
	Observed  float64 `json:"observed"`
}

// MarshalJSON implements [json.Marshaler]: a figure that nothing says is null.
func (q Prediction) MarshalJSON() ([]byte, error) {
	type plain Prediction
	out := struct {
		plain
		Slope     *float64 `json:"slope"`
		Predicted *float64 `json:"predicted"`
		Observed  *float64 `json:"observed"`
	}{plain: plain(q)}
	for to, x := range map[**float64]*float64{&out.Slope: &q.Slope, &out.Predicted: &q.Predicted, &out.Observed: &q.Observed} {
		if !math.IsNaN(*x) {
			*to = x
		}
	}
	return json.Marshal(out)
}

// Constants are those of the law, by which the predictor is multiplied: for losses in
// games, counted or played, and for regret.
type Constants struct {
	Games  float64 `json:"games"`
	Regret float64 `json:"regret"`
}

// of is the constant of a world's measure.
func (c Constants) of(w *World) float64 {
	if w.Measure == byRegret {
		return c.Regret
	}
	return c.Games
}

// constants are found by least squares through 0 over the groups of worlds that the law
// is fitted to; 0 where there are none.
func (p *Protocol) constants(rows []Row, name string) Constants {
	return Constants{p.constant(rows, name, false), p.constant(rows, name, true)}
}

func (p *Protocol) constant(rows []Row, name string, regret bool) float64 {
	var xy, xx float64
	for _, g := range p.groups(rows) {
		if g.world.Role != fits || regret != (g.world.Measure == byRegret) || g.depth != p.Law.Depth {
			continue
		}
		x, y := g.mean(func(r *Row) float64 { return r.predicts(name) }), gain(g)
		if !math.IsNaN(x) {
			xy, xx = xy+float64(x*y), xx+float64(x*x)
		}
	}
	if xx == 0 {
		return 0
	}
	return xy / xx
}

// predictions are those of all groups of worlds that are something to the law; what was observed is NaN where nothing was yet.
func (p *Protocol) predictions(rows []Row, name string, constants Constants) (out []Prediction) {
	for _, g := range p.groups(rows) {
		if g.world.Role != "" && g.depth == p.Law.Depth {
			x := g.mean(func(r *Row) float64 { return r.predicts(name) })
			out = append(out, Prediction{g.world.ID, g.source.ID, g.world.Role == held, g.slope(), float64(constants.of(g.world) * x), gain(g)})
		}
	}
	return out
}

// fit is how well predictions do: the correlation, and the slope of what was observed on
// what was predicted with its standard error.
type fit struct {
	n                        int
	correlation, slope, se   float64
	meanPredicted, meanFound float64
}

func fitOf(list []Prediction, wanted func(Prediction) bool) fit {
	var x, y []float64
	for _, q := range list {
		if wanted(q) && !math.IsNaN(q.Predicted) && !math.IsNaN(q.Observed) {
			x, y = append(x, q.Predicted), append(y, q.Observed)
		}
	}
	f := fit{n: len(x), meanPredicted: study.Mean(x), meanFound: study.Mean(y)}
	var xx, xy, yy float64
	for i := range x {
		dx, dy := x[i]-f.meanPredicted, y[i]-f.meanFound
		xx, xy, yy = xx+float64(dx*dx), xy+float64(dx*dy), yy+float64(dy*dy)
	}
	f.correlation, f.slope = xy/math.Sqrt(xx*yy), xy/xx
	f.se = math.Sqrt(max(0, yy-float64(f.slope*xy)) / float64(f.n-2) / xx)
	return f
}

// decideLaw: in the worlds that are held out the law's predictions correlate with what is
// found by more than margins[0], and their slope lies from margins[1] to margins[2].
func decideLaw(p *Protocol, h *Hypothesis, rows []Row) Decision {
	name := p.Law.Predictor
	constants := p.constants(rows, name)
	all := p.predictions(rows, name, constants)
	if p.null != nil { // what was found stands beside another prediction
		var found []*float64
		for i := range all {
			if all[i].Held {
				found = append(found, &all[i].Observed)
			}
		}
		study.NewRand(p.null.seed).Shuffle(len(found), func(i, k int) { *found[i], *found[k] = *found[k], *found[i] })
	}
	f := fitOf(all, func(q Prediction) bool { return q.Held })
	v := Decision{P: 1, Estimate: study.Interval{Value: f.correlation, Low: math.Inf(-1), High: math.Inf(1)}, Groups: f.n, What: "correlation of prediction and gain where held out"}
	worlds := map[string]bool{}
	for _, q := range all {
		if q.Held {
			worlds[q.World] = true
		}
	}
	v.Worlds = len(worlds)
	if f.n < 4 || math.IsNaN(f.correlation) {
		return v
	}
	width := 1 / math.Sqrt(float64(f.n-3)) // Fisher 1921
	z := elementary.Atanh(max(-0.999999, min(0.999999, f.correlation)))
	v.Estimate.Low, v.Estimate.High = elementary.Tanh(z-float64(1.96*width)), elementary.Tanh(z+float64(1.96*width))
	v.P = elementary.Erfc((z-elementary.Atanh(h.Margins[0]))/width/math.Sqrt2) / 2
	freedom := float64(f.n - 2)
	v.P = max(v.P, stats.Above((f.slope-h.Margins[1])/f.se, freedom), stats.Above((h.Margins[2]-f.slope)/f.se, freedom))
	half := float64(stats.T95(freedom) * f.se)
	v.against = v.Estimate.High < h.Margins[0] || f.slope+half < h.Margins[1] || f.slope-half > h.Margins[2]
	v.Note = fmt.Sprintf("slope of what was found on what was predicted %.2f (%.2f to %.2f); constant %.3g of games, %.3g of regret", f.slope, f.slope-half, f.slope+half, constants.Games, constants.Regret)
	for _, other := range predictors {
		if other != name {
			o := fitOf(p.predictions(rows, other, p.constants(rows, other)), func(q Prediction) bool { return q.Held })
			v.Note += fmt.Sprintf("; by %s correlation %.2f, slope %.2f", other, o.correlation, o.slope)
		}
	}
	return v
}
