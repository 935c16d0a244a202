package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plyfit/internal/list"
)

// Doubts says, in three lines, where weights of columns that lose less than the start may play worse
// than it, and what to try then. It is nil without a start.
func (f *Result) Doubts() []string {
	if f.Columns == nil || f.Options.Start == nil {
		return nil
	}
	return append([]string{f.unsupported()}, f.parts()...)
}

// mostUnsupported is how many weights a doubt names.
const mostUnsupported = 3

// unsupported names the weights that moved furthest without the rows' support: by how much of their
// 95% interval lies between them and the start, or, where rows hardly determine them, by all of it.
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
		return "Support: rows support each weight's move from the start. If it loses, try other games."
	}
	slices.SortStableFunc(movers, func(a, b mover) int { return cmp.Compare(b.far, a.far) })
	names := list.Map(movers[:min(mostUnsupported, len(movers))], func(m mover) string { return m.text })
	return fmt.Sprintf("Support: moved furthest with little support: %s. Freeze them, or give them a smaller width.", strings.Join(names, ", "))
}

// thirds divides the rows whose losses are compared.
var thirds = [2][3]string{{"endgame", "between", "middlegame"}, {"even positions", "between", "decided ones"}}

// parts says what the fit gains by phase, or by how sure the start is, and how far it stretches sums.
func (f *Result) parts() []string {
	t, start := f.Columns, f.Options.Start
	var gain, weight [3]float64
	var both, squares float64 // sums of products
	for s := range t.All() {  // a table in memory has no errors
		now, before := f.Model.Dot(s.X), start.Dot(s.X)
		part := math.Abs(float64(2*f.Model.Link.Apply(before, 0, 1)) - 1)
		if t.Tapered {
			part = float64(s.Phase)
		}
		both, squares = both+float64(s.Weight*now*before), squares+float64(s.Weight*before*before)
		if f.Report.HeldOutRows > 0 && !f.data.sides.held(s.Episode) {
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
	phase := "Loss against the start: " + strings.Join(losses, ", ") + ". "
	if worst < 0 {
		phase += "It fell in all. If it loses, try games of the engine itself (plyfit tune selfplay)."
	} else {
		phase += fmt.Sprintf("Add rows of the part that rose (%s), or freeze its weights.", names[worst])
	}
	stretch := both / squares
	scale := fmt.Sprintf("Scale: sums are %.2f times those of the start, ", stretch)
	if math.Abs(stretch-1) < 0.05 {
		scale += "so the margins of a search keep their meaning."
	} else {
		scale += fmt.Sprintf("so a margin of 100 in a search now counts as %.0f did. Try --scale start, or --anchor COLUMN=WEIGHT.", 100/stretch)
	}
	return []string{phase, scale}
}
