package solved

import (
	"fmt"
	"slices"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/exact"
	"plyfit/study/experiments/draw"
)

// solvedLine is what is known of a damage, or of all seeds of noise, by slip
// and depth.
type solvedLine struct {
	damage damage.Damage
	of     map[float64][][]exact.PolicyValue // by slip and depth: one a seed
}

// interval is the mean over seeds of noise, with its range as the interval: the
// seeds are all that was drawn.
func (l *solvedLine) interval(slip float64, depth int, of func(exact.PolicyValue) float64) study.Interval {
	var x []float64
	for _, j := range l.of[slip][depth-1] {
		x = append(x, of(j))
	}
	i := study.Interval{Low: slices.Min(x), High: slices.Max(x)}
	for _, v := range x {
		i.Value += v / float64(len(x))
	}
	if len(x) == 1 {
		i.Value = x[0]
	}
	return i
}

func truthLines(base string, keys []truthCell, found [][]exact.PolicyValue, depth int) []*solvedLine {
	var lines []*solvedLine
	for i, k := range keys {
		if k.Base != base {
			continue
		}
		var l *solvedLine
		for _, have := range lines {
			if have.damage.Kind == k.Damage.Kind && (k.Damage.Kind == damage.Noise || have.damage.String() == k.Damage.String()) {
				l = have
			}
		}
		if l == nil {
			l = &solvedLine{k.Damage, map[float64][][]exact.PolicyValue{}}
			lines = append(lines, l)
		}
		if l.of[k.Slip] == nil {
			l.of[k.Slip] = make([][]exact.PolicyValue, depth)
		}
		for d := range depth {
			l.of[k.Slip][d] = append(l.of[k.Slip][d], found[i][d])
		}
	}
	return lines
}

func score(j exact.PolicyValue) float64  { return study.Round(j.Score, 12) } // sums of millions are rounded
func regret(j exact.PolicyValue) float64 { return j.Regret / j.Random }

func truthResults(b *exact.Board, keys []truthCell, found [][]exact.PolicyValue, slips []float64, depth int) (*study.Results, error) {
	f := &study.Results{Notes: []string{fmt.Sprintf("%s has %d positions and %d moves. Bars on noise are its seeds' range; everything else is exact.", b.Sub.Base.Spec, b.Len(), len(b.Next))}}
	data := study.Data{Name: "cells", Head: []string{"game", "base", "damage", "noise_seed", "misfit", "slip", "depth", "regret", "random_regret", "worse_choices", "score"}}
	for i, k := range keys {
		for d, j := range found[i] {
			data.Row(k.Game, k.Base, k.Damage, k.Damage.Seed, study.Round(b.Subjects[k.Base].Misfit(k.Damage), 4), k.Slip, d+1, j.Regret, j.Random, j.Worse, score(j))
		}
	}
	f.Data = append(f.Data, data)
	lines := truthLines(exact.ExactBase, keys, found, depth)
	if err := truthFigures(f, b, lines, slips, depth); err != nil {
		return nil, err
	}
	linear := truthLines(exact.LinearBase, keys, found, depth)
	f.Tables = append(f.Tables,
		truthTable("The calibrated base: the exact value with slip 0.2", b.Subjects[exact.ExactBase], lines, slips, depth),
		truthTable("The imperfect base: the linear evaluation. Where a warp's regret is below that of clean, it improved it", b.Subjects[exact.LinearBase], linear, slips, depth))
	truthFindings(f, lines, linear, slips, depth)
	return f, nil
}

func truthFigures(f *study.Results, b *exact.Board, lines []*solvedLine, slips []float64, depth int) error {
	series := func(x []float64, y func(l *solvedLine, x float64) study.Interval, from int) []draw.Line {
		var out []draw.Line
		for _, l := range lines[from:] {
			s := draw.Line{Name: label(l.damage, b.Subjects[exact.ExactBase]), Color: draw.ColorOf(l.damage), Dashed: !l.damage.Warps()}
			for _, v := range x {
				s.Add(v, y(l, v))
			}
			out = append(out, s)
		}
		return out
	}
	left := draw.Panel(fmt.Sprintf("Score against the clean evaluation, depth %d", min(shown, depth)), "probability p that a move slips", "share of the points", slips,
		series(slips, func(l *solvedLine, p float64) study.Interval { return l.interval(p, min(shown, depth), score) }, 1))
	left.Level = new(0.5)
	most := slices.Max(slips)
	var depths []float64
	for d := range depth {
		depths = append(depths, float64(d+1))
	}
	right := draw.Panel(fmt.Sprintf("True regret, p = %v", most), "depth, decisions", "regret, percent of a random move's", depths,
		series(depths, func(l *solvedLine, d float64) study.Interval {
			i := l.interval(most, int(d), regret)
			return study.Interval{Value: 100 * i.Value, Low: 100 * i.Low, High: 100 * i.High}
		}, 0))
	right.YMin = new(0.0)
	fig, err := draw.Figure("solved", "Damage to a calibrated evaluation, "+b.Sub.Base.Spec+", all positions",
		"Exact: no position and no game was sampled. Bars on noise are the range of its seeds. The evaluation is the exact value with slip 0.2, in 200 grades.", left, right)
	f.Figures = append(f.Figures, fig)
	return err
}

// label is the name in legends, with the error where it has one.
func label(d damage.Damage, u *damage.Subject) string {
	switch d.Kind {
	case damage.Clean:
		return "clean"
	case damage.Noise:
		return fmt.Sprintf("noise, error %.2f", u.Misfit(d))
	}
	return fmt.Sprintf("%v, error %.2f", d, u.Misfit(d))
}

func truthTable(caption string, u *damage.Subject, lines []*solvedLine, slips []float64, depth int) report.Table {
	t := report.Table{Head: []string{"damage", "slip", "depth", "regret, %", "worse choices, %", "score"}, Words: 1, Caption: caption + ". Regret: of a random move's, against perfect play in that world."}
	for _, l := range lines {
		for _, p := range slips {
			for _, d := range []int{min(2, depth), depth} {
				worse := l.interval(p, d, func(j exact.PolicyValue) float64 { return j.Worse })
				t.Rows = append(t.Rows, []string{label(l.damage, u), fmt.Sprint(p), fmt.Sprint(d), study.Interval{Value: 100 * l.interval(p, d, regret).Value, Low: 0, High: 0}.Plain(2),
					study.Interval{Value: 100 * worse.Value, Low: 0, High: 0}.Plain(1), l.interval(p, d, score).Format(4)})
			}
		}
	}
	return t
}

func truthFindings(f *study.Results, lines, linear []*solvedLine, slips []float64, depth int) {
	least, most := slices.Min(slips), slices.Max(slips)
	if least > 0 || most == 0 {
		return
	}
	clean := lines[0]
	warps, costly := 0, 0
	loss := func(l *solvedLine, depth int) study.Interval { // under expectimax, in the world of most slip
		return study.Exactly(0.5 - l.interval(most, depth, score).Value)
	}
	// At the depth of the headline, and as far as the experiment searches.
	depths := []int{min(shown, depth)}
	if depth > shown {
		depths = append(depths, depth)
	}
	for _, l := range lines[1:] {
		if l.damage.Kind == damage.Noise {
			continue // its loss with slip less that without is the world's more than the planner's
		}
		name := l.damage.String()
		warps++
		free := l.interval(0, depth, score)
		f.Checks = append(f.Checks, study.Check{Name: name + " costs exactly nothing without slip", Passed: free.Exact() && free.Value == 0.5, Figure: "score " + free.Format(4)})
		for i, d := range depths {
			c := loss(l, d)
			v := study.Decide(fmt.Sprintf("with slip %v %s costs expectimax, depth %d", most, name, d), c, study.Above, 0, "loss of score "+c.Format(4)+", exact")
			if i == 0 && v.Support == study.Supported {
				costly++
			}
			f.Findings = append(f.Findings, v)
		}
		r := study.Exactly(l.interval(most, depth, regret).Value - clean.interval(most, depth, regret).Value)
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("from a calibrated evaluation %s has more true regret than none at slip %v", name, most), r, study.Above, 0, fmt.Sprintf("%.3f%% of a random move's more, exact", 100*r.Value)))
	}
	better, at := 0.0, ""
	for _, l := range linear[1:] {
		for _, p := range slips {
			for d := 2; d <= depth && p > 0; d++ {
				if gain := linear[0].interval(p, d, regret).Value - l.interval(p, d, regret).Value; gain > better {
					better, at = gain, fmt.Sprintf("%v at slip %v, depth %d", l.damage, p, d)
				}
			}
		}
	}
	where := fmt.Sprintf("%s: %.2f%% of a random move's regret less", at, 100*better)
	if at == "" {
		where = "none did"
	}
	f.Findings = append(f.Findings, study.Decide("some warp improves the imperfect linear evaluation", study.Exactly(better), study.Above, 0, where))
	f.Headline = fmt.Sprintf("On a solved board, all positions counted, %d decisions ahead: %d of %d warps of a calibrated evaluation cost exactly nothing without slip and something with slip %v.",
		depths[0], costly, warps, most)
}

// shown is the depth of the figure of scores and of the headline.
const shown = 3
