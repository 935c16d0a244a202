package experiments

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"plyfit/report"
	"plyfit/study"
)

// line is one line of a figure: intervals over x.
type line struct {
	name   string
	x      []float64
	y      []study.Interval
	dashed bool
	style  int // the same in all panels; 0: by its place
}

func (l *line) add(x float64, y study.Interval) {
	l.x = append(l.x, x)
	l.y = append(l.y, y)
}

// panel is a chart of lines. Lines are moved apart by a little to the right of
// each other, so that no interval hides behind another; their first stands where
// it belongs.
func panel(title, xlabel, ylabel string, ticks []float64, lines []line) report.Chart {
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
			x = append(x, l.x...)
		}
		if len(x) > 0 {
			apart = (slices.Max(x) - slices.Min(x)) / 150
		}
	}
	for i, l := range lines {
		s := report.Series{Name: l.name, Dashed: l.dashed, Style: l.style}
		for k, y := range l.y {
			s.X = append(s.X, l.x[k]+float64(float64(i)*apart))
			s.Y, s.Low, s.High = append(s.Y, y.Value), append(s.Low, y.Low), append(s.High, y.High)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// figure draws panels side by side.
func figure(name, title, caption string, panels ...report.Chart) (report.Figure, error) {
	svg, err := report.Panels(title, panels...)
	return report.Figure{Name: name, Caption: caption, SVG: svg}, err
}

func ptr(x float64) *float64 { return &x }

// sameScale gives panels one vertical axis.
func sameScale(panels []report.Chart) {
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
		panels[i].YMin, panels[i].YMax = ptr(lo), ptr(hi)
	}
}

func names(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	out := list[0]
	for i, n := range list[1:] {
		if i == len(list)-2 {
			out += " and " + n
		} else {
			out += ", " + n
		}
	}
	return out
}
