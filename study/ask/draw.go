package ask

import (
	"cmp"
	"math"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/study/evaluation"
)

// Colours of kinds of error, and of what is none.
const (
	scale          = 1 // strictly increasing maps of the value
	noise          = 2
	estimation     = 3 // weights that were learned wrongly, other models
	featureWeights = 4 // one feature underweighted
	neutral        = 7 // yardsticks, the clean evaluation
)

// colorOf is the colour of an error.
func colorOf(d evaluation.Damage) int {
	switch d.Kind {
	case evaluation.Noise:
		return noise
	case evaluation.Weights:
		return estimation
	case evaluation.Feature:
		return featureWeights
	case evaluation.Clean:
		return neutral
	}
	return scale
}

// plainName is what an error is called on the first page.
func plainName(d evaluation.Damage) string {
	switch colorOf(d) {
	case scale:
		return "a wrong scale"
	case noise:
		return "noise"
	case estimation:
		return "wrong weights"
	case featureWeights:
		return "an underweighted feature"
	}
	return d.String()
}

// addPoint appends an estimate to a line; one without an interval is a bare point.
func addPoint(s *report.Series, x float64, y stats.Estimate) {
	low, high := y.Ends()
	s.X, s.Y, s.Low, s.High = append(s.X, x), append(s.Y, y.Value), append(s.Low, low), append(s.High, high)
}

// panel is a chart of lines. Lines are moved apart by a little to the right of each other, so that
// no interval hides behind another; their first stands where it belongs.
func panel(title, xlabel, ylabel string, ticks []float64, lines []report.Series) report.Chart {
	c := report.Chart{Title: title, XLabel: xlabel, YLabel: ylabel, XTicks: ticks}
	apart := (ticks[len(ticks)-1] - ticks[0]) / 70
	of := map[int]int{} // lines so far by colour
	for i, s := range lines {
		s.Color = cmp.Or(s.Color, i+1)
		of[s.Color]++
		s.Shape = of[s.Color]
		s.X = list.Map(s.X, func(x float64) float64 { return x + float64(float64(i)*apart) })
		c.Series = append(c.Series, s)
	}
	return c
}

// row is a named figure of [report.Rows], times scale and printed in a format.
func row(name string, y stats.Estimate, format string, scale float64, color int) report.Row {
	text := y.Range(format, scale)
	y = y.Map(scale, 0)
	low, high := y.Ends()
	return report.Row{Name: name, Value: y.Value, Low: low, High: high, Text: text, Color: color}
}

// figure draws panels, side by side where there is room.
func figure[P report.Plot](name, title, caption string, panels ...P) (report.Figure, error) {
	var plots []report.Plot
	for _, p := range panels {
		plots = append(plots, p)
	}
	return report.NewFigure(name, title, caption, plots...)
}

// sameScale gives panels one vertical axis.
func sameScale(panels []report.Chart) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range panels {
		for _, s := range p.Series {
			for i := range s.Y {
				lo, hi = min(lo, s.Low[i]), max(hi, s.High[i])
			}
		}
	}
	for i := range panels {
		panels[i].YMin, panels[i].YMax = new(lo), new(hi)
	}
}

// quad is planner x world: panels of rows over one axis, two in a line.
func quad(name, title, caption string, panels []report.Rows) (report.Figure, error) {
	var lo, hi float64
	for _, p := range panels {
		for _, r := range p.Rows {
			if !r.Missing {
				lo, hi = min(lo, r.Low), max(hi, r.High)
			}
		}
	}
	for i := range panels {
		panels[i].XMin, panels[i].XMax = new(lo), new(hi)
	}
	return figure(name, title, caption, panels...)
}
