package tune

import (
	"fmt"
	"strconv"

	"plyfit/learn"
	"plyfit/report"
)

// Describe adds to a page what a fit found: losses, and weights with their intervals.
func Describe(page *report.Page, f *Result) {
	r := &f.Report
	groups := "games"
	if f.Table.groups == nil {
		groups = "rows, each by itself"
	}
	page.Add(report.Text(fmt.Sprintf("%d columns over %d rows of %d %s; judged on %d rows of %d others.",
		len(f.Table.Columns), r.Rows, r.Episodes, groups, r.HeldOutRows, r.HeldOutEpisodes)))
	page.Add(f.losses())
	if f.Table.groups == nil {
		page.Add(report.Text("No column says which rows are of one game: held-out losses and intervals are too optimistic where rows share games."))
	}
	page.Add(report.Text(f.overlap()))
	page.Add(f.weights())
	if len(r.Notes) > 0 {
		page.Add(report.List(r.Notes))
	}
}

// overlap says what the held-out rows have to do with the training rows.
func (f *Result) overlap() string {
	text := ""
	if n := f.Table.repeats.Episodes; n > 0 {
		text = fmt.Sprintf("%d games go like another one, row for row: such are held out together, and intervals count them once. ", n)
	}
	return text + f.Report.Overlap.Text("rows")
}

func (f *Result) losses() report.Table {
	r := &f.Report
	t := report.Table{Head: []string{"weights", "training loss", "held-out loss"}}
	row := func(name string, training, heldOut float64) {
		t.Rows = append(t.Rows, []string{name, fmt.Sprintf("%.6g", training), fmt.Sprintf("%.6g", heldOut)})
	}
	row("fitted", r.Loss, r.HeldOutLoss)
	if f.Rounded != nil {
		row("rounded to integers", f.Rounded.Training, f.Rounded.HeldOut)
	}
	for _, b := range r.Baselines {
		row(b.Name, b.Loss, b.HeldOutLoss)
	}
	row("zero", r.Zero.Loss, r.Zero.HeldOutLoss)
	unit := "mean cross-entropy in nats"
	if f.Options.Squared {
		unit = "mean squared error of the share of the point"
	}
	t.Caption = fmt.Sprintf("Loss: %s. The share of the point is 1/(1+exp(-%.6g*z)).", unit, f.Options.Scale)
	if low, high, ok := r.HeldOutInterval(); ok {
		t.Caption += fmt.Sprintf(" Held out: %.4g to %.4g with 95%%.", low, high)
	}
	if f.Rounded != nil {
		t.Caption += fmt.Sprintf(" Rounding costs %.3g held out.", f.Rounded.HeldOut-r.HeldOutLoss)
	}
	return t
}

func (f *Result) weights() report.Table {
	const most = 60
	t := report.Table{
		Head:    []string{"column", "weight", "95% interval", "rows", "note"},
		Caption: "Intervals are clustered by games, where a column names them; rows are the training rows in which a column is not zero.",
	}
	if f.Weights.Tapered {
		t.Head = []string{"column", "mg", "95% interval", "eg", "95% interval", "rows", "note"}
	}
	byIndex := map[int32]*learn.Weight{}
	for i := range f.Report.Weights {
		byIndex[f.Report.Weights[i].Index] = &f.Report.Weights[i]
	}
	for i, name := range f.Table.Columns {
		if i == most {
			t.Caption += fmt.Sprintf(" The first %d of %d columns; the file has all.", most, len(f.Table.Columns))
			break
		}
		row := []string{name}
		first, last := byIndex[int32(i)], byIndex[int32(i)]
		if f.Weights.Tapered {
			first, last = byIndex[int32(2*i)], byIndex[int32(2*i+1)]
			row = append(row, shown(first), interval(first))
		}
		note := first.Note
		if last.Note != note {
			note = last.Note + " " + note
		}
		row = append(row, shown(last), interval(last), fmt.Sprint(max(first.Support, last.Support)), note)
		t.Rows = append(t.Rows, row)
	}
	return t
}

// shown is a weight: what was given to the last digit, what was fitted to four.
func shown(w *learn.Weight) string {
	if w.Note == learn.Frozen {
		return strconv.FormatFloat(w.Value, 'g', -1, 64)
	}
	return fmt.Sprintf("%.4g", w.Value)
}

func interval(w *learn.Weight) string {
	low, high, ok := w.Interval()
	if w.Separated {
		return "none: no finite value"
	}
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.4g to %.4g", low, high)
}

// JSON is the result as one object, with the field names that scripts rely on.
func (f *Result) JSON() any {
	return struct {
		Rows    int           `json:"rows"`
		Scale   float64       `json:"scale"`
		Tapered bool          `json:"tapered"`
		Columns []weightJSON  `json:"columns"`
		Rounded *Loss         `json:"rounded,omitempty"`
		Repeats int           `json:"repeated_games"` // that go like an earlier one, row for row
		Report  *learn.Report `json:"report"`
	}{f.Table.Len(), f.Options.Scale, f.Weights.Tapered, f.Weights.json(), f.Rounded, f.Table.repeats.Episodes, &f.Report}
}
