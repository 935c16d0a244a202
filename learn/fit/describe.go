package fit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plyfit/features"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/models"
)

// Describe adds a fit's losses, next to other evaluations', and its weights with intervals to a
// page.
func Describe(page *report.Page, f *Result) {
	r := &f.Report
	if f.Columns != nil {
		f.describeColumns(page)
	} else {
		measured := ""
		if r.HeldOutRows > 0 {
			measured = fmt.Sprintf("; measured on %d rows of %d other episodes", r.HeldOutRows, r.HeldOutEpisodes)
		}
		page.Add(report.Text(fmt.Sprintf("%s over %s, fitted by %s to %d rows of %d episodes (%d distinct vectors of features)%s.",
			f.Model.Features, leavesOf(f.Model), f.Model.Provenance.Method, r.Rows, r.Episodes, r.Positions, measured)))
		page.Add(lossTable(f), report.Text(heldOutText(f)), weightTable(f))
	}
	if len(r.Notes) > 0 {
		page.Add(report.List(r.Notes))
	}
}

func (f *Result) describeColumns(page *report.Page) {
	r, t := &f.Report, f.Columns
	groups, alone, repeats := "games", "", ""
	if !t.Grouped() {
		groups = "rows, each by itself"
		alone = "No column says which rows are of one game: held-out losses and intervals are too optimistic where rows share games."
	}
	if f.Repeats > 0 {
		repeats = fmt.Sprintf("%d games go like another one, row for row: such are held out together, and intervals count them once. ", f.Repeats)
	}
	measured := "nothing is held out"
	if r.HeldOutRows > 0 {
		measured = fmt.Sprintf("measured on %d rows of %d others", r.HeldOutRows, r.HeldOutEpisodes)
	}
	page.Add(report.Text(fmt.Sprintf("%d columns over %d rows of %d %s; %s.", len(t.Columns), r.Rows, r.Episodes, groups, measured)))
	page.Add(lossTable(f))
	if alone != "" {
		page.Add(report.Text(alone))
	}
	if r.HeldOutRows > 0 {
		repeats += r.Overlap.Text("rows")
	}
	if repeats != "" {
		page.Add(report.Text(repeats))
	}
	if f.Repeated > 0 {
		page.Add(report.Text(fmt.Sprintf("Rows of a game share its result: %d training rows say as much as %.0f of their own would, and count so against %s.",
			r.Rows, f.effectiveRows(), f.Options.Width.text())))
	}
	page.Add(f.columnTable())
	if doubts := f.Doubts(); doubts != nil {
		page.Add(report.Text("If these weights play worse than the start:"), report.List(doubts))
	}
}

func lossTable(f *Result) report.Table {
	r := &f.Report
	names := [...]string{"evaluation", "learned", "zero weights"}
	if f.Columns != nil {
		names = [...]string{"weights", "fitted", "zero"}
	}
	t := report.Table{Head: []string{names[0], "training loss", "held-out loss"}}
	if r.HeldOutRows == 0 { // no figure over no rows
		t.Head = t.Head[:2]
	}
	row := func(name string, loss, heldOut float64) {
		t.Rows = append(t.Rows, []string{name, sixDigits(loss), sixDigits(heldOut)}[:len(t.Head)])
	}
	row(names[1], r.Loss, r.HeldOutLoss)
	if f.Rounded != nil {
		row("rounded to integers", f.Rounded.Training, f.Rounded.HeldOut)
	}
	for _, b := range r.Baselines {
		row(b.Name, b.Loss, b.HeldOutLoss)
	}
	if f.Columns == nil { // which may have a bias
		row("a constant", r.Constant.Loss, r.Constant.HeldOutLoss)
	}
	row(names[2], r.Zero.Loss, r.Zero.HeldOutLoss)
	if f.Share != nil {
		row("learned, squared error of the share of the point", f.Share.Training, f.Share.HeldOut)
	}
	unit := "mean squared difference from the label"
	switch {
	case f.Options.Loss == CrossEntropy:
		unit = "mean cross-entropy in nats"
	case f.Columns != nil:
		unit = "mean squared error of the share of the point"
	}
	if f.Columns == nil {
		t.Caption = fmt.Sprintf("Loss: %s.", unit)
		const meaning = "the share of the constant's loss that the weights remove."
		switch {
		case r.Alike:
		case r.HeldOutRows == 0:
			t.Caption += fmt.Sprintf(" R² %.4f in training: %s", r.R2, meaning)
		default:
			t.Caption += fmt.Sprintf(" R² %.4f in training, %.4f held out: %s", r.R2, r.HeldOutR2, meaning)
		}
		return t
	}
	in := map[float64]string{CentipawnScale: ": weights are in centipawns; --scale 1 for log odds", 1: ": weights are log odds"}
	scale := f.Model.Link.Scale
	t.Caption = fmt.Sprintf("Loss: %s. The share of the point is 1/(1+exp(-%.6g*z))%s.", unit, scale, in[scale])
	if low, high, ok := r.HeldOutInterval(); ok {
		t.Caption += fmt.Sprintf(" Held out: %.4g to %.4g with 95%%.", low, high)
	}
	if f.Rounded != nil && r.HeldOutRows > 0 {
		t.Caption += fmt.Sprintf(" Rounding costs %.3g held out.", f.Rounded.HeldOut-r.HeldOutLoss)
	}
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

// mostShown is how many weights a table shows.
const mostShown = 60

func weightTable(f *Result) report.Table {
	t := report.Table{
		Head:    []string{"term", "weight", "95% interval", "VIF", "rows", "note"},
		Caption: "Intervals are of 95%, clustered by games that meet, by the jackknife and Student's t. VIF tells how much correlation with other terms inflates a weight's variance; rows are the training rows in which a term is not zero.",
	}
	docs := features.DocsByName(f.Set)
	for i, w := range f.Report.Weights {
		if i == mostShown {
			t.Caption += fmt.Sprintf(" The first %d of %d terms; plyfit model show lists all.", mostShown, len(f.Report.Weights))
			break
		}
		inflation := ""
		if w.VIF > 0 {
			inflation = fmt.Sprintf("%.1f", w.VIF)
		}
		t.Rows = append(t.Rows, []string{w.Name, fmt.Sprintf("%.4g", w.Value), intervalOf(&w), inflation, fmt.Sprint(w.Support), w.Note})
		t.Docs = append(t.Docs, docs[w.Name])
	}
	return t
}

// columnTable is the weights of columns, those of middlegame and endgame in one row.
func (f *Result) columnTable() report.Table {
	t := report.Table{
		Head:    []string{"column", "weight", "95% interval", "rows", "note"},
		Caption: "Intervals are clustered by games, where a column names them; rows are the training rows in which a column is not zero.",
	}
	width := 1
	if f.Columns.Tapered {
		t.Head, width = []string{"column", "mg", "95% interval", "eg", "95% interval", "rows", "note"}, 2
	}
	byIndex := map[int32]*learn.Weight{}
	for i := range f.Report.Weights {
		byIndex[f.Report.Weights[i].Index] = &f.Report.Weights[i]
	}
	for i, name := range f.Columns.Columns {
		if i == mostShown {
			t.Caption += fmt.Sprintf(" The first %d of %d columns; the file has all.", mostShown, len(f.Columns.Columns))
			break
		}
		row, support, notes := []string{name}, int64(0), []string(nil) // of middlegame and endgame
		for k := range width {
			w := byIndex[int32(i*width+k)]
			value := fmt.Sprintf("%.4g", w.Value)
			if w.Note == learn.Frozen { // as it was given, to the last digit
				value = strconv.FormatFloat(w.Value, 'g', -1, 64)
			}
			row, support, notes = append(row, value, intervalOf(w)), max(support, w.Support), append(notes, w.Note)
		}
		t.Rows = append(t.Rows, append(row, fmt.Sprint(support), noteOf(notes)))
	}
	return t
}

// noteOf is the note of a column: which of its weights it is of, unless of both.
func noteOf(notes []string) string {
	if len(slices.Compact(slices.Clone(notes))) == 1 {
		return notes[0]
	}
	var parts []string
	for k, which := range [...]string{"mg", "eg"} {
		if notes[k] != "" {
			parts = append(parts, which+": "+notes[k])
		}
	}
	return strings.Join(parts, "; ")
}

func intervalOf(w *learn.Weight) string {
	low, high, ok := w.Interval()
	switch {
	case w.Separated:
		return "none: no finite value"
	case !ok:
		return ""
	}
	return fmt.Sprintf("%.4g to %.4g", low, high)
}

func sixDigits(x float64) string { return fmt.Sprintf("%.6g", x) }

// leavesOf is for messages: which positions a model judges.
func leavesOf(m *models.Linear) string {
	if m.Leaves == models.Afterstate {
		return "positions right after a move"
	}
	return "positions in which a player decides"
}
