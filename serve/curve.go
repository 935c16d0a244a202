package serve

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/svg"
)

// curveLine is a line with an interval at each point.
type curveLine struct {
	name            string
	x, y, low, high []float64
}

// linePaints keep their colours apart for colour-blind readers, too (Okabe and Ito).
var linePaints = []string{"#0072b2", "#c04e00", "#00795a", "#a8477c"}

// add puts a point on the line, unless its figure is not known.
func (l *curveLine) add(x float64, e stats.Estimate) {
	if !e.Known {
		return
	}
	lo, hi := e.Value, e.Value
	if e.Bounded {
		lo, hi = e.Low, e.High
	}
	l.x, l.y, l.low, l.high = append(l.x, x), append(l.y, e.Value), append(l.low, lo), append(l.high, hi)
}

// chart is lines over a common axis that begins at 0.
type chart struct {
	title, unit string
	lines       []curveLine
	levels      []level
	spots       []spot
}

// level is a height that means something.
type level struct {
	at   float64
	name string
}

// spot is a point that is marked.
type spot struct {
	x, y float64
	text string
}

// Room around the curves of a chart.
const (
	chartWidth, chartHeight                      = 640.0, 300.0
	chartLeft, chartRight, chartTop, chartBottom = 70.0, 28.0, 34.0, 46.0
	chartInk, chartFaint, chartGrid, chartGround = "#1b2330", "#505b6b", "#d3d9e2", "#ffffff"
	chartAlarm                                   = "#b3261e"
)

// brief writes a number of units at the axis: 15000 as 15k, two million as 2M.
func brief(x float64) string {
	switch {
	case x >= 1e6:
		return fmt.Sprintf("%.4gM", x/1e6)
	case x >= 1e4:
		return fmt.Sprintf("%.4gk", x/1e3)
	}
	return fmt.Sprintf("%.4g", x)
}

// draw is the chart as a picture.
func (c chart) draw() template.HTML {
	most, lo, hi := 1.0, math.Inf(1), math.Inf(-1)
	for _, l := range c.lines {
		for i := range l.x {
			most, lo, hi = max(most, l.x[i]), min(lo, l.low[i]), max(hi, l.high[i])
		}
	}
	for _, m := range c.levels {
		lo, hi = min(lo, m.at), max(hi, m.at)
	}
	if !(hi > lo) {
		lo, hi = lo-0.5, hi+0.5
	}
	step := roundStep((hi - lo) / 5)
	lo, hi = step*math.Floor(lo/step), step*math.Ceil(hi/step)
	legend := 0.0 // the room that names take below
	if len(c.lines) > 1 {
		legend = 20*float64(len(c.lines)) + 6
	}
	p := svg.New(chartWidth, chartHeight+legend, c.title)
	p.Rect(0, 0, chartWidth, chartHeight+legend, 10, chartGround)
	p.Text(chartLeft, 21, 14, chartInk, c.title, "text-anchor", "start", "font-weight", "700")
	px := func(x float64) float64 { return chartLeft + x/most*(chartWidth-chartLeft-chartRight) }
	py := func(y float64) float64 {
		return chartHeight - chartBottom - (y-lo)/(hi-lo)*(chartHeight-chartTop-chartBottom)
	}
	for k := 0; lo+float64(k)*step <= hi+step/1e6; k++ {
		y := lo + float64(k)*step
		p.Line(chartLeft, py(y), chartWidth-chartRight, py(y), 1, chartGrid)
		p.Text(chartLeft-7, py(y)+4, 12, chartFaint, fmt.Sprintf("%.4g", y+0), "text-anchor", "end")
	}
	across := max(1, roundStep(most/5))
	for x := 0.0; x <= most*1.0001; x += across {
		p.Text(px(x), chartHeight-chartBottom+17, 12, chartFaint, brief(x))
	}
	p.Text((chartLeft+chartWidth-chartRight)/2, chartHeight-8, 12, chartFaint, c.unit)
	for _, m := range c.levels {
		p.Line(chartLeft, py(m.at), chartWidth-chartRight, py(m.at), 1.5, chartFaint, "stroke-dasharray", "6 4")
		p.Text(chartWidth-chartRight-2, py(m.at)-5, 12, chartFaint, m.name, "text-anchor", "end")
	}
	for k, l := range c.lines {
		l.draw(p, linePaints[k%len(linePaints)], px, py)
		if legend > 0 {
			y := chartHeight + 10 + 20*float64(k)
			p.Line(chartLeft, y-4, chartLeft+22, y-4, 3, linePaints[k%len(linePaints)])
			p.Text(chartLeft+30, y, 12, chartInk, l.name, "text-anchor", "start")
		}
	}
	for _, at := range c.spots {
		p.Circle(px(at.x), py(at.y), 5, chartAlarm)
		p.Text(px(at.x), py(at.y)-8, 13, chartAlarm, at.text, "font-weight", "700", "stroke", chartGround, "stroke-width", "4", "paint-order", "stroke")
	}
	return template.HTML(p.String())
}

// draw draws the line with its intervals.
func (l *curveLine) draw(p *svg.Picture, colour string, px, py func(float64) float64) {
	var band, line strings.Builder
	for i := range l.x {
		joint := "L"
		if i == 0 {
			joint = "M"
		}
		band.WriteString(joint + svg.Point(px(l.x[i]), py(l.high[i])))
		line.WriteString(joint + svg.Point(px(l.x[i]), py(l.y[i])))
	}
	for i := len(l.x) - 1; i >= 0; i-- {
		band.WriteString("L" + svg.Point(px(l.x[i]), py(l.low[i])))
	}
	p.Path(band.String()+"z", colour, "fill-opacity", "0.16")
	p.Path(line.String(), "none", "stroke", colour, "stroke-width", "2.5", "stroke-linejoin", "round")
	if len(l.x) > 60 {
		return // dots would hide the line
	}
	for i := range l.x {
		p.Circle(px(l.x[i]), py(l.y[i]), 3.2, colour)
	}
}

// roundStep is the least of 1, 2 or 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	if !(x > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x*0.9999 {
			return m * power
		}
	}
	return 10 * power
}
