package ask

import (
	"fmt"
	"math"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/internal/text"
	"plyfit/study"
	"plyfit/study/evaluation"
)

// Report adds the grid's checks, table, figures, findings, data and headline.
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

// percent formats a loss in percent of the points, with half its interval unless it is exact.
func percent(losses stats.Sample) string {
	e := losses.Estimate()
	if e.Exact() {
		return study.Percent(e)
	}
	return e.Format("%.1f", 100)
}

// compared reports whether a world has chance, without which the planners are not compared.
func (g *grid) compared(w study.World) bool { return w.Slip > 0 || g.chancy() }

func (g *grid) where(w study.World) string { return fmt.Sprintf("%s with %v", g.Name, w) }

// findings are the claims at the greatest depth, on a board at every one but 1: errors of scale cost
// expectimax points (minimax nothing, by theorem), all others cost both planners the same.
func (g *grid) findings() (out []study.Finding) {
	for _, w := range g.Worlds {
		for _, e := range g.Errors {
			for _, d := range g.Depths {
				if d == 1 || e.Control || !g.compared(w) || d != g.last() && g.board == nil {
					continue
				}
				c := g.Contrast(e, w, d)
				var v study.Finding
				claim := "E = M"
				if e.Warps() {
					claim = "E > 0"
					v = study.Costs(fmt.Sprintf("in %s, %d decisions ahead, %s costs expectimax points", g.where(w), d, e.Name), c.Expectimax, g.Beside(e, w, d, evaluation.Blind).Expectimax)
				} else {
					v = c.Same(fmt.Sprintf("in %s, %d decisions ahead, %s costs both planners the same, E/M from 1/%v to %v", g.where(w), d, e.Name, study.Alike, study.Alike))
				}
				name, _, _ := strings.Cut(e.Name, " (") // without the strength
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

// Table is what every error costs both planners, and every yardstick.
func (g *grid) Table() report.Table {
	t := report.Table{Head: []string{"error", "world", "depth", "minimax loses", "expectimax loses", "E/M", "difference", "minimax, plies", "expectimax, plies"}, Words: 2,
		Caption: fmt.Sprintf("%s: what a planner with the error loses to itself without it, in one world, as a share of the points; 95%% intervals, none where all positions were counted or a theorem says so. E/M: expectimax's loss over minimax's; - where minimax's is not clearly above 0. One ply less: what a ply is worth, and below 0 where looking farther loses. Plies: the loss over half of what two plies are worth; - where these are not clearly worth something to both planners.", g.Name)}
	for _, w := range g.Worlds {
		for _, d := range g.Depths {
			row := func(name string, c study.Contrast, plies ...string) {
				t.Rows = append(t.Rows, append([]string{name, w.String(), fmt.Sprint(d), study.LossText(c.Minimax), study.LossText(c.Expectimax), study.RatioText(c.Ratio()), c.Difference().Range("%.4f", 1)}, plies...))
			}
			for _, e := range g.Errors {
				if e.Control {
					continue
				}
				c := g.Contrast(e, w, d)
				row(e.Name, c, study.RatioText(g.Plies(e, c.Minimax, w, d, false)), study.RatioText(g.Plies(e, c.Expectimax, w, d, true)))
			}
			for _, a := range g.yardsticks(d) {
				row(a.Name, g.contrast(g.Errors[0], a, w, d), "", "")
			}
		}
	}
	return t
}

// Headline answers in a sentence, for the last world and at most three decisions ahead.
func (g *grid) Headline() string {
	w, d := g.Worlds[len(g.Worlds)-1], min(3, g.last())
	if d == 1 {
		c := g.depthOne()
		return fmt.Sprintf("%s: %s.", c.Name, c.Figure)
	}
	var said []string
	for _, e := range g.three() {
		c := g.Contrast(e, w, d)
		minimax := study.LossText(c.Minimax)
		if g.theorem(e, g.Minimax()) {
			minimax = "nothing (a theorem)"
		}
		text := fmt.Sprintf("by %s expectimax loses %s and minimax %s", plainName(e.Draws[0]), study.LossText(c.Expectimax), minimax)
		if ratio := c.Ratio(); ratio.Known {
			text += ", E/M " + study.RatioText(ratio)
		}
		said = append(said, text)
	}
	none := g.Beside(g.Errors[0], w, d, evaluation.Blind)
	return fmt.Sprintf("In %s, %d decisions ahead, as shares of the points: %s; without any evaluation expectimax loses %s and minimax %s.", g.where(w), d, strings.Join(said, "; "), none.Expectimax.Estimate().Range("%.3f", 1), none.Minimax.Estimate().Range("%.3f", 1))
}

// three are the errors of the first page: one of scale, noise, and one of estimation.
func (g *grid) three() (out []*evalError) {
	for _, color := range []int{scale, noise, estimation} {
		for _, e := range g.Errors {
			if colorOf(e.Draws[0]) == color && !e.Control {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// Checks are the theorems that the measurement must show.
func (g *grid) Checks() []study.Check {
	var out []study.Check
	add := func(name string, of func(e *evalError, assumes study.World) bool) {
		worst, cells := 0.0, 0
		for _, e := range g.Errors {
			for a := range g.arms {
				if of(e, a.Assumes) {
					cells++
					for _, row := range g.losses[a.with(e)] {
						worst = math.Max(worst, farthest(row, nil))
					}
				}
			}
		}
		if cells > 0 {
			out = append(out, study.Check{Name: g.Name + ": " + name, Passed: worst == 0, Figure: fmt.Sprintf("at most %.3g in %d cells", worst, cells)})
		}
	}
	if g.Depths[0] == 1 {
		out = append(out, g.depthOne())
	}
	add("the identity loses nothing", func(e *evalError, _ study.World) bool { return e.Name == evaluation.Identity })
	add("a positive affine map loses nothing", func(e *evalError, _ study.World) bool { return e.Name == evaluation.AffineMap })
	add("under minimax no strictly increasing map loses anything", func(e *evalError, assumes study.World) bool { return e.Warps() && assumes == g.Minimax() })
	return out
}

// farthest is the greatest distance between x and y, which is as long or longer; nil: 0.
func farthest(x, y []float64) (most float64) {
	for i, v := range x {
		if y != nil {
			v -= y[i]
		}
		most = math.Max(most, math.Abs(v))
	}
	return most
}

// depthOne is the negative control: one decision ahead all planners choose alike, pair by pair.
func (g *grid) depthOne() study.Check {
	worst, cells := 0.0, 0
	for _, e := range g.Errors {
		for a := range g.arms {
			minimax := g.losses[arm{a.World, g.Minimax(), 1, e.Name}]
			if a.Depth > 1 || a.Assumes == g.Minimax() {
				continue
			}
			cells++
			for i, row := range g.losses[a.with(e)] {
				short := min(len(row), len(minimax[i])) // theorems are played on fewer pairs
				worst = math.Max(worst, farthest(row[:short], minimax[i]))
				worst = math.Max(worst, farthest(row[short:], nil))
			}
		}
	}
	return study.Check{Name: g.Name + ": one decision ahead the planners lose alike", Passed: worst == 0, Figure: fmt.Sprintf("difference at most %.4f in %d cells", worst, cells)}
}

// figures are planner x world, and losses by depth in the last world, a panel a planner.
func (g *grid) figures(f *study.Results) error {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(":=,/+ ", r) {
			return '-'
		}
		return r
	}, g.Name)
	note := ""
	if g.Size > 0 {
		note = fmt.Sprintf(" Errors have one size (%.3f of half the range of values), but for those with a size of their own.", g.Size)
	}
	worlds := g.Worlds
	if len(worlds) > 2 {
		worlds = []study.World{worlds[0], worlds[len(worlds)-1]}
	}
	titles := []string{"minimax", "expectimax"}
	var rows []report.Rows
	for _, w := range worlds {
		for side, planner := range titles {
			p := report.Rows{Title: fmt.Sprintf("%s in %s", text.Capital(planner), g.where(w)), XLabel: "loss, share of the points", Level: new(0.0)}
			for _, e := range g.three() {
				x := sides(g.Contrast(e, w, g.last()))[side].Estimate()
				p.Rows = append(p.Rows, row(plainName(e.Draws[0]), x, "%.4f", 1, colorOf(e.Draws[0])))
			}
			p.Rows = append(p.Rows, row(yardsticks[evaluation.Blind].Name, sides(g.Beside(g.Errors[0], w, g.last(), evaluation.Blind))[side].Estimate(), "%.3f", 1, neutral))
			rows = append(rows, p)
		}
	}
	quad, err := quad("quad-"+name, fmt.Sprintf("What an error costs, by planner and by world, %d decisions ahead", g.last()),
		"Each row: a planner whose evaluation has the error plays itself without it, in that world. Compare planners within a world. Bars are 95% intervals; there are none where all positions were counted."+note, rows)
	if err != nil {
		return err
	}
	w := g.Worlds[len(g.Worlds)-1]
	ticks := list.Map(g.Depths, func(depth int) float64 { return float64(depth) })
	var panels []report.Chart
	for side, planner := range titles {
		var lines []report.Series
		for _, e := range g.Errors {
			if e.Control {
				continue
			}
			l := report.Series{Name: e.Name, Color: colorOf(e.Draws[0])}
			for _, d := range g.Depths {
				addPoint(&l, float64(d), sides(g.Contrast(e, w, d))[side].Estimate())
			}
			lines = append(lines, l)
		}
		panels = append(panels, panel(planner, "depth, decisions", "loss, share of the points", ticks, lines))
	}
	sameScale(panels)
	depth, err := figure("depth-"+name, "What errors cost either planner by depth, "+g.where(w),
		"A colour a kind of error. Both panels are one world, so they may be compared. 95% intervals over units or draws of the error, else over openings."+note, panels...)
	f.Figures = append(f.Figures, quad, depth)
	return err
}

func sides(c study.Contrast) [2]stats.Sample { return [2]stats.Sample{c.Minimax, c.Expectimax} }

// Sizes lists the errors with what they are like before anyone searches.
func (g *grid) Sizes() report.Table {
	t := report.Table{Head: []string{"error", "draws", "strength", "size", "siblings"}, Words: 1,
		Caption: g.Name + ": errors at the leaves of searches. Size: root mean square after the best affine fit within trees, in half ranges of utility. Siblings: correlation of the errors of a decision's alternatives."}
	for _, e := range g.Errors {
		if u, d := g.Subject, e.Draws; !e.Control {
			t.Rows = append(t.Rows, []string{e.Name, fmt.Sprint(len(d)), fmt.Sprintf("%.3g", d[0].By), stats.Number("%.3f", u.Size(d)), stats.Number("%.2f", u.SiblingCorrelation(d[0]))})
		}
	}
	return t
}
