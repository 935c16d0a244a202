package loop

import (
	"fmt"
	"strings"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/fit"
	"plyfit/report"
)

// Page is the run's report.
func (o *Result) Page() (*report.Page, error) {
	c := &o.Options
	page := &report.Page{
		Title: "plyfit learn " + c.World.Spec,
		Lead:  strings.Join(o.Findings(), " "),
	}
	page.Add(report.Heading("Learned against hand-written"))
	for _, t := range EvaluationTables(o.Contests) {
		page.Add(t)
	}
	if t, any := PlannerTable(o.Contests); any {
		page.Add(t)
	}
	if t, any := RegretTable(o.Regrets); any {
		page.Add(t)
	}
	if !c.World.Chancy() {
		page.Add(report.Text("This world has no chance nodes, so that expectimax and minimax are the same there; they part in its twin, where a move slips."))
	}
	page.Add(report.Heading("What was played"), o.roundTable())
	figure, err := o.learningCurve()
	if err != nil {
		return nil, err
	}
	page.Add(figure)
	page.Add(report.Heading("What was learned"))
	fit.Describe(page, o.Fitted)
	if o.Fitted.Report.HeldOutRows > 0 { // else a handful of episodes, and nothing to draw
		if figure, err = o.calibration(); err != nil {
			return nil, err
		}
		page.Add(figure)
	}
	page.Add(report.Heading("What each match said"))
	var sentences report.List
	for _, t := range o.Contests {
		where := "in " + t.Game
		if !t.Planners() {
			where += " under " + t.Planner
		}
		sentences = append(sentences, fmt.Sprintf("%s: %s", where, t.Result.Sentence))
		for _, note := range t.Result.Notes {
			sentences = append(sentences, fmt.Sprintf("%s: %s", where, note))
		}
	}
	page.Add(sentences)
	page.Add(report.Heading("Again"), report.Code(c.Command))
	return page, nil
}

// Findings are one sentence a planner on learned against hand-written, in the
// run's own world, in plain words.
func (o *Result) Findings() []string {
	var out []string
	for _, t := range o.Contests {
		if t.Planners() || t.A != "learned" || t.B != o.Options.opponent() || t.Game != o.Options.World.Spec {
			continue
		}
		rival := map[string]string{"handwritten": "the hand-written evaluation", "zero": "the evaluation that knows nothing"}[t.B]
		verb := "is not told apart from"
		switch t.Result.Conclusion {
		case arena.BetterA:
			verb = "beats"
		case arena.BetterB:
			verb = "falls short of"
		case arena.Nothing:
			verb = "could not be compared with"
		}
		figure := share(&t.Result)
		if t.Result.Mode == arena.Solo {
			figure = plusMinus(t.Result.UtilityA) + " against " + plusMinus(t.Result.UtilityB)
		}
		out = append(out, fmt.Sprintf("Under %s the learned evaluation %s %s: %s.", t.Planner, verb, rival, figure))
	}
	return out
}

func (o *Result) roundTable() report.Table {
	t := report.Table{
		Head:    []string{"round", "player", "episodes", "distinct", "cut off", "records", "mean outcome", "held-out R²"},
		Words:   2,
		Caption: "Mean outcome: what player 0 got at the end of an episode, with its 95% interval. Held-out R²: what the weights fitted to the round explain in episodes that they have not seen.",
	}
	for k, r := range o.Rounds {
		t.Rows = append(t.Rows, []string{fmt.Sprint(k + 1), r.Agent, fmt.Sprint(r.Data.Episodes), fmt.Sprint(r.Data.Distinct), fmt.Sprint(r.Data.Truncated),
			fmt.Sprint(r.Data.Records), plusMinus(r.Outcome), fmt.Sprintf("%.3f", r.R2)})
	}
	return t
}

// learningCurve is the strength of each round's model.
func (o *Result) learningCurve() (report.Figure, error) {
	rival := o.Options.opponent()
	chart := report.Chart{
		Title: "Strength after each round", XLabel: "round", LegendTop: true, LegendLeft: true,
		YLabel: "share of the points against " + rival,
	}
	s := report.Series{Name: "learned"}
	other := report.Series{Name: rival, Dashed: true}
	solo := o.Rounds[0].Strength.Mode == arena.Solo
	for k, r := range o.Rounds {
		x := float64(k + 1)
		e := r.Strength.Score
		if solo {
			e = r.Strength.UtilityA
		}
		s.X, s.Y, s.Low, s.High = append(s.X, x), append(s.Y, e.Value), append(s.Low, low(e)), append(s.High, high(e))
		if solo {
			b := r.Strength.UtilityB
			other.X, other.Y, other.Low, other.High = append(other.X, x), append(other.Y, b.Value), append(other.Low, low(b)), append(other.High, high(b))
		}
	}
	chart.Series = []report.Series{s}
	if solo {
		chart.YLabel = "mean utility a game"
		chart.Series = append(chart.Series, other)
	} else {
		even := 0.5
		if o.Rounds[0].Strength.Measure == arena.Utility {
			even, chart.YLabel = 0, "utility a game more than "+rival
		}
		chart.Level = &even
	}
	svg, err := chart.SVG()
	return report.Figure{Name: "rounds", SVG: svg, Caption: fmt.Sprintf("Each round's model under %s in %d pairs, with 95%% intervals.", o.Options.Recipe.Planner, o.Rounds[0].Strength.Pairs)}, err
}

func low(e stats.Estimate) float64 {
	if e.Bounded {
		return e.Low
	}
	return e.Value
}

func high(e stats.Estimate) float64 {
	if e.Bounded {
		return e.High
	}
	return e.Value
}
