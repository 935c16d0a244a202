package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/list"
)

func (d *diagnosis) advise() {
	r := &d.report
	if r.Slope.Sure != TooSure || !d.chancy {
		return
	}
	gain := r.Expectimax.Scale
	if gain.Bounded && gain.Low <= 0 {
		d.note("Calibrating would not help measurably: it gains %s %s under expectimax.", r.figure(gain), r.Unit)
		return
	}
	a := Advice{Do: "calibrate", Gain: gain, Commands: []string{
		fmt.Sprintf("%s selfplay %s -o fresh --games 2000 --agent '%s'", d.Program, r.Game, catalog.WithEval("expectimax:depth=1", r.Eval)),
		fmt.Sprintf("%s model calibrate '%s' --data fresh -o calibrated.json", d.Program, d.World.ModelName(r.Eval)),
	}}
	if m := d.Evaluation.Model; m == nil || !m.Link.Bounded() {
		a.Do, a.Commands = "calibrate by a link with bounds, which this evaluation lacks, such as "+d.Program+" fit gives", nil
	}
	r.Advice = slices.Insert(r.Advice, 0, a)
}

// Positions and terms that are shown.
const (
	worstPositions = 3
	worstTerms     = 3
)

// worst adds the decisions at which expectimax gives most away to the report.
func (d *diagnosis) worst() {
	own := d.planner(false, raw, 0)
	regret := func(i int) float64 { return d.found[i].values[best] - d.found[i].values[own] }
	shown := map[uint64]bool{}
	for _, i := range list.Order(len(d.found), func(i, j int) int { return cmp.Compare(regret(j), regret(i)) }) {
		if len(shown) == worstPositions || regret(i) <= 0 {
			break
		}
		s, c := d.samples[i].state, &d.found[i]
		if h := game.BoardHash(s); !shown[h] {
			shown[h] = true
			p := Position{
				Position: s.String(), Board: game.Drawing(s, false), Chosen: s.MoveString(c.chosen), Better: s.MoveString(c.better),
				Value: c.values[own], Best: c.values[best],
			}
			d.explain(&p, s, c)
			d.report.Worst = append(d.report.Worst, p)
		}
	}
}

// explain adds the terms of the evaluation that differ most between the two moves.
func (d *diagnosis) explain(p *Position, s game.State, c *choices) {
	e := d.Evaluation
	if e.Set == nil {
		return
	}
	of := features.NewEvaluator(d.World.Game, e.Set, e.Model)
	before, ended := of.After(s, c.chosen)
	after, over := of.After(s, c.better)
	if ended || over {
		return // what a finished game is worth has no terms
	}
	for _, t := range features.Changes(before, after) {
		if len(p.Terms) == worstTerms || t.Difference == 0 {
			break
		}
		p.Terms = append(p.Terms, term{t.Name, t.Before, t.After, t.Difference})
	}
	for _, t := range features.Endings(before, after, func(x float64) string { return fmt.Sprintf("%.4g", x) }) {
		p.Ending = append(p.Ending, term{t.Name, t.Before, t.After, t.Difference})
	}
}
