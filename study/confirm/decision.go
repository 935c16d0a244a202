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
}

// Decide puts the batches of each match to its claim, that their mean lies above even by more than
// the margin, by Student's t over batches, with Holm's correction over all claims.
func (p *Protocol) Decide(all []batch) []Decision {
	out, ps := make([]Decision, len(p.Matches)), make([]float64, len(p.Matches))
	for i, m := range p.Matches {
		var scores []float64
		even, what := 0.5, "A's share of the points"
		for _, b := range all {
			if b.Match == m.ID {
				scores, even = append(scores, b.Score), b.Even
			}
		}
		if even == 0 {
			what = "what A gets more than B, a game"
		}
		sample := stats.SampleOf(scores)
		ps[i], _ = sample.Test(even + m.Margin)
		out[i] = Decision{ID: m.ID, Claim: m.Claim, Support: study.NotDecided, P: ps[i], Estimate: sample.Estimate(), Batches: len(scores), What: what}
		if out[i].Estimate.Below(even + m.Margin) {
			out[i].Support = study.Contradicted
		}
	}
	for i, adjusted := range stats.Holm(ps) {
		if out[i].Holm = adjusted; adjusted < p.Alpha {
			out[i].Support = study.Supported
		}
	}
	return out
}
