package loop

import (
	"cmp"
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/learn/fit"
	"plyfit/learn/online"
)

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
	err = cmp.Or(fit.Pictures(page, o.Fitted.Model, o.Fitted.Intervals()), o.Fitted.AddPatterns(page))
	if err != nil || o.Fitted.Report.HeldOutRows == 0 { // of a handful of episodes, with nothing to draw
		return err
	}
	tenths, err := o.Fitted.Calibration(context.Background(), o.Options.World)
	if err != nil {
		return err
	}
	return fit.AddCalibration(page, "held-out rows in tenths", "outcome", "What the learned evaluation predicted for positions of held-out episodes, and what came of them, with 95% intervals clustered by episode.", tenths)
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
		t.Rows = append(t.Rows, []string{fmt.Sprint(k + 1), fmt.Sprintf("%.6g", r.Losses.New), fmt.Sprintf("%.6g", r.Losses.Best), shareText(r.Match), ships, note})
	}
	return t, any
}

func (o *Result) learningCurve() (report.Figure, error) {
	var points []online.Point
	for k := range o.Rounds {
		r := &o.Rounds[k].Strength
		p := online.Point{Episodes: k + 1, Pairs: r.Pairs, Strength: r.Score, Of: "share of the points against " + o.Options.opponent()}
		switch {
		case r.Mode == arena.Solo:
			p.Strength, p.Rival, p.Of = r.UtilityA, r.UtilityB, "mean utility a game"
		case r.Measure == arena.Utility:
			p.Of = "utility a game more than " + o.Options.opponent()
		}
		points = append(points, p)
	}
	f, _, err := online.StrengthFigure(points, "rounds", "Strength after each round", "round")
	return f, err
}
