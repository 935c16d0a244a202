package experiments

import (
	"fmt"
	"math"

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
// world, "-" where that is not clearly above 0.
func (r *factorial) inPlies(k factorKind, a study.Arm, seed uint64) string {
	if a.Depth < 2 {
		return "-"
	}
	ply := a
	ply.Error = string(damage.OnePly)
	i := study.Ratio(r.nested(k, a), r.nested(k, ply), seed)
	if math.IsInf(i.Low, -1) {
		return "-"
	}
	return i.Format(1)
}

// results adds to f what came of the game, and tells it in a sentence.
func (r *factorial) results(f *study.Results, seed uint64) (headline string, err error) {
	f.Checks = append(f.Checks, r.checks()...)
	f.Tables = append(f.Tables, r.sizes())
	t := report.Table{Head: []string{"error", "world", "depth", "minimax", "expectimax", "difference", "minimax, plies", "expectimax, plies"}, Words: 2,
		Caption: fmt.Sprintf("%s, %s: share of the points that a planner with the error loses to itself without it, in one world; the difference is expectimax less minimax. In plies: the loss over that of the same planner one ply less deep; - where a ply is not clearly worth anything.", r.Base.Spec, r.Name)}
	last := r.depths[len(r.depths)-1]
	for _, w := range r.worlds {
		for _, k := range r.kinds {
			if k.control {
				continue
			}
			for _, d := range r.depths {
				expectimax := r.arm(w, w, d, k.name)
				minimax := r.arm(w, r.minimax(), d, k.name)
				x, err := r.difference(k, expectimax, minimax)
				if err != nil {
					return "", err
				}
				diff := x.Interval()
				lost, plies := r.nested(k, expectimax).Interval(), r.inPlies(k, expectimax, seed)
				t.Rows = append(t.Rows, []string{k.name, w.String(), fmt.Sprint(d), r.nested(k, minimax).Interval().Format(3), lost.Format(3), diff.Format(3), r.inPlies(k, minimax, seed), plies})
				if d < last || d == 1 {
					continue
				}
				f.Findings = append(f.Findings, r.finding(k, w, d, x, plies))
				if w == r.worlds[len(r.worlds)-1] {
					headline += fmt.Sprintf(" %s %s;", k.name, diff.Format(3))
				}
			}
		}
		for _, d := range r.depths {
			for _, a := range anchorsAt(d) {
				row := []string{anchorNames[a], w.String(), fmt.Sprint(d)}
				for _, assumes := range []study.World{r.minimax(), w} {
					row = append(row, study.TInterval(r.losses[r.arm(w, assumes, d, string(a))]).Format(3))
				}
				t.Rows = append(t.Rows, append(row, "", "", ""))
			}
		}
	}
	f.Tables = append(f.Tables, t)
	fig, err := r.figure()
	f.Figures = append(f.Figures, fig)
	if headline == "" {
		c := r.depthOne()
		return fmt.Sprintf("%s: %s.", c.Name, c.Figure), err
	}
	return fmt.Sprintf("%s with %v, %d decisions ahead, what errors cost expectimax more than minimax, in points:%s.", r.Base.Spec, r.worlds[len(r.worlds)-1], last, headline[:len(headline)-1]), err
}

// anchorNames are those of the yardsticks in tables.
var anchorNames = map[damage.Anchor]string{damage.OnePly: "one ply less", damage.Zero: "knows the ends only", damage.Random: "random moves"}

// finding is what a contrast within a world says: of scale that it costs
// expectimax more, of all else that it costs both the same.
func (r *factorial) finding(k factorKind, w study.World, depth int, x study.Nested, plies string) study.Finding {
	where := fmt.Sprintf("in %s with %v, %d decisions ahead, %s costs", r.Base.Spec, w, depth, k.name)
	var v study.Finding
	if k.warps() {
		i := x.Interval()
		v = study.Decide(where+" expectimax more than minimax", i, study.Above, 0, "difference of losses "+i.Format(3))
	} else {
		v = study.Equivalence(fmt.Sprintf("%s both planners the same within %v of the points", where, study.SmallestEffect), x.Units())
	}
	if plies != "-" {
		v.Figure += fmt.Sprintf(", expectimax's loss %s plies", plies)
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

// figure shows losses by depth in the last world, a panel a planner.
func (r *factorial) figure() (report.Figure, error) {
	var ticks []float64
	for _, d := range r.depths {
		ticks = append(ticks, float64(d))
	}
	w := r.worlds[len(r.worlds)-1]
	var panels []report.Chart
	for _, planner := range []struct {
		name    string
		assumes study.World
	}{{"minimax", r.minimax()}, {"expectimax", w}} {
		var lines []draw.Line
		for n, k := range r.kinds {
			if k.control {
				continue
			}
			l := draw.Line{Name: k.name, Dashed: !k.warps(), Style: n + 1}
			for _, d := range r.depths {
				l.Add(float64(d), r.nested(k, r.arm(w, planner.assumes, d, k.name)).Interval())
			}
			lines = append(lines, l)
		}
		panels = append(panels, draw.Panel(planner.name, "depth, decisions", "loss, share of the points", ticks, lines))
	}
	draw.SameScale(panels)
	return draw.Figure("crossed-"+r.Base.Name, fmt.Sprintf("What errors cost either planner in one world, %s with %v", r.Base.Spec, w),
		fmt.Sprintf("A colour an error, of one size (%.3f) but for log odds; whole lines are errors of scale. Both panels are one world, so they may be compared. 95%% intervals over draws of the error, else over openings.", r.size), panels...)
}
