package arena

import (
	"fmt"

	"plyfit/arena/stats"
	"plyfit/study/report"
)

// Table is the result in a row, for papers: what decides first.
func (r *Result) Table() report.Table {
	t := report.Table{Head: []string{"game", "A", "B", "pairs", "wins", "draws", "losses", "A's points", "A's utility", "B's utility", "difference"}, Words: 3,
		Caption: r.Sentence + " With 95% intervals."}
	row := []string{r.Game, r.A, r.B, fmt.Sprint(r.Pairs), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses), r.Points.Format(r.Points.Decimals(), 1)}
	for _, e := range []stats.Estimate{r.UtilityA, r.UtilityB, r.Difference} {
		row = append(row, e.Format(e.Decimals(), 1))
	}
	if r.Versus != nil {
		t.Head, row = append(t.Head, "Elo"), append(row, r.Versus.Elo.Format("%.1f", 1))
	}
	t.Rows = [][]string{row}
	return t
}
