package serve

import (
	"html/template"
	"slices"
	"strings"

	"plyfit/report"
	"plyfit/stats"
)

// mostDots is how many points of a line are marked; more would hide it.
const mostDots = 60

// add puts a point with its interval on a line, unless its figure is not known.
func add(l *report.Series, x float64, e stats.Estimate) {
	if !e.Known || e.Value-e.Value != 0 {
		return
	}
	lo, hi := e.Value, e.Value
	if e.Bounded {
		lo, hi = e.Low, e.High
	}
	l.X, l.Y, l.Low, l.High = append(l.X, x), append(l.Y, e.Value), append(l.Low, lo), append(l.High, hi)
}

// level is a height that means something.
type level struct {
	at   float64
	name string
}

// appendChart draws those of the lines that have points, if any has, and the levels.
func appendChart(out []template.HTML, title, unit string, lines []report.Series, levels ...level) []template.HTML {
	lines = slices.DeleteFunc(lines, func(l report.Series) bool { return len(l.X) == 0 })
	if len(lines) == 0 {
		return out
	}
	last := 0.0
	for i := range lines {
		l := &lines[i]
		l.Band = len(l.X) > mostDots
		last = max(last, slices.Max(l.X))
		if len(lines) == 1 {
			l.Name = ""
		}
	}
	for _, h := range levels {
		lines = append(lines, report.Series{Name: h.name, X: []float64{0, last}, Y: []float64{h.at, h.at}, Dashed: true, Color: 7})
	}
	return append(out, plot(report.Chart{Title: title, XLabel: unit, Series: lines}))
}

// plot is a plot as it stands in the page, whose style sheet ends with [report.Palette].
func plot(p report.Plot) template.HTML {
	f, err := report.NewFigure("", "", "", p)
	if err != nil {
		return drawing(err.Error())
	}
	return template.HTML(strings.Join(f.Panels(), "\n"))
}
