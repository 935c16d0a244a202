package loop

import (
	"fmt"
	"math"
	"strings"

	"plyfit/arena"
	"plyfit/internal/elementary"
	"plyfit/report"
)

// DescribeFit adds to a page what a fit found: losses beside those of other
// evaluations, and the weights with their intervals.
func DescribeFit(page *report.Page, f *Fitted) {
	r := &f.Report
	page.Add(report.Text(fmt.Sprintf("%s over %s, fitted by %s to %d rows of %d episodes (%d distinct vectors of features); judged on %d rows of %d other episodes.",
		f.Model.Features, leavesOf(f.Model), f.Model.Provenance.Method, r.Rows, r.Episodes, r.Positions, r.HeldOutRows, r.HeldOutEpisodes)))
	page.Add(lossTable(f))
	page.Add(report.Text(heldOutText(f)))
	page.Add(weightTable(f))
	if len(r.Notes) > 0 {
		page.Add(report.List(r.Notes))
	}
}

func lossTable(f *Fitted) report.Table {
	r := &f.Report
	t := report.Table{Head: []string{"evaluation", "training loss", "held-out loss"}}
	row := func(name string, loss, heldOut float64) {
		t.Rows = append(t.Rows, []string{name, sixDigits(loss), sixDigits(heldOut)})
	}
	row("learned", r.Loss, r.HeldOutLoss)
	for _, b := range r.Baselines {
		row(b.Name, b.Loss, b.HeldOutLoss)
	}
	row("a constant", r.Constant.Loss, r.Constant.HeldOutLoss)
	row("zero weights", r.Zero.Loss, r.Zero.HeldOutLoss)
	unit := "mean squared difference from the label"
	if f.Model.Provenance.Loss == LogisticLoss {
		unit = "mean cross-entropy in nats"
	}
	if f.Share != nil {
		t.Rows = append(t.Rows, []string{"learned, squared error of the share of the point", sixDigits(f.Share.Training), sixDigits(f.Share.HeldOut)})
	}
	t.Caption = fmt.Sprintf("Loss: %s. R² %.4f in training, %.4f held out: the share of the constant's loss that the weights remove.", unit, r.R2, r.HeldOutR2)
	return t
}

// heldOutText says what the held-out figures are of.
func heldOutText(f *Fitted) string {
	r := &f.Report
	what, others := "positions", "of positions that do not stand in training, from games that were not trained on"
	if f.Config.Label == tableLabel {
		what = "rows"
	}
	var b strings.Builder
	if f.Replays > 0 {
		fmt.Fprintf(&b, "%d episodes go like another one from their first position to their last, and count once. ", f.Replays)
	}
	switch {
	case r.HeldOutRows == 0:
		b.WriteString("Nothing is held out.")
		return b.String()
	case f.Met:
		b.WriteString("Games that meet beyond the opening are held out together. ")
	}
	if low, high, ok := r.HeldOutInterval(); ok {
		fmt.Fprintf(&b, "Held-out loss %s (%.4g to %.4g: 95%%, clustered by games), ", sixDigits(r.HeldOutLoss), low, high)
	} else {
		fmt.Fprintf(&b, "Held-out loss %s, ", sixDigits(r.HeldOutLoss))
	}
	o := &r.Overlap
	if !o.Apart {
		others = "of all held-out " + what
	}
	fmt.Fprintf(&b, "%s. ", others)
	if o.Rows == 0 {
		fmt.Fprintf(&b, "None of the held-out %s stands in training.", what)
	} else {
		fmt.Fprintf(&b, "Of the held-out %s %.1f%% stand in training, too: loss %s on these, %s on the others.", what, 100*o.Share, sixDigits(o.Loss), sixDigits(o.RestLoss))
	}
	return b.String()
}

// z95 is half the width of a 95% interval in standard errors.
const z95 = 1.959963984540054

func weightTable(f *Fitted) report.Table {
	t := report.Table{
		Head:    []string{"term", "weight", "95% interval", "VIF", "rows", "note"},
		Caption: "Intervals are of 95%, clustered by games that meet, by the jackknife and Student's t. VIF tells how much correlation with other terms inflates a weight's variance; rows are the training rows in which a term is not zero.",
	}
	const most = 60
	for i, w := range f.Report.Weights {
		if i == most {
			t.Caption += fmt.Sprintf(" The first %d of %d terms; plyfit model show lists all.", most, len(f.Report.Weights))
			break
		}
		interval := ""
		if low, high, ok := w.Interval(); ok {
			interval = fmt.Sprintf("%.4g to %.4g", low, high)
		} else if w.Separated {
			interval = "none: no finite value"
		}
		inflation := ""
		if w.VIF > 0 {
			inflation = fmt.Sprintf("%.1f", w.VIF)
		}
		t.Rows = append(t.Rows, []string{w.Name, fmt.Sprintf("%.4g", w.Value), interval, inflation, fmt.Sprint(w.Support), w.Note})
	}
	return t
}

func sixDigits(x float64) string { return fmt.Sprintf("%.6g", x) }

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

// fromOpenings tells how many openings the games of each contest came from, by
// which the intervals are clustered; "" where all begin at the game's start.
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
		Head:    []string{"in " + world, "zero", "hand-written", "learned", "learned more than hand-written"},
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
		put := func(name string, e arena.Estimate) {
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
		t.Rows[k][column] = share(&c.Result)
	}
	return t
}

// PlannerTable is the comparison of planners with the learned evaluation.
func PlannerTable(contests []Contest) (t report.Table, any bool) {
	t = report.Table{Head: []string{"with the learned evaluation, in", "expectimax", "minimax", "expectimax more than minimax"}, Caption: "Mean utility a game with its 95% interval: the planner that knows its world should win it."}
	for _, c := range contests {
		if c.Planners() {
			any = true
			t.Rows = append(t.Rows, []string{c.Game, plusMinus(c.Result.UtilityA), plusMinus(c.Result.UtilityB), plusMinus(c.Result.Difference)})
		}
	}
	return t, any
}

// share is the score of a duel as a table shows it.
func share(r *arena.Result) string {
	if r.Measure == arena.Wins {
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

// plusMinus is an estimate with as many digits as its interval is worth.
func plusMinus(e arena.Estimate) string {
	if !e.Known {
		return "–"
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
