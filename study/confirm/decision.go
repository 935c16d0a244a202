package confirm

import (
	"encoding/json"
	"math"

	"plyfit/arena/stats"
	"plyfit/study"
)

// Decision is what became of a hypothesis.
type Decision struct {
	ID       string         `json:"id"`
	Claim    string         `json:"claim"`
	Support  study.Support  `json:"verdict"`
	P        float64        `json:"p"`
	Holm     float64        `json:"p_holm"`
	Estimate study.Interval `json:"estimate"` // over batches
	Batches  int            `json:"batches"`
	What     string         `json:"what"` // the estimate is

	against bool // the interval contradicts the claim
}

// MarshalJSON implements [json.Marshaler]: an estimate without bounds is null.
func (v Decision) MarshalJSON() ([]byte, error) {
	type plain Decision
	out := struct {
		plain
		Estimate *study.Interval `json:"estimate"`
	}{plain: plain(v)}
	if e := v.Estimate; !math.IsNaN(e.Value) && !math.IsInf(e.High-e.Low, 0) {
		out.Estimate = &e
	}
	return json.Marshal(out)
}

// Decide decides the hypotheses from a table alone, with Holm's correction over all of them.
func (p *Protocol) Decide(all []batch) []Decision {
	out := p.decideMatches(all)
	var ps []float64
	for i := range out {
		if v := &out[i]; math.IsNaN(v.P) {
			v.P = 1
		}
		ps = append(ps, out[i].P)
	}
	for i, adjusted := range stats.Holm(ps) {
		v := &out[i]
		v.Holm, v.Support = adjusted, study.NotDecided
		switch {
		case adjusted < p.Alpha:
			v.Support = study.Supported
		case v.against:
			v.Support = study.Contradicted
		}
	}
	return out
}
