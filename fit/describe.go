package fit

import (
	"fmt"
	"strings"

	"plyfit/features"
	"plyfit/models"
	"plyfit/report"
)

// Describe adds to a page what a fit found: losses beside those of other
// evaluations, and the weights with their intervals.
func Describe(page *report.Page, f *Result) {
	r := &f.Report
	page.Add(report.Text(fmt.Sprintf("%s over %s, fitted by %s to %d rows of %d episodes (%d distinct vectors of features); judged on %d rows of %d other episodes.",
		f.Model.Features, leavesOf(f.Model), f.Model.Provenance.Method, r.Rows, r.Episodes, r.Positions, r.HeldOutRows, r.HeldOutEpisodes)))
	page.Add(lossTable(f))
	page.Add(report.Text(heldOutText(f)))
	page.Add(weightTable(f))
	if len(r.Notes) > 0 {
		page.Add(report.List(r.Notes))
	}
}

func lossTable(f *Result) report.Table {
	r := &f.Report
	t := report.Table{Head: []string{"evaluation", "training loss", "held-out loss"}}
	row := func(name string, loss, heldOut float64) {
		t.Rows = append(t.Rows, []string{name, sixDigits(loss), sixDigits(heldOut)})
	}
	row("learned", r.Loss, r.HeldOutLoss)
	for _, b := range r.Baselines {
		row(b.Name, b.Loss, b.HeldOutLoss)
	}
	row("a constant", r.Constant.Loss, r.Constant.HeldOutLoss)
	row("zero weights", r.Zero.Loss, r.Zero.HeldOutLoss)
	unit := "mean squared difference from the label"
	if f.Options.Loss == CrossEntropy {
		unit = "mean cross-entropy in nats"
	}
	if f.Share != nil {
		t.Rows = append(t.Rows, []string{"learned, squared error of the share of the point", sixDigits(f.Share.Training), sixDigits(f.Share.HeldOut)})
	}
	t.Caption = fmt.Sprintf("Loss: %s. R² %.4f in training, %.4f held out: the share of the constant's loss that the weights remove.", unit, r.R2, r.HeldOutR2)
	return t
}

// heldOutText says what the held-out figures are of.
func heldOutText(f *Result) string {
	r := &f.Report
	what, others := "positions", "of positions that do not stand in training, from games that were not trained on"
	if f.Options.Label.kind == byTable {
		what = "rows"
	}
	var b strings.Builder
	if f.Replays > 0 {
		fmt.Fprintf(&b, "%d episodes go like another one from their first position to their last, and count once. ", f.Replays)
	}
	switch {
	case r.HeldOutRows == 0:
		b.WriteString("Nothing is held out.")
		return b.String()
	case f.Joined:
		b.WriteString("Games that meet beyond the opening are held out together. ")
	}
	if low, high, ok := r.HeldOutInterval(); ok {
		fmt.Fprintf(&b, "Held-out loss %s (%.4g to %.4g: 95%%, clustered by games), ", sixDigits(r.HeldOutLoss), low, high)
	} else {
		fmt.Fprintf(&b, "Held-out loss %s, ", sixDigits(r.HeldOutLoss))
	}
	o := &r.Overlap
	if !o.Apart {
		others = "of all held-out " + what
	}
	fmt.Fprintf(&b, "%s. ", others)
	b.WriteString(o.Text(what))
	return b.String()
}

// z95 is half the width of a 95% interval in standard errors.
const z95 = 1.959963984540054

func weightTable(f *Result) report.Table {
	t := report.Table{
		Head:    []string{"term", "weight", "95% interval", "VIF", "rows", "note"},
		Caption: "Intervals are of 95%, clustered by games that meet, by the jackknife and Student's t. VIF tells how much correlation with other terms inflates a weight's variance; rows are the training rows in which a term is not zero.",
	}
	const most = 60
	docs := features.DocsByName(f.Set)
	for i, w := range f.Report.Weights {
		if i == most {
			t.Caption += fmt.Sprintf(" The first %d of %d terms; plyfit model show lists all.", most, len(f.Report.Weights))
			break
		}
		interval := ""
		if low, high, ok := w.Interval(); ok {
			interval = fmt.Sprintf("%.4g to %.4g", low, high)
		} else if w.Separated {
			interval = "none: no finite value"
		}
		inflation := ""
		if w.VIF > 0 {
			inflation = fmt.Sprintf("%.1f", w.VIF)
		}
		t.Rows = append(t.Rows, []string{w.Name, fmt.Sprintf("%.4g", w.Value), interval, inflation, fmt.Sprint(w.Support), w.Note})
		t.Docs = append(t.Docs, docs[w.Name])
	}
	return t
}

func sixDigits(x float64) string { return fmt.Sprintf("%.6g", x) }

// leavesOf is for messages: which positions a model judges.
func leavesOf(m *models.Linear) string {
	if m.Leaves == models.Afterstate {
		return "positions right after a move"
	}
	return "positions in which a player decides"
}
