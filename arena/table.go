package arena

import (
	"fmt"

	"plyfit/arena/stats"
	"plyfit/internal/report"
)

// Table is the result in a row, for papers: what decides first.
func (r *Result) Table() report.Table {
	t := report.Table{Head: []string{"game", "A", "B", "pairs", "wins", "draws", "losses", "A's points", "A's utility", "B's utility", "difference"}, Words: 3,
		Caption: r.Sentence + " With 95% intervals."}
	score, elo := r.Best()
	points, difference := score, r.Difference
	if r.Measure == Utility {
		points, difference = r.Points, score
	}
	row := []string{r.Game, r.A, r.B, fmt.Sprint(r.Pairs), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses), points.Format(points.Decimals(), 1)}
	for _, e := range []stats.Estimate{r.UtilityA, r.UtilityB, difference} {
		row = append(row, e.Format(e.Decimals(), 1))
	}
	if elo != nil {
		t.Head, row = append(t.Head, "Elo"), append(row, elo.Format("%.1f", 1))
	}
	t.Rows = [][]string{row}
	return t
}
