package loop

import (
	"fmt"
	"slices"

	"plyfit/internal/report"
)

// Page is the run's report: the result on the first screen, the rest folded or below.
func (o *Result) Page() (*report.Page, error) {
	c := &o.Options
	page := &report.Page{Title: "plyfit learn " + c.World.Spec, Lead: o.Verdict()}
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
		page.Add(report.Details{Summary: "Which learner", Blocks: []report.Block{trialTable(o.Trials, fmt.Sprintf("Nothing is settled for this game, so several learners tried. Their models played each other under %s, on games that no other figure of this page is of. The last that was best ships.", o.Options.Recipe.Planner))}})
	}
	describe := o.describeRounds
	if len(o.Stages) > 0 {
		describe = o.describeStages
	}
	if err := describe(page); err != nil {
		return nil, err
	}
	page.Add(report.Details{Summary: "What each match said", Blocks: []report.Block{o.sentences()}})
	page.Add(report.Heading("Again"), report.Code(c.Command))
	return page, nil
}

// results are all figures of the run's matches, and what else was said of them.
func (o *Result) results(said []string, twin []Contest) (d report.Details, err error) {
	d.Summary = "All results: other planners, the twin, and tables"
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
		d.Add(report.Text("This world has no chance nodes, so that expectimax and minimax are the same there; they part in its twin, where a move slips."))
	}
	return d, nil
}

func (o *Result) sentences() (list report.List) {
	for _, t := range o.Contests {
		where := "in " + t.Game
		if !t.Planners() {
			where += " under " + t.Planner
		}
		for _, said := range append([]string{t.Result.Sentence}, t.Result.Notes...) {
			list = append(list, where+": "+said)
		}
	}
	return list
}
