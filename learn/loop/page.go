package loop

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/learn/fit"
	"plyfit/learn/online"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Page returns the report on the run. The main result is on the first screen, and the rest is below
// it or folded.
func (o *Result) Page() (*report.Page, error) {
	c := &o.Options
	page := &report.Page{Title: "plyfit learn " + c.World.Label(), Lead: o.Verdict()}
	said := append(o.findings(), o.learner())[1:]
	own, twin := o.Contests, []Contest(nil)
	if k := slices.IndexFunc(o.Contests, func(t Contest) bool { return t.Game != c.World.Spec }); k >= 0 {
		own, twin = o.Contests[:k], o.Contests[k:]
	}
	if err := page.AddFigure(strengthPicture(own)); err != nil {
		return nil, err
	}
	all, err := o.results(said, twin)
	if err != nil {
		return nil, err
	}
	page.Add(all)
	if err := page.AddFigure(o.gamePicture()); err != nil {
		return nil, err
	}
	if len(o.Trials) > 0 {
		page.Add(report.Details{Summary: "Which learner", Blocks: []report.Block{trialTable(o.Trials, fmt.Sprintf("The game has no recipe, so several learners were tried. Their models played each other under %s, in games that are not used elsewhere on this page. The winner is the last model marked as best.", o.Options.Recipe.Planner))}})
	}
	describe := o.describeRounds
	if len(o.Stages) > 0 {
		describe = o.describeStages
	}
	if err := describe(page); err != nil {
		return nil, err
	}
	page.Add(report.Details{Summary: "Conclusions of the matches", Blocks: []report.Block{o.sentences()}})
	page.Add(report.Heading("Again"), report.Code(c.Command))
	return page, nil
}

// results returns the remaining findings, the figure for the twin's matches and the tables of all
// matches.
func (o *Result) results(said []string, twin []Contest) (d report.Details, err error) {
	d.Summary = "All results: other planners, the game's other variant and tables"
	d.Add(report.List(said))
	if err := d.AddFigure(strengthPicture(twin)); err != nil {
		return d, err
	}
	for _, t := range append(EvaluationTables(o.Contests), plannerTable(o.Contests), regretTable(o.Regrets), exploitTable(o.Exploits)) {
		if len(t.Rows) > 0 {
			d.Add(t)
		}
	}
	if !o.Options.World.Chancy() {
		d.Add(report.Text("This world has no chance nodes, so expectimax and minimax make the same moves. They differ in the variant with slips."))
	}
	return d, nil
}

func (o *Result) sentences() (list report.List) {
	for _, t := range o.Contests {
		where := "in " + t.World.Label()
		if !t.Planners() {
			where += " under " + t.Planner
		}
		for _, said := range append([]string{t.Result.Sentence}, t.Result.Notes...) {
			list = append(list, where+": "+said)
		}
	}
	return list
}

func (o *Result) describeRounds(page *report.Page) error {
	page.Add(report.Heading("How it learned"))
	rounds := report.Details{Summary: "Figures for each round", Blocks: []report.Block{o.roundTable()}}
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
	if err != nil || o.Fitted.Report.HeldOutRows == 0 { // with only a few episodes there is nothing to plot
		return err
	}
	tenths, err := o.Fitted.Calibration(context.Background(), o.Options.World)
	if err != nil {
		return err
	}
	return fit.AddCalibration(page, "held-out rows, in ten groups", "outcome", "Predicted and realised outcomes for positions in held-out episodes, with 95% intervals clustered by episode.", tenths)
}

func (o *Result) roundTable() report.Table {
	t := report.Table{
		Head:    []string{"round", "player", "episodes", "distinct", "cut off", "records", "mean outcome", "held-out R²"},
		Words:   2,
		Caption: "Mean outcome: utility of player 0 at the end of an episode, with its 95% interval. Held-out R²: fraction of the variance in held-out episodes that the weights fitted in the round explain.",
	}
	for k, r := range o.Rounds {
		t.Rows = append(t.Rows, []string{fmt.Sprint(k + 1), r.Agent, fmt.Sprint(r.Data.Episodes), fmt.Sprint(r.Data.Distinct), fmt.Sprint(r.Data.Truncated),
			fmt.Sprint(r.Data.Records), plusMinus(r.Outcome), learn.FigureText(r.R2)})
	}
	return t
}

// acceptTable compares the model of each round with the best earlier model by held-out loss and
// playing strength. It also reports whether any round had an earlier model.
func (o *Result) acceptTable() (t report.Table, any bool) {
	ending := fmt.Sprintf("A model that loses its match is rejected, even if its error is smaller. The model of round %d is the result.", o.Shipped)
	t = report.Table{
		Head:    []string{"round", "held-out error", "error of the best earlier model", "match against the best earlier model", "ships", "note"},
		Caption: fmt.Sprintf("Comparison of each round's model with the best earlier model. Error: mean squared difference from the label on the held-out rows of the round. Match: at most %d pairs under the round's planner, fewer if the sequential test decides earlier, in games that are not used elsewhere on this page. %s", o.Options.trialPairs(), ending),
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
			p.Strength, p.Rival, p.Of = r.UtilityA, r.UtilityB, "mean utility per game"
		case r.Measure == arena.Utility:
			p.Of = "gain in utility per game over " + o.Options.opponent()
		}
		points = append(points, p)
	}
	f, _, err := online.StrengthFigure(points, "rounds", "Strength after each round", "round")
	return f, err
}

func (o *Result) describeStages(page *report.Page) error {
	page.Add(report.Heading("How it learned"))
	for k, s := range o.Stages {
		var figures report.Details
		if len(s.Points) > 0 && s.Points[0].Pairs > 0 {
			figure, _, err := online.StrengthFigure(s.Points, fmt.Sprintf("stage-%d", k+1), fmt.Sprintf("Strength while learning, stage %d", k+1), "games learned from")
			if err != nil {
				return err
			}
			page.Add(figure)
		}
		figures.Summary = fmt.Sprintf("Stage %d: figures and settings", k+1)
		figures.Add(online.CurveTable(s.Points, false))
		if len(s.Starts) > 0 {
			figures.Add(trialTable(s.Starts, fmt.Sprintf("Stage %d was run with several seeds, and its models played each other under %s, in games that are not used elsewhere on this page. The last model marked as best was kept.", k+1, o.Options.Recipe.Planner)))
		}
		if s.Guard != nil {
			page.Add(report.Text(s.guardSentence(k)))
		}
		figures.Add(online.SettingsTable(s.Settings, fmt.Sprintf("the weights of stage %d", k+1)))
		page.Add(figures)
	}
	page.Add(report.Heading("What was learned"))
	page.Add(o.Test.describe())
	if x := o.Test.Examination; x != nil {
		unit := "outcome"
		if x.ToCome {
			unit = "remaining score"
		}
		if err := fit.AddCalibration(page, "rows, in ten groups", unit, "Predictions for positions in games that the evaluation played after learning, and realised values, with 95% intervals clustered by episode.", x.Calibration); err != nil {
			return err
		}
		var tables report.Page
		validate.Describe(&tables, x)
		page.Add(report.Details{Summary: "The predictions in numbers and by stage of the game", Blocks: tables.Blocks})
	}
	if err := cmp.Or(fit.Pictures(page, o.Learned, nil), fit.AddPatterns(page, o.Test.patterns, "the positions in those games")); err != nil {
		return err
	}
	set, err := o.Options.World.Set(o.Learned.Features)
	if err != nil {
		return err
	}
	page.Add(heaviest(set, o.Learned))
	return nil
}

// heaviest returns a table of the largest weights outside pattern tables.
func heaviest(set features.Set, m *models.Linear) report.Table {
	const most = 60
	order := list.Order(len(m.Weights), func(a, b int) int { return cmp.Compare(math.Abs(m.Weights[b]), math.Abs(m.Weights[a])) })
	docs := features.DocsByName(set)
	t := report.Table{Head: []string{"term", "weight"}, Rows: [][]string{{"bias", fmt.Sprintf("%.4g", m.Bias)}}, Docs: []string{""}}
	for _, i := range order[:min(most, len(order))] {
		t.Rows = append(t.Rows, []string{m.Name(int32(i)), fmt.Sprintf("%.4g", m.Weights[i])})
		t.Docs = append(t.Docs, docs[m.Name(int32(i))])
	}
	t.Caption = fmt.Sprintf("The table contains only the largest weights, of %d in total", len(m.Weights))
	if len(m.Table) > 0 {
		t.Caption += fmt.Sprintf("; %d other weights are in tables", len(m.Table))
	}
	t.Caption += ". Use plyfit model show to list all weights."
	return t
}
