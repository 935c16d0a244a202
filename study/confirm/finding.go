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
	Units    int            `json:"units"`
	Estimate study.Interval `json:"estimate"` // share of the points, or of the loss that is left (fade)
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
	// Of fade, the figures of each planner: the worst of them decides.
	shares [][]float64
}

// samples are those of all hypotheses.
func (l *plan) samples() []sample {
	out := make([]sample, len(l.protocol.Hypotheses))
	for i := range l.protocol.Hypotheses {
		h := &l.protocol.Hypotheses[i]
		if h.Estimand == fade {
			out[i] = l.fadeSample(h, nil)
		} else {
			out[i] = l.plannersSample(h)
		}
	}
	return out
}

// plannersSample is the difference of losses, opening by opening.
func (l *plan) plannersSample(h *Hypothesis) sample {
	a, b := l.at(measured, *h.Treatment).losses(), l.at(measured, *h.Control).losses()
	s := sample{effect: difference(a, b)}
	if h.Treatment.Depth > 1 {
		s.ply = l.at(onePly, Arm{World: h.Treatment.World, Planner: h.Treatment.Planner, Depth: h.Treatment.Depth}).losses()
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

// fadeSample is, a planner, how much more of the first error's loss is left at the
// greater depth than of the second's: one figure a unit, linearised about the
// ratios of all units (Davison and Hinkley 1997, section 2.7). swap, where it is
// not nil, says of each opening whether the errors change places.
func (l *plan) fadeSample(h *Hypothesis, swap func() bool) (s sample) {
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
				if swap != nil && swap() {
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
		s.shares = append(s.shares, fadeShares(means))
	}
	return s
}

// fadeShares are the linearised differences of shares left, nil where the loss at
// the smaller depth is not clearly above 0: of nothing no share is left.
func fadeShares(means [2][2][]float64) []float64 {
	out := make([]float64, len(means[0][0]))
	for e, of := range means {
		if study.TInterval(of[0]).Low <= 0 {
			return nil
		}
		first, share := study.Mean(of[0]), study.Mean(of[1])/study.Mean(of[0])
		for u := range out {
			z := share + (of[1][u]-float64(share*of[0][u]))/first
			if e == 1 {
				z = -z
			}
			out[u] += z
		}
	}
	return out
}

var claims = map[string]study.Claim{greater: study.Above, less: study.Below, differs: study.Equals}

// decide puts the sample to the hypothesis: the estimate and its p-value, before
// any correction.
func (h *Hypothesis) decide(s sample, seed uint64) Tested {
	v := Tested{ID: h.ID, Claim: h.Claim, P: 1, Plies: unknown()}
	if h.Estimand == fade {
		v.P, v.Estimate = 0, unknown()
		for i, x := range s.shares {
			p, at := 1.0, unknown()
			if x != nil {
				p, at, v.Units = study.TTest(x, claims[h.Test], 0), study.TInterval(x), len(x)
			}
			if i == 0 || p > v.P {
				v.P, v.Estimate = p, at
			}
		}
		return v
	}
	units := s.effect.Means()
	v.Units, v.Estimate = len(units), s.effect.Interval()
	if s.ply != nil {
		v.Plies = study.Ratio(s.effect, s.ply, seed)
	}
	if h.Test != equivalent {
		v.P = study.TTest(units, claims[h.Test], 0)
		return v
	}
	v.P = 0
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
		out[i] = p.Hypotheses[i].decide(s, p.Seed)
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
	text := fmt.Sprintf("difference of losses %s of the points", v.EstimateText(4))
	if h.Estimand == fade {
		text = fmt.Sprintf("difference of shares left %s", v.EstimateText(3))
	}
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
