package online

import (
	"fmt"
	"math"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
)

func (r *run) page(out *Report) (*report.Page, error) {
	page := &report.Page{
		Title: "plyfit train " + r.Game.Spec,
		Lead: fmt.Sprintf("%s games with %s moves took %.1f seconds of playing and learning (%s moves per second).",
			report.Count(out.Episodes), report.Count(out.Tally.Moves), out.Seconds, report.Count(int64(math.Round(out.Rate)))),
	}
	if out.Bytes > 0 {
		page.Lead += fmt.Sprintf(" The weights and the learner's other state take up %s kB.", report.Count((out.Bytes+999)/1000))
	}
	page.Add(report.Heading("Learning curve"))
	if err := page.AddFigure(StrengthFigure(out.Points, "strength", "Strength", "games learned from")); err != nil {
		return nil, err
	}
	if err := page.AddFigure(outcomeFigure(out.Points)); err != nil {
		return nil, err
	}
	page.Add(CurveTable(out.Points, true))
	page.Add(report.Heading("How it was learned"), SettingsTable(r.Recipe, "the weights"), report.Heading("Again"), report.Code(r.Command))
	return page, nil
}

// SettingsTable lists all settings on which the weights depend.
func SettingsTable(settings []RecipeItem, weights string) report.Table {
	return report.Table{
		Head: []string{"setting", "value"}, Words: 2, Caption: fmt.Sprintf("All settings on which %s depend.", weights),
		Rows: list.Map(settings, func(s RecipeItem) []string { return []string{s.Key, s.Value} }),
	}
}

// curveSeries returns a line with intervals, plotted against the number of episodes.
func curveSeries(name string, points []Point, of func(p *Point) stats.Estimate) (s report.Series) {
	s.Name = name
	for i := range points {
		e := of(&points[i])
		if !e.Known {
			continue
		}
		low, high := e.Ends()
		s.X, s.Y = append(s.X, float64(points[i].Episodes)), append(s.Y, e.Value)
		s.Low, s.High = append(s.Low, low), append(s.High, high)
	}
	return s
}

// StrengthFigure plots the strength along a learning curve. The parameter x is the label of the
// horizontal axis. StrengthFigure also reports whether there were any matches.
func StrengthFigure(points []Point, name, title, x string) (f report.Figure, any bool, err error) {
	s := curveSeries("learned", points, func(p *Point) stats.Estimate { return p.Strength })
	if len(s.X) == 0 {
		return f, false, nil
	}
	last := points[len(points)-1]
	c := report.Chart{Title: title, XLabel: x, YLabel: last.Of, Series: []report.Series{s}}
	if rival := curveSeries("its opponent", points, func(p *Point) stats.Estimate { return p.Rival }); len(rival.X) > 0 {
		rival.Dashed = true
		c.Series = append(c.Series, rival)
	} else {
		even := 0.0
		if strings.HasPrefix(last.Of, "share") {
			even = 0.5
		}
		c.Level = &even
	}
	f, err = report.NewFigure(name, "", fmt.Sprintf("Strength in the same %d pairs of games at every point, with 95%% intervals. No choices were based on these games.", last.Pairs), c)
	return f, true, err
}

func outcomeFigure(points []Point) (f report.Figure, any bool, err error) {
	s := curveSeries("", points, func(p *Point) stats.Estimate { return p.Outcome })
	if len(s.X) < 2 {
		return f, false, nil
	}
	c := report.Chart{Title: "Games learned from", XLabel: "games learned from", YLabel: "outcome of player 0", Series: []report.Series{s}}
	f, err = report.NewFigure("outcomes", "", "Mean outcome of player 0 in the games between two points, including random moves, with 95% intervals.", c)
	return f, true, err
}

// CurveTable returns a table of the points on a learning curve, with the elapsed seconds if
// requested.
func CurveTable(points []Point, seconds bool) report.Table {
	goal, strength, rival := false, "", false
	for i := range points {
		goal = goal || points[i].Goal.Known
		rival = rival || points[i].Rival.Known
		if points[i].Of != "" {
			strength = points[i].Of
		}
	}
	t := report.Table{Rows: make([][]string, len(points)), Caption: "Outcome, goal and RMSE cover the games since the previous point, including random moves. RMSE is the error of the predictions before learning."}
	column := func(there bool, head string, of func(p *Point) string) {
		if !there {
			return
		}
		t.Head = append(t.Head, head)
		for i := range points {
			t.Rows[i] = append(t.Rows[i], of(&points[i]))
		}
	}
	column(true, "games", func(p *Point) string { return fmt.Sprint(p.Episodes) })
	column(seconds, "seconds", func(p *Point) string { return fmt.Sprintf("%.1f", p.Seconds) })
	column(true, "moves", func(p *Point) string { return fmt.Sprint(p.Moves) })
	column(true, "outcome", func(p *Point) string { return formatted(p.Outcome) })
	column(goal, "goal", func(p *Point) string { return formatted(p.Goal) })
	column(true, "RMSE", func(p *Point) string {
		if p.RMSE > 0 {
			return fmt.Sprintf("%.4g", p.RMSE)
		}
		return ""
	})
	column(strength != "", strength, func(p *Point) string { return formatted(p.Strength) })
	column(rival, "its opponent's", func(p *Point) string { return formatted(p.Rival) })
	return t
}

func formatted(e stats.Estimate) string {
	if !e.Known {
		return ""
	}
	return e.Format(e.Decimals(), 1)
}
