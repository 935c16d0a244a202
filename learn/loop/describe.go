package loop

import (
	"fmt"
	"slices"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/internal/report"
)

// EvaluationTables are the comparisons of evaluations, a table a world.
func EvaluationTables(contests []Contest) (tables []report.Table) {
	for _, here := range grouped(contests, func(c *Contest) string { return c.Game }) {
		tables = append(tables, evaluationTable(here))
	}
	return tables
}

// grouped are the contests of evaluations by key, in the order of their first.
func grouped(contests []Contest, key func(c *Contest) string) (groups [][]Contest) {
	at := map[string]int{}
	for _, c := range contests {
		if c.Planners() {
			continue
		}
		k, known := at[key(&c)]
		if !known {
			k = len(groups)
			at[key(&c)], groups = k, append(groups, nil)
		}
		groups[k] = append(groups[k], c)
	}
	return groups
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

// evaluationTable is of the contests in one world.
func evaluationTable(contests []Contest) report.Table {
	world, r := "in "+contests[0].Game, &contests[0].Result
	head := []string{world, "hand-written against zero", "learned against zero", "learned against hand-written"}
	caption := "Share of the points with its 95%% interval, %d pairs of games each%s; 50%% is even."
	switch {
	case r.Mode == arena.Solo:
		head = []string{world, "zero", "hand-written", "learned", "learned − hand-written"}
		caption = "Mean utility a game with its 95%% interval, %d games each with common luck%s."
	case r.Measure == arena.Utility:
		caption = "What the first gets more a game, with its 95%% interval, %d pairs of games each%s; 0 is even."
	}
	t := report.Table{Head: head, Caption: fmt.Sprintf(caption, contests[0].Pairs, fromOpenings(contests))}
	for _, c := range contests {
		a, b := shortName[c.A], shortName[c.B]
		if c.Result.Mode == arena.Solo {
			put(&t, c.Planner, a, plusMinus(c.Result.UtilityA))
			put(&t, c.Planner, b, plusMinus(c.Result.UtilityB))
			put(&t, c.Planner, a+" − "+b, unlessSame(&c.Result, plusMinus(c.Result.Difference)))
		} else {
			put(&t, c.Planner, a+" against "+b, unlessSame(&c.Result, shareText(&c.Result)))
		}
	}
	return t
}

// put sets the cell under a heading, if there is one, in the row of that name, which it adds where
// there is none.
func put(t *report.Table, name, heading, text string) {
	column := slices.Index(t.Head, heading)
	if column < 0 {
		return
	}
	k := slices.IndexFunc(t.Rows, func(row []string) bool { return row[0] == name })
	if k < 0 {
		k = len(t.Rows)
		t.Rows = append(t.Rows, make([]string, len(t.Head)))
		t.Rows[k][0] = name
	}
	t.Rows[k][column] = text
}

// plannerTable has no row of two planners that are one player.
func plannerTable(contests []Contest) report.Table {
	t := report.Table{Head: []string{"with the learned evaluation, in", "expectimax", "minimax", "expectimax − minimax"}, Caption: "Mean utility a game with its 95% interval: the planner that knows its world should win it."}
	for _, c := range contests {
		if c.Planners() && c.Result.Conclusion != arena.Same {
			t.Rows = append(t.Rows, []string{c.Game, plusMinus(c.Result.UtilityA), plusMinus(c.Result.UtilityB), plusMinus(c.Result.Difference)})
		}
	}
	return t
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
