package experiments

import (
	"context"
	"fmt"
	"slices"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

var depth = study.Experiment{
	Name:     "depth",
	Question: "Does a deeper search cure a bad evaluation?",
	Hypothesis: "Written 2026-11-21, before the first run: it cures noise, and under expectimax sooner than under minimax; it cures an underweighted feature slowly; " +
		"it does not cure a wrong scale, whose cost appears at depth two under expectimax and stays.",
	Withdrawn: "That noise fades sooner at p = .2 than at p = 0: planner and world changed together. \"Does not fade\" was said of warps of which .67 to .70 was left; what is judged is whether more than half is left over the depths named.",
	Design: "The same positions for all depths (6 to 20 random decisions, no end at hand), p = 0 (minimax) and p = .2 (expectimax), four kinds of damage of one size (see crossover). Regret is judged by the clean search of the same depth and divided by that of a random move; the regret of noise is the mean over its seeds. " +
		"To fade is to lose more than half of the regret between depth 2 and the greatest depth. Intervals by bootstrap over positions, the same resamples for both depths. Sample size: a pilot of 400 positions gave the regret of noise at depth 4 and p = .2 as 3.9% (3.2 to 4.7); 4,000 give +-.25.",
	Takes:   []string{"game", "eval", "warp", "feature", "depth", "slip", "error", "positions"},
	Minutes: [3]float64{0.1, 4, 60},
	Run:     runDepth,
}

func runDepth(ctx context.Context, s *study.Session) (*study.Results, error) {
	f := &study.Results{Data: []study.Data{{Name: "cells", Head: []string{"game", "kind", "slip", "depth", "positions", "regret", "regret_low", "regret_high"}}}}
	for _, spec := range study.Or(s.Over.Games, []string{"connect4"}) {
		if err := depthGame(ctx, s, f, spec); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// fading is the regret of a kind of damage in one world, by depth and position.
type fading struct {
	kind   errorKind
	slip   float64
	regret map[int][]float64 // mean over the kind's damages
	random map[int][]float64
}

// share is the regret at a depth, of a random move's, the positions weighted.
func (x *fading) share(depth int, weight []float64) float64 {
	var a, b float64
	for i, w := range weight {
		a += float64(w * x.regret[depth][i])
		b += float64(w * x.random[depth][i])
	}
	return a / b
}

func (x *fading) any(depth int) bool {
	return slices.ContainsFunc(x.regret[depth], func(r float64) bool { return r > 0 })
}

func depthGame(ctx context.Context, s *study.Session, f *study.Results, spec string) error {
	u, err := damage.LoadSubject(s, spec)
	if err != nil {
		return err
	}
	kinds, e, err := errorKinds(s, u, s.Pick(3, 5, 10))
	if err != nil {
		return err
	}
	depths := study.Or(s.Over.Depths, [][]int{{1, 2, 3, 4}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7}}[s.Effort])
	depths = slices.Sorted(slices.Values(depths))
	slips := study.Or(s.Over.Slips, []float64{0, 0.2})
	if u.Base.Chancy() {
		slips = []float64{0}
	}
	var damages []damage.Damage
	for _, k := range kinds {
		damages = append(damages, k.damages...)
	}
	var keys []damage.Choices
	for _, d := range depths {
		keys = append(keys, damage.Choices{Game: u.Base.Spec, Eval: u.Digest, Slips: slips, Depth: d, Damages: damages})
	}
	found, err := damage.ChooseAll(ctx, s, "choices in "+u.Base.Spec, map[string]*damage.Subject{u.Base.Spec: u}, keys, s.Positions(400, 4000, 10000))
	if err != nil {
		return err
	}
	var all []*fading
	for j, p := range slips {
		from := j * len(damages)
		for _, k := range kinds {
			x := &fading{k, p, map[int][]float64{}, map[int][]float64{}}
			for i, d := range depths {
				sum := make([]float64, len(found[i].Random[j]))
				for l := range k.damages {
					for n, r := range found[i].Regret[from+l] {
						sum[n] += r / float64(len(k.damages))
					}
				}
				x.regret[d], x.random[d] = sum, found[i].Random[j]
			}
			from += len(k.damages)
			all = append(all, x)
		}
	}
	return depthResults(f, u, e, depths, slips, all, s.Seed)
}

func depthResults(f *study.Results, u *damage.Subject, e *damage.Equalised, depths []int, slips []float64, all []*fading, seed uint64) error {
	var ticks []float64
	for _, d := range depths {
		ticks = append(ticks, float64(d))
	}
	t := report.Table{Head: []string{"damage", "p"}, Words: 1, Caption: "Regret in percent of a random move's, judged by the clean search of the same depth. 0 is exact: not one move was worse."}
	for _, d := range depths {
		t.Head = append(t.Head, fmt.Sprintf("depth %d", d))
	}
	var panels []report.Chart
	for _, p := range slips {
		var lines []draw.Line
		style := 0
		for _, x := range all {
			if x.slip != p {
				continue
			}
			style++
			l := draw.Line{Name: x.kind.name, Dashed: !x.kind.warps(), Style: style}
			row := []string{x.kind.name, fmt.Sprint(p)}
			for _, d := range depths {
				i := study.Exactly(0)
				if x.any(d) {
					i = study.Bootstrap(len(x.regret[d]), seed, func(w []float64) float64 { return 100 * x.share(d, w) })
				}
				f.Data[0].Row(u.Base.Spec, x.kind.name, p, d, len(x.regret[d]), i.Value, i.Low, i.High)
				row = append(row, i.Format(2))
				if i.Low > 0 {
					l.Add(float64(d), i)
				}
			}
			t.Rows = append(t.Rows, row)
			if len(l.X) > 0 {
				lines = append(lines, l)
			}
		}
		if len(lines) == 0 {
			continue
		}
		title := fmt.Sprintf("expectimax, p = %v", p)
		if p == 0 && !u.Base.Chancy() {
			title = "minimax, p = 0"
		}
		c := draw.Panel(title, "depth, decisions", "regret, percent of a random move's", ticks, lines)
		c.LogY = true
		panels = append(panels, c)
	}
	f.Tables = append(f.Tables, t)
	if len(panels) > 0 {
		draw.SameScale(panels)
		fig, err := draw.Figure("regret-"+u.Base.Name, fmt.Sprintf("Regret of a damaged evaluation by depth, %s, error %.3f", u.Base.Spec, e.Error),
			"Logarithmic axis: what is exactly 0 (every warp under minimax, every warp one decision ahead), or not told from it, is not drawn; the table has it. 95% bootstrap intervals over positions.", panels...)
		if err != nil {
			return err
		}
		f.Figures = append(f.Figures, fig)
	}
	depthFindings(f, u, depths, all, seed)
	return nil
}

// fades is the share of the regret that is left when a search of two
// decisions goes as deep as the experiment does, which counts as fading.
const fades = 0.5

func depthFindings(f *study.Results, u *damage.Subject, depths []int, all []*fading, seed uint64) {
	if !slices.Contains(depths, 2) || depths[len(depths)-1] <= 2 {
		return
	}
	last := depths[len(depths)-1]
	var fading, staying, open []string
	for _, x := range all {
		if !x.any(2) {
			continue
		}
		left := study.Bootstrap(len(x.regret[2]), seed, func(w []float64) float64 {
			r := x.share(2, w)
			if r == 0 {
				return 1
			}
			return x.share(last, w) / r
		})
		claim, text := study.Below, "loses more than half of its regret"
		if x.kind.warps() {
			claim, text = study.Above, "keeps more than half of its regret"
		}
		name := fmt.Sprintf("%s at p = %v", x.kind.name, x.slip)
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("%s %s from depth 2 to %d", name, text, last), left, claim, fades, "share of the regret left "+left.Format(2)))
		switch study.Decide("", left, study.Below, fades, "").Support {
		case study.Supported:
			fading = append(fading, name)
		case study.Contradicted:
			staying = append(staying, name)
		default:
			open = append(open, name)
		}
	}
	if f.Headline == "" {
		f.Headline = fmt.Sprintf("From depth 2 to depth %d in %s, less than half of the regret is left of %s; more than half of %s; not decided: %s.", last, u.Base.Spec, study.Join(fading), study.Join(staying), study.Join(open))
	}
}
