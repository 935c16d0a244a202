package loop

import (
	"fmt"
	"strings"

	"plyfit/report"
	"plyfit/stats"
)

// Page is the run's report.
func (o *Result) Page() (*report.Page, error) {
	c := &o.Options
	page := &report.Page{
		Title: "plyfit learn " + c.World.Spec,
		Lead:  o.Learner() + " " + strings.Join(o.Findings(), " "),
	}
	page.Add(report.Heading("Learned against hand-written"))
	picture, any, err := strengthPicture(o.Contests)
	if err != nil {
		return nil, err
	}
	if any {
		page.Add(picture)
	}
	for _, t := range EvaluationTables(o.Contests) {
		page.Add(t)
	}
	board, any, err := o.gamePicture()
	if err != nil {
		return nil, err
	}
	if any {
		page.Add(board)
	}
	if t, any := PlannerTable(o.Contests); any {
		page.Add(t)
	}
	if t, any := RegretTable(o.Regrets); any {
		page.Add(t)
	}
	if t, any := ExploitTable(o.Exploits); any {
		page.Add(t)
	}
	if !c.World.Chancy() {
		page.Add(report.Text("This world has no chance nodes, so that expectimax and minimax are the same there; they part in its twin, where a move slips."))
	}
	if len(o.Trials) > 0 {
		page.Add(report.Heading("Which learner"), trialTable(o.Trials, fmt.Sprintf("Nothing is settled for this game, so several learners tried. Their models played each other under %s, on games that no other figure of this page is of. The last that was best ships.", o.Options.Recipe.Planner)))
	}
	describe := o.describeRounds
	if len(o.Stages) > 0 {
		describe = o.describeStages
	}
	if err := describe(page); err != nil {
		return nil, err
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
