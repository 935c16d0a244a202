package serve

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"plyfit/internal/svg"
)

// curveLine is a line with an interval at each point.
type curveLine struct {
	name            string
	x, y, low, high []float64
}

// linePaints keep their colours apart for colour-blind readers, too (Okabe and Ito).
var linePaints = []string{"#0072b2", "#c04e00", "#00795a", "#a8477c"}

// drawCurves is a chart of lines over a common axis that begins at 0.
func drawCurves(title, unit string, lines []curveLine) template.HTML {
	const width, height, left, right, top, bottom = 640.0, 300.0, 62.0, 16.0, 34.0, 46.0
	most, lo, hi := 1.0, math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		for i := range l.x {
			most, lo, hi = max(most, l.x[i]), min(lo, l.low[i]), max(hi, l.high[i])
		}
	}
	if !(hi > lo) {
		lo, hi = lo-0.5, hi+0.5
	}
	step := roundStep((hi - lo) / 5)
	lo, hi = step*math.Floor(lo/step), step*math.Ceil(hi/step)
	p := svg.New(width, height, title)
	p.Rect(0, 0, width, height, 10, "#ffffff")
	p.Text(left, 21, 14, "#1b2330", title, "text-anchor", "start", "font-weight", "700")
	px := func(x float64) float64 { return left + x/most*(width-left-right) }
	py := func(y float64) float64 { return height - bottom - (y-lo)/(hi-lo)*(height-top-bottom) }
	for k := 0; lo+float64(k)*step <= hi+step/1e6; k++ {
		y := lo + float64(k)*step
		p.Line(left, py(y), width-right, py(y), 1, "#d3d9e2")
		p.Text(left-7, py(y)+4, 12, "#505b6b", fmt.Sprintf("%.4g", y+0), "text-anchor", "end")
	}
	across := roundStep(most / 5)
	for x := 0.0; x <= most*1.0001; x += across {
		p.Text(px(x), height-bottom+17, 12, "#505b6b", fmt.Sprintf("%.4g", x))
	}
	p.Text((left+width-right)/2, height-8, 12, "#505b6b", unit)
	for k, l := range lines {
		colour := linePaints[k%len(linePaints)]
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
		for i := range l.x {
			p.Circle(px(l.x[i]), py(l.y[i]), 3.2, colour)
		}
		if len(lines) > 1 {
			p.Text(width-right, 21+float64(k)*16, 12, colour, l.name, "text-anchor", "end")
		}
	}
	return template.HTML(p.String())
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
