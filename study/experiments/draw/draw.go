// Package draw makes the figures of experiments: panels of lines, each point with its
// interval.
package draw

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"plyfit/report"
	"plyfit/study"
)

// Line is one line of a figure: intervals over x.
type Line struct {
	Name   string
	X      []float64
	Y      []study.Interval // as many
	Dashed bool
	Style  int // the same in all panels; 0: by its place
}

// Add appends a point.
func (l *Line) Add(x float64, y study.Interval) {
	l.X = append(l.X, x)
	l.Y = append(l.Y, y)
}

// Panel is a chart of lines. Lines are moved apart by a little to the right of
// each other, so that no interval hides behind another; their first stands where
// it belongs.
func Panel(title, xlabel, ylabel string, ticks []float64, lines []Line) report.Chart {
	c := report.Chart{
		Title: title, XLabel: xlabel, YLabel: ylabel, XTicks: ticks, LegendBeside: true,
		Width: 18 * vg.Centimeter, Height: 9.5 * vg.Centimeter,
	}
	apart := 0.0
	if n := len(ticks); n > 1 {
		apart = (ticks[n-1] - ticks[0]) / 150
	}
	if ticks == nil {
		var x []float64
		for _, l := range lines {
			x = append(x, l.X...)
		}
		if len(x) > 0 {
			apart = (slices.Max(x) - slices.Min(x)) / 150
		}
	}
	for i, l := range lines {
		s := report.Series{Name: l.Name, Dashed: l.Dashed, Style: l.Style}
		for k, y := range l.Y {
			s.X = append(s.X, l.X[k]+float64(float64(i)*apart))
			s.Y, s.Low, s.High = append(s.Y, y.Value), append(s.Low, y.Low), append(s.High, y.High)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// Figure draws panels side by side.
func Figure(name, title, caption string, panels ...report.Chart) (report.Figure, error) {
	svg, err := report.Panels(title, panels...)
	return report.Figure{Name: name, Caption: caption, SVG: svg}, err
}

// SameScale gives panels one vertical axis.
func SameScale(panels []report.Chart) {
	var lo, hi float64
	first := true
	for _, p := range panels {
		for _, s := range p.Series {
			for i := range s.Y {
				if first {
					lo, hi, first = s.Low[i], s.High[i], false
				}
				lo, hi = min(lo, s.Low[i]), max(hi, s.High[i])
			}
		}
	}
	for i := range panels {
		panels[i].YMin, panels[i].YMax = new(lo), new(hi)
	}
}
