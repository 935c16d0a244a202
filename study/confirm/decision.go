package confirm

import (
	"fmt"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/report"
	"plyfit/study"
)

// Result is the outcome of a run of a protocol.
type Result struct {
	Protocol   string     `json:"protocol"`   // digest
	Provenance string     `json:"provenance"` // how it is known that the protocol was written down first
	Code       string     `json:"code"`
	Decisions  []Decision `json:"verdicts"`
	Deviations []string   `json:"deviations"` // from what the file asked for

	batches []batch
}

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

	pairs, faults int
}

// again returns what follows from the batches of a run.
func (p *Protocol) again(batches []batch) *Result {
	r := &Result{Protocol: p.Digest, Decisions: p.decide(batches), batches: batches}
	for _, m := range p.Matches {
		if m.a.Unrepeatable || m.b.Unrepeatable {
			r.Deviations = append(r.Deviations, m.ID+": not every answer comes again, since limits by time, threads or programs of others are in it")
		}
	}
	for _, b := range batches {
		if b.Faults > 0 {
			r.Deviations = append(r.Deviations, fmt.Sprintf("%s, batch %d: %d games ended by a fault and count as lost", b.Match, b.Number, b.Faults))
		}
	}
	return r
}

// decide puts the batches of each match to its claim, that their mean lies above even by more than
// the margin, by Student's t over batches, with Holm's correction over all claims.
func (p *Protocol) decide(all []batch) []Decision {
	out, ps := make([]Decision, len(p.Matches)), make([]float64, len(p.Matches))
	for i, m := range p.Matches {
		d := Decision{ID: m.ID, Claim: m.Claim, Support: study.NotDecided, What: "A's share of the points"}
		var scores []float64
		even := 0.5
		for _, b := range all {
			if b.Match == m.ID {
				scores, even, d.pairs, d.faults = append(scores, b.Score), b.Even, d.pairs+b.Pairs, d.faults+b.Faults
			}
		}
		if even == 0 {
			d.What = "what A gets more than B, a game"
		}
		sample := stats.SampleOf(scores)
		d.P, _ = sample.Test(even + m.Margin)
		d.Estimate, d.Batches = sample.Estimate(), len(scores)
		if d.Estimate.Below(even + m.Margin) {
			d.Support = study.Contradicted
		}
		out[i], ps[i] = d, d.P
	}
	for i, adjusted := range stats.Holm(ps) {
		if out[i].Holm = adjusted; adjusted < p.Alpha {
			out[i].Support = study.Supported
		}
	}
	return out
}

func (p *Protocol) results(r *Result) *study.Results {
	f := &study.Results{Tables: p.Tables(r), Data: []study.Data{batchData(r.batches)}}
	counts := map[study.Support]int{}
	for _, v := range r.Decisions {
		f.Findings = append(f.Findings, study.Finding{Claim: v.ID + ": " + v.Claim, Support: v.Support, Figure: v.String()})
		counts[v.Support]++
	}
	f.Headline = fmt.Sprintf("Of %d hypotheses %d are supported, %d contradicted, %d not decided.", len(r.Decisions), counts[study.Supported], counts[study.Contradicted], counts[study.NotDecided])
	f.Notes = append(append(f.Notes, p.Reasons...), r.DeviationsLine(), "Protocol "+r.Protocol+".", "Code "+r.Code+".")
	return f
}

// Tables are those of the report: the decisions, and who played, with the digests of models.
func (p *Protocol) Tables(r *Result) []report.Table {
	decisions := report.Table{Head: []string{"", "claim", "verdict", "p by Holm", "p", "estimate", "batches"}, Words: 3, Caption: "Decisions of the protocol. Estimates with 95% intervals over batches."}
	met := report.Table{Head: []string{"match", "game", "A", "B", "pairs", "faults"}, Words: 4, Caption: fmt.Sprintf("Who met whom. Models stand there by their digests; %d pairs are a batch.", batchPairs)}
	for i, v := range r.Decisions {
		m := p.Matches[i]
		decisions.Rows = append(decisions.Rows, []string{v.ID, v.Claim, string(v.Support), fmt.Sprintf("%.2g", v.Holm), fmt.Sprintf("%.2g", v.P), v.String(), fmt.Sprint(v.Batches)})
		met.Rows = append(met.Rows, []string{m.ID, m.world.Spec, m.a.Identity, m.b.Identity, fmt.Sprint(v.pairs), fmt.Sprint(v.faults)})
	}
	return []report.Table{decisions, met}
}

// String is the estimate with what it is of.
func (v Decision) String() string {
	return v.What + " " + v.Estimate.Range("%.4f", 1)
}

// DeviationsLine is one line about them.
func (r *Result) DeviationsLine() string {
	if len(r.Deviations) == 0 {
		return "Deviations from the protocol: none."
	}
	return "Deviations and exclusions: " + strings.Join(r.Deviations, "; ") + "."
}
