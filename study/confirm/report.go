package confirm

import (
	"fmt"
	"strings"

	"plyfit/internal/report"
	"plyfit/study"
)

func (p *Protocol) results(r *Result) *study.Results {
	f := &study.Results{}
	counts := map[study.Support]int{}
	decisions := report.Table{Head: []string{"", "claim", "verdict", "p by Holm", "p", "estimate", "batches"}, Words: 3, Caption: "Decisions of the protocol. Estimates with 95% intervals over batches."}
	for _, v := range r.Decisions {
		f.Findings = append(f.Findings, study.Finding{Claim: v.ID + ": " + v.Claim, Support: v.Support, Figure: v.String()})
		counts[v.Support]++
		decisions.Rows = append(decisions.Rows, []string{v.ID, v.Claim, string(v.Support), fmt.Sprintf("%.2g", v.Holm), fmt.Sprintf("%.2g", v.P), v.String(), fmt.Sprint(v.Batches)})
	}
	f.Headline = fmt.Sprintf("Of %d hypotheses %d are supported, %d contradicted, %d not decided.", len(r.Decisions), counts[study.Supported], counts[study.Contradicted], counts[study.NotDecided])
	f.Tables = []report.Table{decisions, p.matchTable(r.batches)}
	f.Data = []study.Data{batchData(r.batches)}
	f.Notes = append(append(f.Notes, p.Reasons...), r.DeviationsLine(), "Protocol "+r.Protocol+".", "Code "+r.Code+".")
	return f
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
