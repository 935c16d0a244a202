package loop

import (
	"fmt"
	"slices"

	"plyfit/arena/stats"
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
	if err := addStrength(page, own); err != nil {
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

// addStrength adds the picture of what evaluations got, if any were compared.
func addStrength(page interface{ Add(...report.Block) }, contests []Contest) error {
	picture, any, err := strengthPicture(contests)
	if err == nil && any {
		page.Add(picture)
	}
	return err
}

// results are all figures of the run's matches, and what else was said of them.
func (o *Result) results(said []string, twin []Contest) (d report.Details, err error) {
	d.Summary = "All results: other planners, the twin, and tables"
	if len(said) > 0 {
		d.Add(report.List(said))
	}
	if err := addStrength(&d, twin); err != nil {
		return d, err
	}
	for _, t := range EvaluationTables(o.Contests) {
		d.Add(t)
	}
	if t, any := plannerTable(o.Contests); any {
		d.Add(t)
	}
	if t, any := regretTable(o.Regrets); any {
		d.Add(t)
	}
	if t, any := exploitTable(o.Exploits); any {
		d.Add(t)
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
		list = append(list, fmt.Sprintf("%s: %s", where, t.Result.Sentence))
		for _, note := range t.Result.Notes {
			list = append(list, fmt.Sprintf("%s: %s", where, note))
		}
	}
	return list
}

// closed is an estimate whose interval, where it has none, is its value.
func closed(e stats.Estimate) stats.Estimate {
	if !e.Bounded {
		e.Low, e.High = e.Value, e.Value
	}
	return e
}
