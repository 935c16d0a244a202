package loop

import (
	"cmp"
	"fmt"
	"math"

	"plyfit/features"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/learn/fit"
	"plyfit/learn/online"
	"plyfit/learn/validate"
	"plyfit/models"
)

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
		figures.Summary = fmt.Sprintf("Stage %d in figures, and its settings", k+1)
		figures.Add(online.CurveTable(s.Points, false))
		if len(s.Starts) > 0 {
			figures.Add(trialTable(s.Starts, fmt.Sprintf("Stage %d was run from several seeds, and its models played each other under %s, on games that no other figure of this page is of. The last that was best went on.", k+1, o.Options.Recipe.Planner)))
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
			unit = "score still to come"
		}
		if err := fit.AddCalibration(page, "rows in tenths", unit, "What the learned evaluation predicted for positions of games that it played after learning, and what came of them, with 95% intervals clustered by episode.", x.Calibration); err != nil {
			return err
		}
		var tables report.Page
		validate.Describe(&tables, x)
		page.Add(report.Details{Summary: "The predictions in figures, and by stage of the game", Blocks: tables.Blocks})
	}
	if err := cmp.Or(fit.Pictures(page, o.Learned, nil), fit.AddPatterns(page, o.Test.patterns, "the positions of those games")); err != nil {
		return err
	}
	set, err := o.Options.World.Set(o.Learned.Features)
	if err != nil {
		return err
	}
	page.Add(heaviest(set, o.Learned))
	return nil
}

// heaviest lists the largest weights outside of tables.
func heaviest(set features.Set, m *models.Linear) report.Table {
	const most = 60
	order := list.Order(len(m.Weights), func(a, b int) int { return cmp.Compare(math.Abs(m.Weights[b]), math.Abs(m.Weights[a])) })
	docs := features.DocsByName(set)
	t := report.Table{Head: []string{"term", "weight"}, Rows: [][]string{{"bias", fmt.Sprintf("%.4g", m.Bias)}}, Docs: []string{""}}
	for _, i := range order[:min(most, len(order))] {
		t.Rows = append(t.Rows, []string{m.Name(int32(i)), fmt.Sprintf("%.4g", m.Weights[i])})
		t.Docs = append(t.Docs, docs[m.Name(int32(i))])
	}
	t.Caption = fmt.Sprintf("The largest of %d weights", len(m.Weights))
	if len(m.Table) > 0 {
		t.Caption += fmt.Sprintf("; %d more stand in tables", len(m.Table))
	}
	t.Caption += ". plyfit model show lists all."
	return t
}
