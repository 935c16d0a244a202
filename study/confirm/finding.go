package confirm

import (
	"encoding/json"
	"fmt"
	"math"

	"plyfit/study"
)

// Tested is what became of a hypothesis.
type Tested struct {
	ID       string         `json:"id"`
	Claim    string         `json:"claim"`
	Error    string         `json:"error,omitempty"` // of any: the one that shows it best
	Units    int            `json:"units"`
	Estimate study.Interval `json:"estimate"` // share of the points
	Plies    study.Interval `json:"plies"`    // of planners: the estimate over one ply's worth to the treatment
	P        float64        `json:"p"`
	Holm     float64        `json:"p_holm"`
	Support  study.Support  `json:"verdict"`
}

// sample is what decides a hypothesis: independent figures, and what one ply is
// worth where a margin or a reader asks for it.
type sample struct {
	effect study.Nested // a row a unit
	ply    study.Nested // nil: there is none
	any    []sample     // of any, those of each error
	fades  []faded      // of fade, those of each planner: the worst of them decides
	few    bool         // the world was not played, for want of units
	units  int          // that are left there
}

// faded is how two errors fade under one planner: a figure a unit.
type faded struct {
	first [2][]float64 // what each error costs at the smaller depth
	left  []float64    // see [Hypothesis]; nil: the second error costs nothing there
}

// samples are those of all hypotheses.
func (l *plan) samples() []sample {
	out := make([]sample, len(l.protocol.Hypotheses))
	for i := range l.protocol.Hypotheses {
		h := &l.protocol.Hypotheses[i]
		if world := h.arms()[0].World; l.tooFew(world) {
			out[i] = sample{few: true, units: len(l.units[world])}
			continue
		}
		switch h.Estimand {
		case fade:
			out[i] = l.fadeSample(h, nil)
		case anyOf:
			for _, c := range h.contrasts() {
				out[i].any = append(out[i].any, l.plannersSample(c[0], c[1]))
			}
		default:
			out[i] = l.plannersSample(*h.Treatment, *h.Control)
		}
	}
	return out
}

// plannersSample is the difference of losses, opening by opening.
func (l *plan) plannersSample(treatment, control Arm) sample {
	s := sample{effect: difference(l.at(measured, treatment).losses(), l.at(measured, control).losses())}
	if treatment.Depth > 1 {
		s.ply = l.at(onePly, Arm{World: treatment.World, Planner: treatment.Planner, Depth: treatment.Depth}).losses()
	}
	return s
}

func difference(a, b study.Nested) study.Nested {
	out := make(study.Nested, len(a))
	for i := range a {
		for j, x := range a[i] {
			out[i] = append(out[i], x-b[i][j])
		}
	}
	return out
}

// fadeSample is how the errors fade under each planner. swap, where it is not nil,
// says of each unit whether the errors change places.
func (l *plan) fadeSample(h *Hypothesis, swap func(unit int) bool) (s sample) {
	for _, planner := range h.Planners {
		var means [2][2][]float64 // by error and depth: a unit's loss
		var losses [2][2]study.Nested
		for e, of := range h.Errors {
			for d, depth := range h.Depths {
				losses[e][d] = l.at(measured, Arm{h.World, planner, of, depth}).losses()
			}
		}
		for u, row := range losses[0][0] {
			var sums [2][2]float64
			for i := range row {
				first := 0
				if swap != nil && swap(u) {
					first = 1
				}
				for e := range 2 {
					for d := range 2 {
						sums[e][d] += losses[e^first][d][u][i]
					}
				}
			}
			for e := range 2 {
				for d := range 2 {
					means[e][d] = append(means[e][d], sums[e][d]/float64(len(row)))
				}
			}
		}
		s.fades = append(s.fades, newFaded(means))
	}
	return s
}

// newFaded is made of what the units lose, by error and depth. What is left is
// linearised about the means of all units (Davison and Hinkley 1997, section 2.7),
// so that Student's t can be asked of it. With a the first error's losses and b
// the second's, from depth 1 to 2, it is a2 - a1 b2/b1.
func newFaded(loss [2][2][]float64) faded {
	f := faded{first: [2][]float64{loss[0][0], loss[1][0]}}
	a1, b1 := study.Mean(loss[0][0]), study.Mean(loss[1][0])
	if b1 <= 0 {
		return f
	}
	share := study.Mean(loss[1][1]) / b1
	for u := range loss[0][0] {
		// The share's own error, carried along.
		off := (loss[1][1][u] - float64(share*loss[1][0][u])) / b1
		f.left = append(f.left, loss[0][1][u]-float64(share*loss[0][0][u])-float64(a1*off))
	}
	return f
}

// decide is the p-value and the estimate: what is left must differ as claimed, and
// either error cost something at the smaller depth, since of nothing nothing fades.
func (f faded) decide(claim study.Claim) (p float64, at study.Interval) {
	if f.left == nil {
		return 1, unknown()
	}
	p = study.TTest(f.left, claim, 0)
	for _, loss := range f.first {
		p = max(p, study.TTest(loss, study.Above, 0))
	}
	return p, study.TInterval(f.left)
}

var claims = map[string]study.Claim{greater: study.Above, less: study.Below, differs: study.Equals}

// decide puts the sample to the hypothesis: the estimate and its p-value, before
// Holm's correction.
func (h *Hypothesis) decide(s sample) Tested {
	v := Tested{ID: h.ID, Claim: h.Claim, P: 1, Estimate: unknown(), Plies: unknown()}
	switch {
	case s.few:
		v.Units = s.units
	case h.Estimand == fade:
		v.P = 0
		for i, f := range s.fades {
			if p, at := f.decide(claims[h.Test]); i == 0 || p > v.P {
				v.P, v.Estimate, v.Units = p, at, len(f.first[0])
			}
		}
	case h.Estimand == anyOf:
		least := math.Inf(1)
		for i, of := range s.any {
			if w := h.decideOne(of); w.P < least {
				least, v = w.P, w
				v.Error = h.Errors[i]
			}
		}
		v.P = min(1, float64(len(s.any))*least) // Bonferroni
	default:
		v = h.decideOne(s)
	}
	return v
}

// decideOne is decide of one contrast of planners.
func (h *Hypothesis) decideOne(s sample) Tested {
	units := s.effect.Means()
	v := Tested{ID: h.ID, Claim: h.Claim, Plies: unknown(), Units: len(units), Estimate: s.effect.Interval()}
	if s.ply != nil {
		v.Plies = study.Ratio(s.effect, s.ply)
	}
	if h.Test != equivalent {
		v.P = study.TTest(units, claims[h.Test], 0)
		return v
	}
	if h.Margin.Points > 0 {
		v.P = study.Equivalent(units, h.Margin.Points)
	}
	if h.Margin.Plies > 0 {
		v.P = max(v.P, equivalentInPlies(units, s.ply.Means(), h.Margin.Plies))
	}
	return v
}

func unknown() study.Interval { return study.Interval{Low: math.Inf(-1), High: math.Inf(1)} }

// equivalentInPlies is the greater p-value of two one-sided tests that the effect
// lies within so many plies. They are about effect + margin ply and effect -
// margin ply, so that no ratio is taken (Fieller 1954).
func equivalentInPlies(effect, ply []float64, margin float64) float64 {
	above, below := make([]float64, len(effect)), make([]float64, len(effect))
	for i, x := range effect {
		above[i], below[i] = x+float64(margin*ply[i]), x-float64(margin*ply[i])
	}
	return max(study.TTest(above, study.Above, 0), study.TTest(below, study.Below, 0))
}

// findings are those of all hypotheses, with Holm's correction over the family.
func (p *Protocol) findings(samples []sample) []Tested {
	out := make([]Tested, len(samples))
	raw := make([]float64, len(samples))
	for i, s := range samples {
		out[i] = p.Hypotheses[i].decide(s)
		raw[i] = out[i].P
	}
	for i, q := range study.Holm(raw) {
		out[i].Holm = q
		out[i].Support = p.Hypotheses[i].support(out[i], p.Alpha)
	}
	return out
}

// support says whether a claim stands: by its corrected p-value alone. It is
// contradicted where the 95% interval lies wholly where the claim is not.
func (h *Hypothesis) support(v Tested, alpha float64) study.Support {
	i, m := v.Estimate, h.Margin
	switch {
	case v.Holm < alpha:
		return study.Supported
	case h.Test == greater && i.High < 0, h.Test == less && i.Low > 0,
		m.Points > 0 && (i.Low > m.Points || i.High < -m.Points),
		m.Plies > 0 && (v.Plies.Low > m.Plies || v.Plies.High < -m.Plies):
		return study.Contradicted
	}
	return study.NotDecided
}

// figure is what decided, in words.
func (h *Hypothesis) figure(v Tested) string {
	of := "difference of losses"
	switch h.Estimand {
	case fade:
		of = "left beyond what fading alike would leave:"
	case anyOf:
		of = v.Error + ", " + of
	}
	text := fmt.Sprintf("%s %s of the points", of, v.EstimateText(4))
	if v.known() {
		text += fmt.Sprintf(", %s plies", v.Plies.Format(2))
	}
	return text + fmt.Sprintf("; %d units, p = %.2g, by Holm %.2g", v.Units, v.P, v.Holm)
}

// EstimateText is the estimate with its interval, "unknown" where there is none.
func (v Tested) EstimateText(places int) string {
	if math.IsInf(v.Estimate.Low, 0) {
		return "unknown"
	}
	return v.Estimate.Format(places)
}

// PliesText is the effect in plies, "-" where it cannot be told.
func (v Tested) PliesText() string {
	if !v.known() {
		return "-"
	}
	return v.Plies.Format(2)
}

// known reports whether the effect can be told in plies.
func (v Tested) known() bool { return !math.IsInf(v.Plies.Low, 0) }

// MarshalJSON implements [json.Marshaler]: a figure that is not known is left out.
func (v Tested) MarshalJSON() ([]byte, error) {
	type plain Tested
	out := struct {
		plain
		Estimate *study.Interval `json:"estimate,omitempty"`
		Plies    *study.Interval `json:"plies,omitempty"`
	}{plain: plain(v)}
	if !math.IsInf(v.Estimate.Low, 0) {
		out.Estimate = &v.Estimate
	}
	if v.known() {
		out.Plies = &v.Plies
	}
	return json.Marshal(out)
}
