package confirm

import (
	"fmt"
	"math"
	"strings"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/experiments/draw"
)

// results are the verdicts with all that they rest on.
func (p *Protocol) results(r *Result) *study.Results {
	f := &study.Results{Checks: r.Checks}
	counts := map[study.Support]int{}
	decisions := report.Table{Head: []string{"", "claim", "verdict", "p by Holm", "p", "estimate", "groups", "worlds"}, Words: 3, Caption: "Decisions of the protocol. Estimates with 95% intervals over groups, the units of a source in a world."}
	for _, v := range r.Decisions {
		f.Findings = append(f.Findings, study.Finding{Claim: v.ID + ": " + v.Claim, Support: v.Support, Figure: v.String()})
		counts[v.Support]++
		decisions.Rows = append(decisions.Rows, []string{v.ID, v.Claim, string(v.Support), fmt.Sprintf("%.2g", v.Holm), fmt.Sprintf("%.2g", v.P), v.String(), fmt.Sprint(v.Groups), fmt.Sprint(v.Worlds)})
	}
	f.Headline = fmt.Sprintf("Of %d hypotheses %d are supported, %d contradicted, %d not decided.", len(r.Decisions), counts[study.Supported], counts[study.Contradicted], counts[study.NotDecided])
	if counts[study.Refused] > 0 {
		f.Headline = "An instrument check failed, so nothing is decided."
	}
	f.Notes = append(f.Notes, p.Reasons...)
	if p.Matches != nil {
		f.Tables = []report.Table{decisions, p.matchTable(r.table.Batches)}
		f.Data = []study.Data{batchData(r.table.Batches)}
	} else {
		f.Tables = []report.Table{decisions, p.groupTable(r.table.Rows), p.anchorTable(r), predictionTable(r.Predictions)}
		if figure, err := p.figure(r.table.Rows); err == nil {
			f.Figures = append(f.Figures, figure)
		}
		f.Data = []study.Data{rowData(r.table.Rows), predictionData(r.Predictions)}
		f.Notes = append(f.Notes, "Planted errors: "+study.ChecksLine(r.Controls))
	}
	f.Notes = append(f.Notes, r.DeviationsLine(), "Protocol "+r.Protocol+".", "Code "+r.Code+".")
	if r.Permuted != nil {
		f.Notes = append(f.Notes, r.Permuted.String())
	}
	return f
}

// String is the estimate with what it is of.
func (v Decision) String() string {
	text := v.What + " " + figureText(v.Estimate, 4)
	if v.Note != "" {
		text += "; " + v.Note
	}
	return text
}

// figureText is a figure with the bounds that it has.
func figureText(i study.Interval, places int) string {
	switch {
	case math.IsNaN(i.Value):
		return "-"
	case math.IsInf(i.High-i.Low, 0):
		return study.Number(i.Value, places)
	}
	return i.Format(places)
}

// DeviationsLine is one line about them.
func (r *Result) DeviationsLine() string {
	if len(r.Deviations) == 0 {
		return "Deviations from the protocol: none."
	}
	return "Deviations and exclusions: " + strings.Join(r.Deviations, "; ") + "."
}

// ratioOf is expectimax's loss, calibrated or not, over minimax's, with its interval over
// units.
func ratioOf(g *group, of func(r *Row) float64) study.Interval {
	var num, den study.Nested
	for i := range g.rows {
		num, den = append(num, []float64{of(&g.rows[i])}), append(den, []float64{g.rows[i].Minimax})
	}
	return study.Ratio(num, den)
}

// groupTable is every group.
func (p *Protocol) groupTable(rows []Row) report.Table {
	t := report.Table{Head: []string{"world", "source", "depth", "slope", "minimax loses", "expectimax loses", "calibrated", "isotonic", "only below .8", "E/M", "share of scale", "calibrated E/M"}, Words: 2,
		Caption: "What units lose, as shares of the points; exploratory. Calibrated: expectimax with Platt's calibration from games of its own, whatever the slope; only below .8: where the slope is below that. E/M: expectimax's loss over minimax's, with 95% intervals over training seeds."}
	number := func(x float64) string {
		if math.IsNaN(x) {
			return "-"
		}
		return study.Number(x, 4)
	}
	for _, g := range p.groups(rows) {
		careful := g.mean(func(r *Row) float64 {
			if r.Slope < sharp {
				return r.Platt
			}
			return r.Expectimax
		})
		e, a := "-", "-"
		if p.comparable(g) {
			for text, i := range map[*string]study.Interval{&e: ratioOf(g, func(r *Row) float64 { return r.Expectimax }), &a: ratioOf(g, func(r *Row) float64 { return r.Platt })} {
				if !math.IsInf(i.Low, 0) {
					*text = i.Format(2)
				}
			}
		}
		t.Rows = append(t.Rows, []string{g.world.ID, g.source.ID, fmt.Sprint(g.depth), study.Number(g.slope(), 2), number(g.minimax()), number(g.expectimax()), number(g.platt()),
			number(g.mean(func(r *Row) float64 { return r.Isotonic })), number(careful), e, study.Number(1-g.platt()/g.expectimax(), 3), a})
	}
	return t
}

// sharp is the slope below which "only below .8" calibrates.
const sharp = 0.8

// anchorTable is what no evaluation costs, and one decision farther, in every cell.
func (p *Protocol) anchorTable(r *Result) report.Table {
	t := report.Table{Head: []string{"world", "depth", "no evaluation: minimax", "expectimax", "one decision farther: minimax", "expectimax"}, Words: 1,
		Caption: "Yardsticks: what planners lose without any evaluation; and what the units lose that look one decision farther than what they are measured by."}
	for _, b := range r.blind {
		var m, e []float64
		for _, x := range r.table.Rows {
			if x.World == b.World && x.Depth == b.Depth {
				m, e = append(m, x.MinimaxMore), append(e, x.ExpectimaxMore)
			}
		}
		t.Rows = append(t.Rows, []string{b.World, fmt.Sprint(b.Depth), study.Number(study.Mean(b.Minimax), 4), study.Number(study.Mean(b.Expectimax), 4), study.Number(study.Mean(m), 4), study.Number(study.Mean(e), 4)})
	}
	return t
}

func predictionTable(list []Prediction) report.Table {
	t := report.Table{Head: []string{"world", "source", "held out", "slope", "predicted", "found"}, Words: 2, Caption: "What the law says that calibrating gains under expectimax, in the measure of the world, and what it gained. Of worlds that are held out the law said so before they were measured."}
	for _, q := range list {
		held := ""
		if q.Held {
			held = "held out"
		}
		t.Rows = append(t.Rows, []string{q.World, q.Source, held, study.Number(q.Slope, 2), study.Number(q.Predicted, 4), study.Number(q.Observed, 4)})
	}
	return t
}

func predictionData(list []Prediction) study.Data {
	d := study.Data{Name: "predictions", Head: []string{"world", "source", "held_out", "slope", "predicted", "found"}}
	for _, q := range list {
		d.Row(q.World, q.Source, q.Held, q.Slope, q.Predicted, q.Observed)
	}
	return d
}

// figure is E/M by world, over sources.
func (p *Protocol) figure(rows []Row) (report.Figure, error) {
	panel := report.Rows{Title: "What a worse evaluation costs expectimax beside minimax", XLabel: "expectimax's loss over minimax's", Level: new(1.0), Width: 620}
	for i := range p.Worlds {
		w := &p.Worlds[i]
		s := p.sample(rows, func(g *group) bool { return g.world == w && p.comparable(g) }, func(g *group) float64 { return g.expectimax() / g.minimax() })
		if len(s.values) > 1 {
			panel.Rows = append(panel.Rows, draw.Row(w.ID, study.TInterval(s.values), 2, draw.Estimation))
		}
	}
	return report.NewFigure(p.Name, "", "Means over sources with 95% intervals. On the line quality matters to both planners alike.", panel)
}
