package arena

import (
	"errors"
	"fmt"
	"io"

	"plyfit/arena/stats"
	"plyfit/study/report"
)

// WritePlot draws the running estimate with its 95% band over the pairs, as an
// SVG. The band holds at each point by itself: that it leaves the line of equals
// somewhere on its way decides nothing. A match without an interval anywhere is an
// error.
func (r Result) WritePlot(w io.Writer) error {
	scale, unit := 1.0, "more a game (units of the game)"
	if r.Measure == Wins {
		scale, unit = 100, "points, percent"
	}
	mean := report.Series{Name: "running mean", Band: true}
	for _, p := range r.Trace {
		if p.Score.Bounded {
			mean.X, mean.Y = append(mean.X, float64(p.Pairs)), append(mean.Y, scale*p.Score.Value)
			mean.Low, mean.High = append(mean.Low, scale*p.Score.Low), append(mean.High, scale*p.Score.High)
		}
	}
	if len(mean.X) == 0 {
		return errors.New("plot of a match: no interval anywhere: want more pairs, or pairs that differ")
	}
	even := scale * r.neutral()
	svg, err := report.Chart{Title: fmt.Sprintf("%s: %s against %s", r.Game, r.A, r.B), XLabel: "pairs",
		YLabel: unit + "; band: 95% at each point; dotted: equals", Series: []report.Series{mean}, Level: &even, Width: 660, Height: 380}.SVG()
	if err != nil {
		return err
	}
	_, err = w.Write(svg)
	return err
}

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
