package loop

import (
	"fmt"
	"math"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/internal/elementary"
	"plyfit/study/report"
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

// fromOpenings is how many openings cluster each contest's intervals; "" if all begin at the
// start.
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

// soloTable shows the mean utility of each evaluation in a game of one.
func soloTable(world string, contests []Contest) report.Table {
	t := report.Table{
		Head:    []string{"in " + world, "zero", "hand-written", "learned", "learned − hand-written"},
		Caption: fmt.Sprintf("Mean utility a game with its 95%% interval, %d games each with common luck%s.", contests[0].Pairs, fromOpenings(contests)),
	}
	row := map[string]int{}
	for _, c := range contests {
		k, ok := row[c.Planner]
		if !ok {
			k = len(t.Rows)
			row[c.Planner] = k
			t.Rows = append(t.Rows, []string{c.Planner, "", "", "", ""})
		}
		put := func(name string, e stats.Estimate) {
			column := map[string]int{"zero": 1, "handwritten": 2, "learned": 3}[name]
			t.Rows[k][column] = plusMinus(e)
		}
		put(c.A, c.Result.UtilityA)
		put(c.B, c.Result.UtilityB)
		if c.A == "learned" && c.B == "handwritten" {
			t.Rows[k][4] = plusMinus(c.Result.Difference)
		}
	}
	return t
}

// duelTable shows what share of the points evaluations take from each other.
func duelTable(world string, contests []Contest) report.Table {
	t := report.Table{
		Head:    []string{"in " + world, "hand-written against zero", "learned against zero", "learned against hand-written"},
		Caption: fmt.Sprintf("Share of the points with its 95%% interval, %d pairs of games each%s; 50%% is even.", contests[0].Pairs, fromOpenings(contests)),
	}
	if contests[0].Result.Measure == arena.Utility {
		t.Caption = fmt.Sprintf("What the first gets more a game, with its 95%% interval, %d pairs of games each%s; 0 is even.", contests[0].Pairs, fromOpenings(contests))
	}
	row := map[string]int{}
	for _, c := range contests {
		k, ok := row[c.Planner]
		if !ok {
			k = len(t.Rows)
			row[c.Planner] = k
			t.Rows = append(t.Rows, []string{c.Planner, "", "", ""})
		}
		column := 3
		switch {
		case c.A == "handwritten":
			column = 1
		case c.B == "zero":
			column = 2
		}
		t.Rows[k][column] = Share(&c.Result)
	}
	return t
}

// plannerTable is the comparison of planners with the learned evaluation.
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

// Share is the score of a duel as a table shows it.
func Share(r *arena.Result) string {
	if r.Measure == arena.Wins {
		if !r.Score.Bounded && r.Score.Lacks != "" {
			return fmt.Sprintf("%.1f%% (%s)", 100*r.Score.Value, r.Score.Lacks)
		}
		if !r.Score.Bounded {
			return fmt.Sprintf("%.1f%%", 100*r.Score.Value)
		}
		if r.Score.Lopsided() {
			return fmt.Sprintf("%.1f%% (%.1f to %.1f)", 100*r.Score.Value, 100*r.Score.Low, 100*r.Score.High)
		}
		return fmt.Sprintf("%.1f%% ± %.1f", 100*r.Score.Value, 100*r.Score.Error())
	}
	return plusMinus(r.Score)
}

// plusMinus is an estimate with the digits that its interval supports, or the reason for having
// none.
func plusMinus(e stats.Estimate) string {
	if !e.Known {
		return "–"
	}
	if !e.Bounded && e.Lacks != "" {
		return fmt.Sprintf("%.4g (%s)", e.Value, e.Lacks)
	}
	if !e.Bounded {
		return fmt.Sprintf("%.4g", e.Value)
	}
	half := e.Error()
	places := 0
	if half > 0 && half < 10 {
		places = min(6, 1-int(math.Floor(elementary.Log10(half))))
	}
	if e.Lopsided() {
		return fmt.Sprintf("%.*f (%.*f to %.*f)", places, e.Value, places, e.Low, places, e.High)
	}
	return fmt.Sprintf("%.*f ± %.*f", places, e.Value, places, half)
}
