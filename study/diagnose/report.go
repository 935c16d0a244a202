package diagnose

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/internal/text"
)

//go:embed report.txt
var prose string

// say executes a template of report.txt.
var say = report.Prose(prose, template.FuncMap{
	"counted": text.Counted, "join": strings.Join, "figure": (*Report).figure, "gains": (*Report).gains,
	"losses": (*Report).losses, "worths": func(r *TermsReport) report.Table { return r.Tables()[0] },
	"number": func(i int) int { return i + 1 },
	"board":  func(b string) string { return strings.TrimRight(b, "\n") },
})

// advise adds the recommendation to calibrate.
func (d *diagnosis) advise() {
	r := &d.report
	if r.Slope.Sure != TooSure || !d.chancy {
		return
	}
	gain := r.Expectimax.Scale
	if gain.Bounded && gain.Low <= 0 {
		d.note("Calibration would not help measurably: it gains %s %s under expectimax.", r.figure(gain), r.Unit)
		return
	}
	a := Advice{Do: "calibrate", Gain: gain, Commands: []string{
		fmt.Sprintf("%s selfplay %s -o fresh --games 2000 --agent '%s'", d.Program, r.Game, catalog.WithEval("expectimax:depth=1", r.Eval)),
		fmt.Sprintf("%s model calibrate '%s' --data fresh -o calibrated.json", d.Program, d.World.ModelName(r.Eval)),
	}}
	if m := d.Evaluation.Model; m == nil || !m.Link.Bounded() {
		a.Do, a.Commands = "refit the evaluation with a bounded link, using "+d.Program+" fit", nil
	}
	r.Advice = slices.Insert(r.Advice, 0, a)
}

// worst adds to the report the decisions, at most three, at which expectimax has the largest
// regret.
func (d *diagnosis) worst() {
	own := d.planner(false, raw, 0)
	regret := func(i int) float64 { return d.found[i].values[best] - d.found[i].values[own] }
	seen := map[uint64]bool{}
	for _, i := range list.Order(len(d.found), func(i, j int) int { return cmp.Compare(regret(j), regret(i)) }) {
		if len(seen) == 3 || regret(i) <= 0 {
			break
		}
		s, c := d.samples[i].state, &d.found[i]
		if h := game.BoardHash(s); !seen[h] {
			seen[h] = true
			p := Position{
				Position: s.String(), Board: game.Drawing(s, false), Chosen: s.MoveString(c.chosen), Better: s.MoveString(c.better),
				Value: c.values[own], Best: c.values[best],
			}
			d.explain(&p, s, c)
			d.report.Worst = append(d.report.Worst, p)
		}
	}
}

// explain adds the terms of the evaluation, at most three, that differ most between the two moves.
func (d *diagnosis) explain(p *Position, s game.State, c *choices) {
	e := d.Evaluation
	if e.Set == nil {
		return
	}
	of := features.NewEvaluator(d.World.Game, e.Set, e.Model)
	before, ended := of.After(s, c.chosen)
	after, over := of.After(s, c.better)
	if ended || over {
		return // a finished game has a utility rather than terms
	}
	for _, t := range features.Changes(before, after) {
		if len(p.Terms) == 3 || t.Difference == 0 {
			break
		}
		p.Terms = append(p.Terms, term{t.Name, t.Before, t.After, t.Difference})
	}
	for _, t := range features.Endings(before, after, func(x float64) string { return fmt.Sprintf("%.4g", x) }) {
		p.Ending = append(p.Ending, term{t.Name, t.Before, t.After, t.Difference})
	}
}

// Text formats the report for the terminal.
func (r *Report) Text() string { return say("screen", r) }

// Page returns the report as a page.
func (r *Report) Page() *report.Page {
	p := &report.Page{Title: "Diagnosis of " + r.Eval, Lead: say("title", r) + "."}
	p.Add(report.Heading("What it loses"), r.losses(), report.Text("Scale: "+say("scale", r)+"."))
	if len(r.Advice) > 0 {
		p.Add(report.Heading("What to do"), report.List(list.Map(r.Advice, func(a Advice) string { return r.gains(a) + "." })))
	}
	for _, a := range r.Advice {
		if len(a.Commands) > 0 {
			p.Add(report.Code(strings.Join(a.Commands, "\n")))
		}
	}
	if len(r.Worst) > 0 {
		p.Add(report.Heading("Worst positions"))
	}
	for _, w := range r.Worst {
		p.Add(report.Text(w.Position+": "+say("moves", w)+"."), report.Code(w.Board))
		var terms report.List
		for line := range strings.Lines(say("terms", w)) {
			terms = append(terms, strings.TrimSpace(line)+".")
		}
		p.Add(terms)
	}
	p.Add(report.Heading("Notes"), report.List(append([]string{"Reckoned: " + say("spent", r) + "."}, r.Notes...)))
	return p
}

// figure formats an estimate in the unit of the report.
func (r *Report) figure(e stats.Estimate) string {
	if r.Unit == "of the points" {
		return e.Format("%.3f", 1)
	}
	return e.Format(e.Decimals(), 1)
}

func (r *Report) gains(a Advice) string {
	return a.Do + ": gains " + r.figure(a.Gain) + " " + r.Unit + " under expectimax"
}

// Tables returns the losses and the recommendations as tables, for publications and other programs.
func (r *Report) Tables() []report.Table {
	tables := []report.Table{r.losses()}
	if len(r.Advice) > 0 {
		tables = append(tables, report.Table{Head: []string{"do", "gain"}, Caption: "Gains from the remedies under expectimax (" + r.Unit + "), with 95% intervals.",
			Rows: list.Map(r.Advice, func(a Advice) []string { return []string{a.Do, r.figure(a.Gain)} })})
	}
	return tables
}

func (r *Report) losses() report.Table {
	t := report.Table{Head: []string{r.Unit, "expectimax"},
		Rows:    [][]string{{"it loses"}, {"  by its order"}, {"  by its scale"}, {"(no evaluation)"}, {"a decision"}, {"pairs of games"}},
		Caption: "Losses of a planner in games against itself with a deeper search, and the causes of the losses, with 95% intervals clustered by game."}
	planners := []*Loss{&r.Expectimax}
	if r.Minimax != nil {
		t.Head, planners = append(t.Head, "minimax"), append(planners, r.Minimax)
	}
	for _, l := range planners {
		scale := r.figure(l.Scale)
		if l.Always {
			scale = "0, always"
		}
		for i, cell := range []string{r.figure(l.Loss), r.figure(l.Order), scale, "(" + r.figure(l.Blind) + ")", l.Regret.Format(l.Regret.Decimals(), 1), fmt.Sprint(l.Pairs)} {
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	return t
}
