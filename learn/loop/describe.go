package loop

import (
	"fmt"
	"slices"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/internal/report"
)

// EvaluationTables are the comparisons of evaluations, a table a world.
func EvaluationTables(contests []Contest) []report.Table {
	var tables []report.Table
	for i := 0; i < len(contests); {
		world := contests[i].Game
		var here []Contest
		for ; i < len(contests) && contests[i].Game == world && !contests[i].Planners(); i++ {
			here = append(here, contests[i])
		}
		if len(here) == 0 {
			i++
			continue
		}
		if here[0].Result.Mode == arena.Solo {
			tables = append(tables, soloTable(world, here))
		} else {
			tables = append(tables, duelTable(world, here))
		}
	}
	return tables
}

// fromOpenings is how many openings cluster each contest's intervals; "" if all begin at the start.
func fromOpenings(contests []Contest) string {
	least, most := contests[0].Result.Openings, contests[0].Result.Openings
	for _, c := range contests {
		if c.Result.Population == arena.OneStart {
			return ""
		}
		least, most = min(least, c.Result.Openings), max(most, c.Result.Openings)
	}
	if least == most {
		return fmt.Sprintf(" from %d openings", least)
	}
	return fmt.Sprintf(" from %d to %d openings", least, most)
}

func soloTable(world string, contests []Contest) report.Table {
	t := report.Table{
		Head:    []string{"in " + world, "zero", "hand-written", "learned", "learned − hand-written"},
		Caption: fmt.Sprintf("Mean utility a game with its 95%% interval, %d games each with common luck%s.", contests[0].Pairs, fromOpenings(contests)),
	}
	for _, c := range contests {
		put(&t, c.Planner, columnOf[c.A], plusMinus(c.Result.UtilityA))
		put(&t, c.Planner, columnOf[c.B], plusMinus(c.Result.UtilityB))
		if c.A == "learned" && c.B == "handwritten" {
			put(&t, c.Planner, 4, unlessSame(&c.Result, plusMinus(c.Result.Difference)))
		}
	}
	return t
}

// columnOf are the columns of evaluations in tables.
var columnOf = map[string]int{"zero": 1, "handwritten": 2, "learned": 3}

// put sets a cell of the row of that name, which it adds where there is none.
func put(t *report.Table, name string, column int, text string) {
	k := slices.IndexFunc(t.Rows, func(row []string) bool { return row[0] == name })
	if k < 0 {
		k = len(t.Rows)
		t.Rows = append(t.Rows, make([]string, len(t.Head)))
		t.Rows[k][0] = name
	}
	t.Rows[k][column] = text
}

func duelTable(world string, contests []Contest) report.Table {
	t := report.Table{
		Head:    []string{"in " + world, "hand-written against zero", "learned against zero", "learned against hand-written"},
		Caption: fmt.Sprintf("Share of the points with its 95%% interval, %d pairs of games each%s; 50%% is even.", contests[0].Pairs, fromOpenings(contests)),
	}
	if contests[0].Result.Measure == arena.Utility {
		t.Caption = fmt.Sprintf("What the first gets more a game, with its 95%% interval, %d pairs of games each%s; 0 is even.", contests[0].Pairs, fromOpenings(contests))
	}
	for _, c := range contests {
		column := 3
		switch {
		case c.A == "handwritten":
			column = 1
		case c.B == "zero":
			column = 2
		}
		put(&t, c.Planner, column, unlessSame(&c.Result, shareText(&c.Result)))
	}
	return t
}

func plannerTable(contests []Contest) (t report.Table, any bool) {
	t = report.Table{Head: []string{"with the learned evaluation, in", "expectimax", "minimax", "expectimax − minimax"}, Caption: "Mean utility a game with its 95% interval: the planner that knows its world should win it."} // two that are one player there have no row
	for _, c := range contests {
		if c.Planners() && c.Result.Conclusion != arena.Same {
			any = true
			t.Rows = append(t.Rows, []string{c.Game, plusMinus(c.Result.UtilityA), plusMinus(c.Result.UtilityB), plusMinus(c.Result.Difference)})
		}
	}
	return t, any
}

// unlessSame returns text, or that both players made the same moves.
func unlessSame(r *arena.Result, text string) string {
	if r.Conclusion == arena.Same {
		return "same moves"
	}
	return text
}

// shareText is the score of a duel as a table shows it.
func shareText(r *arena.Result) string {
	e, _ := r.Best()
	if r.Measure == arena.Wins {
		if !e.Bounded && e.Lacks != "" {
			return fmt.Sprintf("%.1f%% (%s)", 100*e.Value, e.Lacks)
		}
		if !e.Bounded {
			return fmt.Sprintf("%.1f%%", 100*e.Value)
		}
		if e.Lopsided() {
			return fmt.Sprintf("%.1f%% (%.1f to %.1f)", 100*e.Value, 100*e.Low, 100*e.High)
		}
		return fmt.Sprintf("%.1f%% ± %.1f", 100*e.Value, 100*e.Error())
	}
	return plusMinus(e)
}

// plusMinus is an estimate with the digits that its interval supports, or the reason for having
// none.
func plusMinus(e stats.Estimate) string {
	switch {
	case !e.Known:
		return "–"
	case !e.Bounded:
		return e.Format("%.4g", 1)
	}
	return e.Format(e.Decimals(), 1)
}
