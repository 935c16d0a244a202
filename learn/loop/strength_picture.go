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
	type place struct{ world, planner string }
	var order []place
	of := map[place][]Contest{}
	for _, c := range contests {
		at := place{c.Game, c.Planner}
		if c.Planners() {
			continue
		}
		if of[at] == nil {
			order = append(order, at)
		}
		of[at] = append(of[at], c)
	}
	for _, at := range order {
		rows := strengthRows(of[at])
		rows.Title = fmt.Sprintf("in %s, %s", at.world, strings.ReplaceAll(at.planner, ",", ", ")) // so that it can be wrapped
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
		rows.Rows = append(rows.Rows, report.Row{Name: label, Value: factor * e.Value, Low: factor * closed(e).Low, High: factor * closed(e).High, Text: text, Color: colors[evaluation]})
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
