package loop

import (
	"fmt"
	"strings"

	"plyfit/arena"
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

// Findings are one sentence a planner on learned against hand-written, in the
// run's own world, in plain words.
func (o *Result) Findings() []string {
	var out []string
	for k := range o.Stages {
		if s := &o.Stages[k]; s.Middle {
			out = append(out, s.guardSentence(k))
		}
	}
	for i := range o.Contests {
		if t := &o.Contests[i]; o.decides(t) {
			out = append(out, finding(t))
		}
	}
	return out
}

// decides reports whether a contest says what the learned evaluation is worth: against
// the run's opponent, in the run's own world.
func (o *Result) decides(t *Contest) bool {
	return !t.Planners() && t.A == "learned" && t.B == o.Options.opponent() && t.Game == o.Options.World.Spec
}

// finding is the sentence on one of them.
func finding(t *Contest) string {
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
	figure := Share(&t.Result)
	if t.Result.Mode == arena.Solo {
		figure = plusMinus(t.Result.UtilityA) + " against " + plusMinus(t.Result.UtilityB)
	}
	return fmt.Sprintf("Under %s the learned evaluation %s %s: %s.", t.Planner, verb, rival, figure)
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
