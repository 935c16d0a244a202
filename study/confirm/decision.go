package confirm

import (
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
	Estimate stats.Estimate `json:"estimate"` // over batches
	Batches  int            `json:"batches"`
	What     string         `json:"what"` // the estimate is

	against bool // the interval contradicts the claim
}

// Decide decides the hypotheses from a table alone, with Holm's correction over all of them.
func (p *Protocol) Decide(all []batch) []Decision {
	out := p.decideMatches(all)
	var ps []float64
	for _, v := range out {
		ps = append(ps, v.P)
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
