package fit

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"plyfit/datasets/table"
	"plyfit/features"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/models"
)

//go:embed report.txt
var parts string

// say executes a template of report.txt.
var say = report.Prose(parts, template.FuncMap{
	"effective": (*Result).effectiveRows, "interval": heldOutInterval, "listed": table.Listed, "percent": percent, "leaves": leavesOf,
	"method":     func(f *Result) string { return f.Model.Provenance.Method },
	"centipawns": func() float64 { return CentipawnScale },
	"rounding":   func(f *Result) float64 { return f.Rounded.HeldOut - f.Report.HeldOutLoss },
	"size":       math.Abs,
	"groups": func(k, n int) string {
		if k == n {
			return fmt.Sprintf("all %d groups", n)
		}
		return fmt.Sprintf("%d of %d groups", k, n)
	},
	"usual": func() int { return usualWidth },
})

// heldOutInterval formats the confidence interval of the held-out loss. It returns "" if there is
// none.
func heldOutInterval(f *Result) string {
	low, high, ok := f.Report.HeldOutInterval()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.4g to %.4g", low, high)
}

// OfTable reports whether the labels come from a table.
func (c *Options) OfTable() bool { return c.Label.kind == byTable }

// Describe adds to a page the losses of the fit and the baselines, and the weights with their
// confidence intervals.
func Describe(page *report.Page, f *Result) {
	if f.Columns == nil {
		page.Add(report.Text(say("fitted", f)), lossTable(f), report.Text(say("held out", f)), weightTable(f))
	} else {
		page.Add(report.Text(say("fitted columns", f)), lossTable(f))
		for _, part := range []string{"ungrouped", "repeats", "effective"} {
			if text := say(part, f); text != "" {
				page.Add(report.Text(text))
			}
		}
		page.Add(f.columnTable())
		if doubts := f.Doubts(); doubts != nil {
			page.Add(report.Text("If these weights play worse than the starting weights:"), report.List(doubts))
		}
	}
	if len(f.Report.Notes) > 0 {
		page.Add(report.List(f.Report.Notes))
	}
}

func lossTable(f *Result) report.Table {
	r := &f.Report
	names := [...]string{"evaluation", "learned", "zero weights"}
	if f.Columns != nil {
		names = [...]string{"weights", "fitted", "zero"}
	}
	t := report.Table{Head: []string{names[0], "training loss", "held-out loss"}}
	if r.HeldOutRows == 0 { // omit the loss over no rows
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
	if f.Columns == nil { // a game's model may have a bias
		row("a constant", r.Constant.Loss, r.Constant.HeldOutLoss)
	}
	row(names[2], r.Zero.Loss, r.Zero.HeldOutLoss)
	if f.Share != nil {
		row("learned, squared error of the score (0 to 1)", f.Share.Training, f.Share.HeldOut)
	}
	t.Caption = say("loss", f)
	return t
}

// mostShown is the maximum number of weights or columns in a table.
const mostShown = 60

func weightTable(f *Result) report.Table {
	t := report.Table{
		Head:    []string{"term", "weight", "95% interval", "VIF", "rows", "note"},
		Caption: say("weights", f),
	}
	docs := features.DocsByName(f.Set)
	for i, w := range f.Report.Weights {
		if i == mostShown {
			t.Caption += fmt.Sprintf(" The table contains the first %d of %d terms. Use plyfit model show to list all terms.", mostShown, len(f.Report.Weights))
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

// columnTable returns a table of the column weights, with the middlegame and endgame weights of a
// column in the same row.
func (f *Result) columnTable() report.Table {
	t := report.Table{
		Head:    []string{"column", "weight", "95% interval", "rows", "note"},
		Caption: say("columns", f),
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
			t.Caption += fmt.Sprintf(" The table contains the first %d of %d columns. The weights file contains all columns.", mostShown, len(f.Columns.Columns))
			break
		}
		row, support, notes := []string{name}, int64(0), []string(nil) // support is taken over middlegame and endgame
		for k := range width {
			w := byIndex[int32(i*width+k)]
			value := fmt.Sprintf("%.4g", w.Value)
			if w.Note == learn.Frozen { // exactly as given
				value = strconv.FormatFloat(w.Value, 'g', -1, 64)
			}
			row, support, notes = append(row, value, intervalOf(w)), max(support, w.Support), append(notes, w.Note)
		}
		t.Rows = append(t.Rows, append(row, fmt.Sprint(support), noteOf(notes)))
	}
	return t
}

// noteOf returns the note for a column. If the notes of its two weights differ, each is prefixed
// with mg or eg.
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

// leavesOf describes, for messages, the kind of positions that a model evaluates.
func leavesOf(m *models.Linear) string {
	if m.Leaves == models.Afterstate {
		return "positions right after a move"
	}
	return "positions in which a player decides"
}

// Doubts returns three lines that explain why the fitted weights may play worse than the starting
// weights despite their lower loss, and what to try in that case. It returns nil if there are no
// starting weights.
func (f *Result) Doubts() []string {
	if f.Columns == nil || f.Options.Start == nil {
		return nil
	}
	return append([]string{f.unsupported()}, f.parts()...)
}

// mostUnsupported is the maximum number of weights that Doubts lists as unsupported.
const mostUnsupported = 3

// unsupported returns the line listing the weights that moved furthest with little support from the
// rows: weights without an accepted interval, and weights that moved by less than the width of
// their 95% interval. For the latter, the distance is limited to half the width.
func (f *Result) unsupported() string {
	type mover struct {
		far  float64
		text string
	}
	var movers []mover
	for _, w := range f.Report.Weights {
		if w.Index < 0 {
			continue
		}
		moved := w.Value - f.Options.Start.Weights[w.Index]
		low, high, ok := w.Interval()
		far, sure := math.Min(math.Abs(moved), (high-low)/2), fmt.Sprintf("±%.3g", (high-low)/2)
		if w.Note != "" && !strings.HasPrefix(w.Note, "shrunk") || !ok {
			far, sure = math.Abs(moved), cmp.Or(w.Note, "no interval")
		}
		if moved != 0 && (far > math.Abs(moved)/2) {
			movers = append(movers, mover{far, fmt.Sprintf("%s %+.3g (%s, %d rows)", w.Name, moved, sure, w.Support)})
		}
	}
	if len(movers) == 0 {
		return "Support: the rows support the change in every weight. If the new weights play worse, fit them to different games."
	}
	slices.SortStableFunc(movers, func(a, b mover) int { return cmp.Compare(b.far, a.far) })
	names := list.Map(movers[:min(mostUnsupported, len(movers))], func(m mover) string { return m.text })
	return fmt.Sprintf("Support: these weights moved furthest with little support: %s. Freeze them or give them a smaller prior width.", strings.Join(names, ", "))
}

// thirds contains the names of the three groups of rows whose losses are compared. Rows are grouped
// by phase, or by how decided a position is according to the starting weights.
var thirds = [2][3]string{{"endgame", "between", "middlegame"}, {"even positions", "between", "decided ones"}}

// parts returns two lines: one about the change in loss in each group of [thirds], and one about
// the ratio of the fitted sums to the starting sums.
func (f *Result) parts() []string {
	t, start := f.Columns, f.Options.Start
	var gain, weight [3]float64
	var both, squares float64 // sums of products
	for s := range t.All() {  // a table in memory returns no errors
		now, before := f.Model.Dot(s.X), start.Dot(s.X)
		part := math.Abs(float64(2*f.Model.Link.Apply(before, 0, 1)) - 1)
		if t.Tapered {
			part = float64(s.Phase)
		}
		both, squares = both+float64(s.Weight*now*before), squares+float64(s.Weight*before*before)
		if f.Report.HeldOutRows > 0 && !f.data.split.held(s.Episode) {
			continue
		}
		a, _, _ := f.loss.Loss(now, s.Y)
		b, _, _ := f.loss.Loss(before, s.Y)
		k := min(2, int(3*part))
		gain[k], weight[k] = gain[k]+float64(s.Weight*(a-b)), weight[k]+s.Weight
	}
	names, worst := thirds[1], -1
	if t.Tapered {
		names = thirds[0]
	}
	var losses []string
	for k, w := range weight {
		if w == 0 {
			continue
		}
		gain[k] /= w
		losses = append(losses, fmt.Sprintf("%s %+.2g", names[k], gain[k]))
		if gain[k] > 0 && (worst < 0 || gain[k] > gain[worst]) {
			worst = k
		}
	}
	phase := "Change in loss from the start: " + strings.Join(losses, ", ") + ". "
	if worst < 0 {
		phase += "The loss fell in every part. If the new weights play worse, fit them to the engine's own games (plyfit tune selfplay)."
	} else {
		phase += fmt.Sprintf("Add rows from the part in which the loss rose (%s), or freeze the weights of that part.", names[worst])
	}
	stretch := both / squares
	scale := fmt.Sprintf("Scale: the sums are %.2f times as large as the starting sums, ", stretch)
	if math.Abs(stretch-1) < 0.05 {
		scale += "so search margins keep their meaning."
	} else {
		scale += fmt.Sprintf("so a search margin of 100 now acts as a margin of %.0f did before. Try --scale start, or --anchor COLUMN=WEIGHT.", 100/stretch)
	}
	return []string{phase, scale}
}
