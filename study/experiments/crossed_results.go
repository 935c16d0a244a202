package experiments

import (
	"fmt"
	"math"
	"strings"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

// nested are an arm's losses by unit: by draw of the error where it has several,
// else by opening. Where no move can change only the first openings were played.
func (r *factorial) nested(k factorKind, a study.Arm) study.Nested {
	flat := r.losses[a]
	if len(flat) < r.pairs {
		flat = append(flat[:len(flat):len(flat)], make([]float64, r.pairs-len(flat))...)
	}
	var out study.Nested
	for _, part := range (damage.Match{}).Draws(k.damages, r.pairs) {
		out = append(out, flat[part.From:part.From+part.Pairs])
	}
	return out
}

// difference is what the kind of error costs expectimax more than minimax in one
// world, opening by opening.
func (r *factorial) difference(k factorKind, expectimax, minimax study.Arm) (study.Nested, error) {
	if err := study.SameWorld(expectimax, minimax); err != nil {
		return nil, err
	}
	out := r.nested(k, expectimax)
	less := r.nested(k, minimax)
	for i, row := range out {
		out[i] = make([]float64, len(row))
		for j, x := range row {
			out[i][j] = x - less[i][j]
		}
	}
	return out, nil
}

// inPlies is the loss of an arm in what one ply is worth to its planner in its
// world; known is false where that is not clearly above 0.
func (r *factorial) inPlies(k factorKind, a study.Arm, seed uint64) (i study.Interval, known bool) {
	switch {
	case a.Depth < 2:
		return i, false
	case k.warps() && a.Assumes != a.World:
		return study.Exactly(0), true // minimax, whose moves no warp changes
	}
	ply := a
	ply.Error = string(damage.OnePly)
	i = study.Ratio(r.nested(k, a), r.nested(k, ply), seed)
	return i, !math.IsInf(i.Low, -1)
}

// units is the loss of an arm in points, plies and normalised Elo.
func (r *factorial) units(k factorKind, a study.Arm, seed uint64) []string {
	plies, elo := "-", "-"
	if i, known := r.inPlies(k, a, seed); known {
		plies = i.Format(1)
	}
	if n := -tallyOf(r.losses[a]).NormalisedElo(); !math.IsInf(n, 0) {
		elo = study.Number(n, 0)
	}
	return []string{r.nested(k, a).Interval().Format(3), plies, elo}
}

// tallyOf are the pairs behind losses of the points.
func tallyOf(losses []float64) (t study.Tally) {
	for _, loss := range losses {
		t[int(math.Round(2-float64(4*loss)))]++
	}
	return t
}

// results adds to f what came of the game, and tells it in a sentence.
func (r *factorial) results(f *study.Results, seed uint64) (headline string, err error) {
	f.Checks = append(f.Checks, r.checks()...)
	f.Tables = append(f.Tables, r.sizes())
	t := report.Table{Head: []string{"error", "world", "depth", "minimax, points", "plies", "nElo", "expectimax, points", "plies", "nElo", "difference, points"}, Words: 2,
		Caption: fmt.Sprintf("%s, %s: what a planner with the error loses to itself without it, in one world, with 95%% intervals. Points: the share of them. Plies: that over what the same planner loses that looks one ply less far; - where this is not clearly above 0. nElo: normalised Elo. The difference is expectimax less minimax.", r.Base.Spec, r.Name)}
	last := r.depths[len(r.depths)-1]
	for _, w := range r.worlds {
		for _, k := range r.kinds {
			if k.control {
				continue
			}
			for _, d := range r.depths {
				expectimax, minimax := r.arm(w, w, d, k.name), r.arm(w, r.minimax(), d, k.name)
				x, err := r.difference(k, expectimax, minimax)
				if err != nil {
					return "", err
				}
				row := append([]string{k.name, w.String(), fmt.Sprint(d)}, r.units(k, minimax, seed)...)
				t.Rows = append(t.Rows, append(append(row, r.units(k, expectimax, seed)...), x.Interval().Format(3)))
				if d == last && d > 1 {
					f.Findings = append(f.Findings, r.finding(k, w, d, x, seed))
				}
			}
		}
		for _, d := range r.depths {
			for _, a := range anchorsAt(d) {
				row := []string{anchorNames[a], w.String(), fmt.Sprint(d)}
				for _, assumes := range []study.World{r.minimax(), w} {
					losses := r.losses[r.arm(w, assumes, d, string(a))]
					row = append(row, study.TInterval(losses).Format(3), "", "")
				}
				t.Rows = append(t.Rows, append(row, ""))
			}
		}
	}
	f.Tables = append(f.Tables, t)
	if err := r.figures(f, seed); err != nil {
		return "", err
	}
	return r.headline(seed), nil
}

// anchorNames are those of the yardsticks in tables.
var anchorNames = map[damage.Anchor]string{damage.OnePly: "one ply less", damage.Zero: "knows the ends only", damage.Random: "random moves"}

// three are the kinds of error for a reader in a hurry: one of scale, noise, and one of
// estimation.
func (r *factorial) three() (out []factorKind) {
	for _, color := range []int{draw.Scale, draw.Noise, draw.Estimation} {
		for _, k := range r.kinds {
			if draw.ColorOf(k.damages[0]) == color && !k.control {
				out = append(out, k)
				break
			}
		}
	}
	return out
}

// headline answers the question in a sentence, for the last world and the greatest
// depth.
func (r *factorial) headline(seed uint64) string {
	w, d := r.worlds[len(r.worlds)-1], r.depths[len(r.depths)-1]
	if d == 1 {
		c := r.depthOne()
		return fmt.Sprintf("%s: %s.", c.Name, c.Figure)
	}
	cost := func(k factorKind, assumes study.World) string {
		a := r.arm(w, assumes, d, k.name)
		i, known := r.inPlies(k, a, seed)
		switch {
		case k.warps() && assumes != w:
			return "nothing"
		case known && i.High-i.Low <= 2:
			return fmt.Sprintf("about %.1f plies", i.Value)
		}
		return r.nested(k, a).Interval().Format(3) + " of the points"
	}
	var said []string
	for _, k := range r.three() {
		said = append(said, fmt.Sprintf("by %s expectimax loses %s and minimax %s", draw.PlainName(k.damages[0]), cost(k, w), cost(k, r.minimax())))
	}
	return fmt.Sprintf("In %s with %v, %d decisions ahead, %s.", r.Base.Spec, w, d, strings.Join(said, "; "))
}

// halfPly is the smallest effect of interest in plies.
const halfPly = 0.5

// finding is what a contrast within a world says: of scale that it costs
// expectimax more, of all else that it costs both the same.
func (r *factorial) finding(k factorKind, w study.World, depth int, x study.Nested, seed uint64) study.Finding {
	where := fmt.Sprintf("in %s with %v, %d decisions ahead, %s costs", r.Base.Spec, w, depth, k.name)
	plies, known := r.inPlies(k, r.arm(w, w, depth, k.name), seed)
	var v study.Finding
	if k.warps() {
		i := x.Interval()
		v = study.Decide(where+" expectimax more than minimax", i, study.Above, 0, "difference of losses "+i.Format(3)).OrNegligible(i, 0, study.SmallestEffect)
		if known {
			v = v.OrNegligible(plies, 0, halfPly)
		}
	} else {
		v = study.Equivalence(fmt.Sprintf("%s both planners the same within %v of the points", where, study.SmallestEffect), x.Units())
	}
	if known {
		v.Figure += fmt.Sprintf(", expectimax's loss %s plies", plies.Format(1))
	}
	return v
}

// sizes lists the errors with what they are like before anyone searches.
func (r *factorial) sizes() report.Table {
	t := report.Table{Head: []string{"error", "draws", "strength", "size", "siblings"}, Words: 1,
		Caption: fmt.Sprintf("%s: errors at the leaves of searches. Size: root mean square after the best affine fit within trees, in half ranges of utility. Siblings: correlation of the errors of a decision's alternatives.", r.Base.Spec)}
	for _, k := range r.kinds {
		if !k.control {
			d := k.damages[0]
			t.Rows = append(t.Rows, []string{k.name, fmt.Sprint(len(k.damages)), fmt.Sprintf("%.3g", d.By), study.Number(r.Size(k.damages), 3), study.Number(r.SiblingCorrelation(d), 2)})
		}
	}
	return t
}

// checks are the theorems that the measurement must show.
func (r *factorial) checks() []study.Check {
	var out []study.Check
	add := func(name string, of func(k factorKind, a study.Arm) bool) {
		worst, cells := 0.0, 0
		for _, k := range r.kinds {
			for _, w := range r.worlds {
				for _, d := range r.depths {
					for _, assumes := range []study.World{r.minimax(), w} {
						a := r.arm(w, assumes, d, k.name)
						if !of(k, a) {
							continue
						}
						cells++
						for _, x := range r.losses[a] {
							worst = math.Max(worst, math.Abs(x))
						}
					}
				}
			}
		}
		if cells > 0 {
			out = append(out, study.Check{Name: r.Base.Spec + ": " + name, Passed: worst == 0, Figure: fmt.Sprintf("at most %.3g in %d cells", worst, cells)})
		}
	}
	if r.depths[0] == 1 {
		out = append(out, r.depthOne())
	}
	add("the identity loses nothing", func(k factorKind, _ study.Arm) bool { return k.name == damage.Identity })
	add("a positive affine map loses nothing", func(k factorKind, _ study.Arm) bool { return k.name == damage.AffineMap })
	add("under minimax no warp loses anything", func(k factorKind, a study.Arm) bool { return k.warps() && a.Assumes != a.World })
	return out
}

// depthOne is the negative control: one decision ahead the planners' losses differ
// by nothing that their intervals tell from 0.
func (r *factorial) depthOne() study.Check {
	c := study.Check{Name: r.Base.Spec + ": one decision ahead the planners lose alike", Passed: true}
	cells := 0
	var widest study.Interval
	for _, k := range r.kinds {
		for _, w := range r.worlds {
			x, err := r.difference(k, r.arm(w, w, 1, k.name), r.arm(w, r.minimax(), 1, k.name))
			if err != nil {
				return study.Check{Name: c.Name, Figure: err.Error()}
			}
			i := x.Interval()
			cells++
			if c.Passed = c.Passed && i.Low <= 0 && i.High >= 0; math.Abs(i.Value) >= math.Abs(widest.Value) {
				widest = i
			}
		}
	}
	c.Figure = fmt.Sprintf("difference at most %s in %d cells", widest.Format(4), cells)
	return c
}

// figures are planner x world for a reader in a hurry, and losses by depth in the last
// world, a panel a planner.
func (r *factorial) figures(f *study.Results, seed uint64) error {
	if quad, drawn, err := r.quad(seed); err != nil {
		return err
	} else if drawn {
		f.Figures = append(f.Figures, quad)
	}
	var ticks []float64
	for _, d := range r.depths {
		ticks = append(ticks, float64(d))
	}
	w := r.worlds[len(r.worlds)-1]
	var panels []report.Chart
	for _, planner := range r.planners(w) {
		var lines []draw.Line
		for _, k := range r.kinds {
			if k.control {
				continue
			}
			l := draw.Line{Name: k.name, Color: draw.ColorOf(k.damages[0])}
			for _, d := range r.depths {
				l.Add(float64(d), r.nested(k, r.arm(w, planner.assumes, d, k.name)).Interval())
			}
			lines = append(lines, l)
		}
		panels = append(panels, draw.Panel(planner.name, "depth, decisions", "loss, share of the points", ticks, lines))
	}
	draw.SameScale(panels)
	fig, err := draw.Figure("depth-"+r.Base.Name, fmt.Sprintf("What errors cost either planner by depth, %s with %v", r.Base.Spec, w),
		fmt.Sprintf("A colour a kind of error, all of one size (%.3f) but for log odds. Both panels are one world, so they may be compared. 95%% intervals over draws of the error, else over openings.", r.size), panels...)
	f.Figures = append(f.Figures, fig)
	return err
}

type namedPlanner struct {
	name    string
	assumes study.World
}

// planners are the two that are compared in a world.
func (r *factorial) planners(w study.World) []namedPlanner {
	return []namedPlanner{{"minimax", r.minimax()}, {"expectimax", w}}
}

// quad is planner x world with three kinds of error in plies, at the greatest depth, in
// the first world and the last; drawn is false one decision ahead, where there is no
// ply less.
func (r *factorial) quad(seed uint64) (fig report.Figure, drawn bool, err error) {
	d := r.depths[len(r.depths)-1]
	if d == 1 {
		return fig, false, nil
	}
	worlds := r.worlds
	if len(worlds) > 2 {
		worlds = []study.World{worlds[0], worlds[len(worlds)-1]}
	}
	var panels []report.Rows
	for _, w := range worlds {
		for _, planner := range r.planners(w) {
			p := report.Rows{Title: fmt.Sprintf("%s in %s with %v", study.Capital(planner.name), r.Base.Spec, w), XLabel: "loss, plies", Level: new(0.0)}
			for _, k := range r.three() {
				a := r.arm(w, planner.assumes, d, k.name)
				i, known := r.inPlies(k, a, seed)
				row := draw.Row(draw.PlainName(k.damages[0]), i, 1, draw.ColorOf(k.damages[0]))
				if !known {
					row.Missing, row.Text = true, r.nested(k, a).Interval().Format(3)+" of the points; a ply is unclear"
				}
				p.Rows = append(p.Rows, row)
			}
			panels = append(panels, p)
		}
	}
	fig, err = draw.Quad("quad-"+r.Base.Name, fmt.Sprintf("What an error costs, by planner and by world, %d decisions ahead", d),
		fmt.Sprintf("Each row: a planner whose evaluation has the error plays itself without it, in that world. All errors have one size (%.3f of half the range of values). The loss is counted in plies: 1 is what the same planner loses that looks one decision less far. Bars are 95%% intervals.", r.size), panels)
	return fig, true, err
}
