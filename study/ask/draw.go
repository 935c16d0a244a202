package ask

import (
	"cmp"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/study/evaluation"
)

// family is a kind of error on the first page: its name and its colour.
type family struct {
	name  string
	color int
}

var (
	scale          = family{"a wrong scale", 1}
	noise          = family{"noise", 2}
	estimation     = family{"wrong weights", 3}
	featureWeights = family{"an underweighted feature", 4}
)

const neutral = 7 // the colour of yardsticks

func (e *evalError) family() family {
	switch e.Draws[0].Kind {
	case evaluation.Noise:
		return noise
	case evaluation.Weights:
		return estimation
	case evaluation.Feature:
		return featureWeights
	}
	return scale
}

// addPoint appends an estimate to a line; one without an interval is a bare point.
func addPoint(s *report.Series, x float64, y stats.Estimate) {
	low, high := y.Ends()
	s.X, s.Y, s.Low, s.High = append(s.X, x), append(s.Y, y.Value), append(s.Low, low), append(s.High, high)
}

// panel returns a chart of lines. Each is moved a little to the right of the one before, so that no
// interval hides behind another.
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

// row returns a named figure, times scale and printed in a format.
func row(name string, y stats.Estimate, format string, scale float64, color int) report.Row {
	text := y.Range(format, scale)
	y = y.Map(scale, 0)
	low, high := y.Ends()
	return report.Row{Name: name, Value: y.Value, Low: low, High: high, Text: text, Color: color}
}
