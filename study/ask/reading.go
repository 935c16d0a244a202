package ask

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/internal/text"
	"plyfit/study"
	"plyfit/study/evaluation"
)

// Report adds the checks, the table, the findings, the data, the headline and the figures of the
// grid.
func (g *grid) Report(f *study.Results) error {
	f.Checks = append(f.Checks, g.Checks()...)
	f.Tables = append(f.Tables, g.Table())
	f.Findings = append(f.Findings, g.findings()...)
	if g.board != nil {
		f.Data = append(f.Data, g.data())
	}
	if f.Headline == "" {
		f.Headline = g.Headline()
	} else {
		f.Notes = append(f.Notes, g.Headline())
	}
	return g.figures(f)
}

// percent formats a loss as a percentage of the points. Unless the loss is exact, the text includes
// half the width of the interval.
func percent(losses stats.Sample) string {
	e := losses.Estimate()
	if e.Exact() {
		return study.Percent(e)
	}
	return e.Format("%.1f", 100)
}

func (g *grid) where(w study.World) string { return fmt.Sprintf("%s with %v", g.Name, w) }

// findings decides the claims at the greatest depth, or at all depths except 1 on a board. Errors
// of scale should cost expectimax points, and all other errors should cost both planners the same.
// In a world without chance, nothing is compared.
func (g *grid) findings() (out []study.Finding) {
	for _, w := range g.Worlds {
		for _, e := range g.Errors {
			for _, d := range g.Depths {
				if d == 1 || w.Slip == 0 && !g.chancy() || d != g.last() && g.board == nil {
					continue
				}
				c, claim := g.contrast(e, e, w, d), "E = M"
				place := fmt.Sprintf("in %s, %d decisions ahead, %s costs ", g.where(w), d, e.Name)
				var v study.Finding
				if e.Warps() {
					claim = "E > 0"
					v = study.Costs(place+"expectimax points", c.Expectimax, g.contrast(e, blind, w, d).Expectimax)
				} else {
					v = c.Same(place + fmt.Sprintf("both planners lose the same amount, with E/M from 1/%v to %v", study.Alike, study.Alike))
				}
				name, _, _ := strings.Cut(e.Name, " (") // without its strength
				if e.Draws[0].Kind == evaluation.Feature {
					name = "underweighted"
				}
				v.Place = fmt.Sprintf("%s, %s ahead", g.Name, text.Counted(d, "decision"))
				v.Row = []string{name, w.String(), claim, percent(c.Expectimax), percent(c.Minimax), study.RatioText(c.Ratio())}
				out = append(out, v)
			}
		}
	}
	return out
}

// Table returns a table of what each error and yardstick costs each planner.
func (g *grid) Table() report.Table {
	t := report.Table{Head: []string{"error", "world", "depth", "minimax loses", "expectimax loses", "E/M", "difference", "minimax, plies", "expectimax, plies"}, Words: 2,
		Caption: fmt.Sprintf("%s: the loss of a planner with the error against the same planner without it, in one world, as a fraction of the points, with 95%% intervals unless all positions were counted or a theorem gives the value. E/M: expectimax's loss divided by minimax's; - if minimax's loss is not clearly above 0. One ply less: the value of a ply, which is negative if searching deeper loses. Plies: the loss divided by half the value of two plies; - if that value is not clearly above 0 for both planners.", g.Name)}
	for _, w := range g.Worlds {
		for _, d := range g.Depths {
			row := func(name string, c study.Contrast, plies ...string) {
				t.Rows = append(t.Rows, append([]string{name, w.String(), fmt.Sprint(d), study.LossText(c.Minimax), study.LossText(c.Expectimax), study.RatioText(c.Ratio()), c.Difference().Range("%.4f", 1)}, plies...))
			}
			for _, e := range g.Errors {
				plies := g.plies(e, w, d)
				row(e.Name, g.contrast(e, e, w, d), study.RatioText(plies[0]), study.RatioText(plies[1]))
			}
			for _, a := range g.yardsticks(d) {
				row(a.Name, g.contrast(g.Errors[0], a, w, d), "", "")
			}
		}
	}
	return t
}

// Sizes returns a table of the properties that the errors have before any search.
func (g *grid) Sizes() report.Table {
	t := report.Table{Head: []string{"error", "draws", "strength", "size", "siblings"}, Words: 1,
		Caption: g.Name + ": errors at the leaves of searches. Size: root mean square after the best affine fit within trees, as a fraction of half the utility range. Siblings: correlation between the errors of a decision's alternatives."}
	for _, e := range g.Errors {
		u, d := g.Subject, e.Draws
		t.Rows = append(t.Rows, []string{e.Name, fmt.Sprint(len(d)), fmt.Sprintf("%.3g", d[0].By), stats.Number("%.3f", u.Size(d)), stats.Number("%.2f", u.SiblingCorrelation(d[0]))})
	}
	return t
}

// Headline summarises the result in a sentence, for the last world and a depth of at most three
// decisions.
func (g *grid) Headline() string {
	w, d := g.Worlds[len(g.Worlds)-1], min(3, g.last())
	if d == 1 {
		c := g.depthOne()
		return fmt.Sprintf("%s: %s.", c.Name, c.Figure)
	}
	var said []string
	for _, e := range g.three() {
		c := g.contrast(e, e, w, d)
		minimax := study.LossText(c.Minimax)
		if g.theorem(e, g.Minimax()) {
			minimax = "nothing (a theorem)"
		}
		text := fmt.Sprintf("with %s, expectimax loses %s and minimax %s", e.family().name, study.LossText(c.Expectimax), minimax)
		if ratio := c.Ratio(); ratio.Known {
			text += ", E/M " + study.RatioText(ratio)
		}
		said = append(said, text)
	}
	none := g.contrast(g.Errors[0], blind, w, d)
	return fmt.Sprintf("In %s, %d decisions ahead, as fractions of the points: %s. Without any evaluation, expectimax loses %s and minimax %s.", g.where(w), d, strings.Join(said, "; "), none.Expectimax.Estimate().Range("%.3f", 1), none.Minimax.Estimate().Range("%.3f", 1))
}

// three returns the errors that the first page shows: an error of scale, noise, and an error of
// estimation.
func (g *grid) three() (out []*evalError) {
	for color := 1; color <= 3; color++ {
		if i := slices.IndexFunc(g.Errors, func(e *evalError) bool { return e.family().color == color }); i >= 0 {
			out = append(out, g.Errors[i])
		}
	}
	return out
}

// Checks returns the instrument checks, which compare the measurements with theorems.
func (g *grid) Checks() (out []study.Check) {
	if g.Depths[0] == 1 {
		out = append(out, g.depthOne())
	}
	add := func(name string, of func(e *evalError, assumes study.World) bool) {
		worst, cells := 0.0, 0
		for _, e := range slices.Concat(g.Errors, controls) {
			for a := range g.arms {
				if of(e, a.Assumes) {
					cells++
					worst = max(worst, farthest(g.losses[a.with(e)], nil))
				}
			}
		}
		if cells > 0 {
			out = append(out, study.Check{Name: g.Name + ": " + name, Passed: worst == 0, Figure: fmt.Sprintf("at most %.3g in %d cells", worst, cells)})
		}
	}
	add("the identity loses nothing", func(e *evalError, _ study.World) bool { return e == controls[0] })
	add("a positive affine map loses nothing", func(e *evalError, _ study.World) bool { return e == controls[1] })
	add("no strictly increasing map costs minimax anything", func(e *evalError, assumes study.World) bool { return e.Warps() && assumes == g.Minimax() })
	return out
}

// farthest returns the largest distance between corresponding losses in two sets. Pairs that were
// not played count as 0.
func farthest(losses, others [][]float64) (most float64) {
	for i, row := range losses {
		for k, v := range row {
			if others != nil && k < len(others[i]) {
				v -= others[i][k]
			}
			most = max(most, math.Abs(v))
		}
	}
	return most
}

// depthOne returns the negative control: at depth 1, all planners choose the same moves in every
// pair.
func (g *grid) depthOne() study.Check {
	worst, cells := 0.0, 0
	for _, e := range slices.Concat(g.Errors, controls) {
		for a := range g.arms {
			if a.Depth == 1 && a.Assumes != g.Minimax() {
				cells++
				worst = max(worst, farthest(g.losses[a.with(e)], g.losses[arm{a.World, g.Minimax(), 1, e.Name}]))
			}
		}
	}
	return study.Check{Name: g.Name + ": at depth 1, both planners lose the same amount", Passed: worst == 0, Figure: fmt.Sprintf("maximum difference %.4f in %d cells", worst, cells)}
}

// fileName replaces characters that must not occur in the file name of a figure.
var fileName = strings.NewReplacer(":", "-", "=", "-", ",", "-", "/", "-", "+", "-", " ", "-")

// figures adds a figure of planners and worlds, and one of losses by depth in the last world. All
// panels of a figure have the same axes.
func (g *grid) figures(f *study.Results) error {
	name, note := fileName.Replace(g.Name), ""
	if g.Size > 0 {
		note = fmt.Sprintf(" All errors have the same size (%.3f of half the range of values), except those whose size is stated.", g.Size)
	}
	w := g.Worlds[len(g.Worlds)-1]
	worlds := []study.World{g.Worlds[0], w}
	if len(g.Worlds) == 1 {
		worlds = worlds[1:]
	}
	var quad, byDepth []report.Plot
	var low, high float64
	for _, w := range worlds {
		for side, planner := range planners {
			p := report.Rows{Title: fmt.Sprintf("%s in %s", text.Capital(planner), g.where(w)), XLabel: "loss (fraction of the points)", Level: new(0.0), XMin: &low, XMax: &high}
			add := func(name string, c study.Contrast, format string, color int) {
				r := row(name, sides(c)[side].Estimate(), format, 1, color)
				p.Rows, low, high = append(p.Rows, r), min(low, r.Low), max(high, r.High)
			}
			for _, e := range g.three() {
				add(e.family().name, g.contrast(e, e, w, g.last()), "%.4f", e.family().color)
			}
			add(blind.Name, g.contrast(g.Errors[0], blind, w, g.last()), "%.3f", neutral)
			quad = append(quad, p)
		}
	}
	ticks := list.Map(g.Depths, func(depth int) float64 { return float64(depth) })
	least, most := math.Inf(1), math.Inf(-1)
	for side, planner := range planners {
		var lines []report.Series
		for _, e := range g.Errors {
			l := report.Series{Name: e.Name, Color: e.family().color}
			for _, d := range g.Depths {
				addPoint(&l, float64(d), sides(g.contrast(e, e, w, d))[side].Estimate())
				least, most = min(least, l.Low[len(l.Low)-1]), max(most, l.High[len(l.High)-1])
			}
			lines = append(lines, l)
		}
		c := panel(planner, "depth, decisions", "loss (fraction of the points)", ticks, lines)
		c.YMin, c.YMax = &least, &most
		byDepth = append(byDepth, c)
	}
	first, err := report.NewFigure("quad-"+name, fmt.Sprintf("Cost of errors by planner and world, %d decisions ahead", g.last()),
		"In each row, a planner whose evaluation has the error plays against itself without the error, in that world. Compare planners only within a world. Bars are 95% intervals; they are missing if all positions were counted."+note, quad...)
	if err != nil {
		return err
	}
	second, err := report.NewFigure("depth-"+name, "Cost of errors for each planner by depth, "+g.where(w),
		"One colour per kind of error. Both panels show the same world, so you can compare them. The 95% intervals are over units or draws of the error, otherwise over openings."+note, byDepth...)
	f.Figures = append(f.Figures, first, second)
	return err
}

// A family is a group of errors on the first page, with a name and a colour.
type family struct {
	name  string
	color int
}

var families = map[evaluation.Kind]family{evaluation.Noise: {"noise", 2}, evaluation.Weights: {"wrong weights", 3}, evaluation.Feature: {"an underweighted feature", 4}}

const neutral = 7 // colour of yardsticks

func (e *evalError) family() family {
	return cmp.Or(families[e.Draws[0].Kind], family{"a wrong scale", 1})
}

// addPoint appends an estimate to a line. An estimate without an interval is drawn as a point.
func addPoint(s *report.Series, x float64, y stats.Estimate) {
	low, high := y.Ends()
	s.X, s.Y, s.Low, s.High = append(s.X, x), append(s.Y, y.Value), append(s.Low, low), append(s.High, high)
}

// panel returns a chart of lines. Each line is shifted slightly to the right, so that intervals do
// not overlap.
func panel(title, xlabel, ylabel string, ticks []float64, lines []report.Series) report.Chart {
	c := report.Chart{Title: title, XLabel: xlabel, YLabel: ylabel, XTicks: ticks}
	apart := (ticks[len(ticks)-1] - ticks[0]) / 70
	of := map[int]int{} // number of lines so far by colour
	for i, s := range lines {
		s.Color = cmp.Or(s.Color, i+1)
		of[s.Color]++
		s.Shape = of[s.Color]
		s.X = list.Map(s.X, func(x float64) float64 { return x + float64(float64(i)*apart) })
		c.Series = append(c.Series, s)
	}
	return c
}

// row returns a row with a name and a formatted estimate, multiplied by scale.
func row(name string, y stats.Estimate, format string, scale float64, color int) report.Row {
	text := y.Range(format, scale)
	y = y.Map(scale, 0)
	low, high := y.Ends()
	return report.Row{Name: name, Value: y.Value, Low: low, High: high, Text: text, Color: color}
}
