package loop

import (
	"fmt"

	"plyfit/arena"
	"plyfit/learn"
	"plyfit/learn/fit"
	"plyfit/study/report"
)

// describeRounds says on the page what was played and fitted.
func (o *Result) describeRounds(page *report.Page) error {
	page.Add(report.Heading("How it learned"))
	rounds := report.Details{Summary: "The rounds in figures", Blocks: []report.Block{o.roundTable()}}
	if t, any := o.acceptTable(); any {
		rounds.Add(t)
	}
	figure, err := o.learningCurve()
	if err != nil {
		return err
	}
	page.Add(figure, rounds, report.Heading("What was learned"))
	fit.Describe(page, o.Fitted)
	if err = fit.Pictures(page, o.Fitted.Model, o.Fitted.Intervals()); err != nil {
		return err
	}
	if err = o.Fitted.AddPatterns(page); err != nil {
		return err
	}
	if o.Fitted.Report.HeldOutRows > 0 { // else a handful of episodes, and nothing to draw
		if figure, err = o.calibration(); err != nil {
			return err
		}
		page.Add(figure)
	}
	return nil
}

func (o *Result) roundTable() report.Table {
	t := report.Table{
		Head:    []string{"round", "player", "episodes", "distinct", "cut off", "records", "mean outcome", "held-out R²"},
		Words:   2,
		Caption: "Mean outcome: what player 0 got at the end of an episode, with its 95% interval. Held-out R²: what the weights fitted to the round explain in episodes that they have not seen.",
	}
	for k, r := range o.Rounds {
		t.Rows = append(t.Rows, []string{fmt.Sprint(k + 1), r.Agent, fmt.Sprint(r.Data.Episodes), fmt.Sprint(r.Data.Distinct), fmt.Sprint(r.Data.Truncated),
			fmt.Sprint(r.Data.Records), plusMinus(r.Outcome), learn.FigureText(r.R2)})
	}
	return t
}

// acceptTable compares held-out loss and play of each round's model; none for one round.
func (o *Result) acceptTable() (t report.Table, any bool) {
	ending := fmt.Sprintf("A model that loses its match does not ship, whatever its error. Round %d ships.", o.Shipped)
	t = report.Table{
		Head:    []string{"round", "its held-out error", "of the best before", "its match against that", "ships", "note"},
		Caption: fmt.Sprintf("Each round's model against the best before it. Error: mean squared difference from the label on the rows that the round held out. Match: at most %d pairs under the round's planner, fewer where a sequential test saw sooner who is better, on games that no other figure of this page is of. %s", o.Options.trialPairs(), ending),
	}
	for k, r := range o.Rounds {
		if r.Match == nil {
			continue
		}
		any = true
		ships, note := "no", ""
		if r.Accepted {
			ships = "yes"
		}
		if k+1 < o.Shipped && r.Accepted {
			ships = "not in the end"
		}
		if r.Disagree() {
			note = "error and play disagree"
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(k + 1), fmt.Sprintf("%.6g", r.Losses.New), fmt.Sprintf("%.6g", r.Losses.Best), Share(r.Match), ships, note})
	}
	return t, any
}

// learningCurve is the strength of each round's model.
func (o *Result) learningCurve() (report.Figure, error) {
	rival := o.Options.opponent()
	chart := report.Chart{
		Title: "Strength after each round", XLabel: "round",
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
