package loop

import (
	"fmt"
	"strings"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/internal/report"
)

// strengthPicture draws evaluations' results, a panel for each world and planner: mean utilities in
// a game of one, otherwise the score against each other. ok is false without compared evaluations.
func strengthPicture(contests []Contest) (f report.Figure, ok bool, err error) {
	var panels []report.Plot
	for _, here := range grouped(contests, func(c *Contest) string { return c.Game + " " + c.Planner }) {
		rows := strengthRows(here)
		rows.Title = fmt.Sprintf("in %s, %s", here[0].Game, strings.ReplaceAll(here[0].Planner, ",", ", ")) // so that it can be wrapped
		panels = append(panels, rows)
	}
	if len(panels) == 0 {
		return f, false, nil
	}
	f, err = report.NewFigure("strength", "Learned, hand-written and zero", "The figures of the tables below with their 95% intervals.", panels...)
	return f, true, err
}

// strengthRows are the rows of one world and planner.
func strengthRows(contests []Contest) report.Rows {
	colors := map[string]int{"learned": 1, "handwritten": 2, "zero": 7}
	rows := report.Rows{}
	drawn := map[string]bool{}
	add := func(label, evaluation, text string, e stats.Estimate, factor float64) {
		if drawn[label] || !e.Known {
			return
		}
		drawn[label] = true
		low, high := e.Ends()
		rows.Rows = append(rows.Rows, report.Row{Name: label, Value: factor * e.Value, Low: factor * low, High: factor * high, Text: text, Color: colors[evaluation]})
	}
	for _, c := range contests {
		r := &c.Result
		switch {
		case r.Mode == arena.Solo:
			rows.XLabel = "mean utility a game"
			add(shortName[c.A], c.A, plusMinus(r.UtilityA), r.UtilityA, 1)
			add(shortName[c.B], c.B, plusMinus(r.UtilityB), r.UtilityB, 1)
		default:
			factor, even := 100.0, 50.0
			rows.XLabel = "percent of the points; 50 is even"
			if r.Measure == arena.Utility {
				factor, even, rows.XLabel = 1, 0, "utility a game more than the other; 0 is even"
			}
			rows.Level = &even
			add(fmt.Sprintf("%s against %s", shortName[c.A], shortName[c.B]), c.A, shareText(r), r.Score, factor)
		}
	}
	return rows
}
