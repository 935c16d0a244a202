package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/list"
	"plyfit/internal/svg"
)

// Series is one line of a [Chart].
type Series struct {
	Name string // beside its last point, in its colour; "" has none
	X, Y []float64
	// Low and High are the ends of each point's interval; nil: none.
	Low, High []float64
	Dashed    bool
	Color     int // from 1 on, the same for what belongs together; 0: by its place
	Shape     int // of its points, from 1 on; 0: as its colour
}

// Chart is a plot of lines with intervals over common axes. The name of each line is at its end, so
// nothing needs a legend. Points that are not finite are an error: a report does not hide them.
type Chart struct {
	Title, XLabel, YLabel string // labels name the unit
	Series                []Series
	Diagonal              bool      // draw y = x: where a calibrated prediction lies
	Level                 *float64  // draw a horizontal line: a par, an even score
	XTicks                []float64 // where the axis has its marks; nil: where they fall
	YMin, YMax            *float64  // the axis reaches at least so far
}

// Size of a panel in pixels: on a phone it stands in its natural size.
const (
	defaultWidth  = 380.0
	defaultHeight = 280.0
)

// title writes the title of a panel and returns where what follows it begins.
func (p *canvas) title(title string, width float64) (y float64) {
	const bold = 1.15 // as wide as plain text
	y = 8
	for _, l := range wrap(title, textSize, (width-20)/bold) {
		y += lineStep + 1
		p.text(10, y-3, textSize, "start", "var(--ink)", true, l)
	}
	return y + 2
}

type axis struct{ lo, hi, from, to float64 }

func (a axis) at(x float64) float64 {
	return a.from + float64((x-a.lo)/(a.hi-a.lo)*(a.to-a.from))
}

func clamp(x, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, x)) }

// widened are bounds with some room inside, and never equal.
func widened(lo, hi float64) (float64, float64) {
	switch {
	case lo > hi:
		return 0, 1
	case lo == hi:
		d := math.Max(math.Abs(lo)/10, 0.05)
		return lo - d, hi + d
	}
	d := (hi - lo) / 25
	return lo - d, hi + d
}

// niceTicks are about n round numbers between lo and hi.
func niceTicks(lo, hi float64, n int) []float64 {
	raw := (hi - lo) / float64(n)
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * unit
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= raw {
			step = m * unit
			break
		}
	}
	var out []float64
	for k := math.Ceil(lo / step); k*step <= hi+step*1e-9; k++ {
		out = append(out, k*step)
	}
	return out
}

// wholeX reports whether the axis counts something, so that only whole marks mean anything.
func (c Chart) wholeX() bool {
	for _, s := range c.Series {
		for _, x := range s.X {
			if x != math.Round(x) {
				return false
			}
		}
	}
	return true
}

// named is what a panel shows: its title and what its axis tells.
func named(title, axis string) string {
	if title == "" || axis == "" {
		return title + axis
	}
	return title + ": " + axis
}

// tickLabel is a round number as short as it is.
func tickLabel(x float64) string {
	text := strconv.FormatFloat(x, 'g', 4, 64)
	if v, err := strconv.ParseFloat(text, 64); err == nil && (math.Abs(v) >= 0.0001 || v == 0) && math.Abs(v) < 1e7 {
		text = strconv.FormatFloat(v+0, 'f', -1, 64)
	}
	return text
}

// tick is a place on an axis with what stands there.
type tick struct {
	at    float64
	label string
}

func ticksOf(places []float64) (ticks []tick) {
	return list.Map(places, func(x float64) tick { return tick{x, thousands(tickLabel(x))} })
}

func (c Chart) check(s Series) error {
	if len(s.X) == 0 {
		return fmt.Errorf("no points")
	}
	for i, x := range s.X {
		y := []float64{s.Y[i]}
		if s.Low != nil {
			y = append(y, s.Low[i], s.High[i])
		}
		for _, v := range y {
			if x-x != 0 || v-v != 0 {
				return fmt.Errorf("point (%v, %v) is not finite", x, v)
			}
		}
	}
	return nil
}

func (c Chart) ranges() (x, y axis) {
	x.lo, x.hi, y.lo, y.hi = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	reach := func(a *axis, list ...float64) {
		for _, v := range list {
			a.lo, a.hi = math.Min(a.lo, v), math.Max(a.hi, v)
		}
	}
	for _, s := range c.Series {
		reach(&x, s.X...)
		reach(&y, s.Y...)
		reach(&y, s.Low...)
		reach(&y, s.High...)
	}
	reach(&x, c.XTicks...)
	for _, v := range []*float64{c.Level, c.YMin, c.YMax} {
		if v != nil {
			reach(&y, *v)
		}
	}
	x.lo, x.hi = widened(x.lo, x.hi)
	y.lo, y.hi = widened(y.lo, y.hi)
	return x, y
}

func (c Chart) plot() (drawing, error) {
	for _, s := range c.Series {
		if err := c.check(s); err != nil {
			return drawing{}, fmt.Errorf("plot %q, series %q: %w", c.Title, s.Name, err)
		}
	}
	c.styles()
	x, y := c.ranges()
	const width = defaultWidth
	labels, strip := c.labels(width)
	var p canvas
	top := p.title(c.Title, width)
	for _, l := range wrap(c.YLabel, tickSize, width-20) {
		top += lineStep
		p.text(10, top-3, tickSize, "start", "var(--soft)", false, l)
	}
	top += 8
	under := wrap(c.XLabel, tickSize, width-20)
	foot := 22 + float64(lineStep*float64(len(under)))
	height := math.Max(defaultHeight, top+foot+float64(lineStep*float64(lines(labels)))+8)
	bottom := height - foot

	yTicks := ticksOf(niceTicks(y.lo, y.hi, 5))
	left := 20.0
	for _, t := range yTicks {
		left = math.Max(left, textWidth(t.label, tickSize)+16)
	}
	x.from, x.to, y.from, y.to = left, width-strip-8, bottom, top
	c.grid(&p, x, y, yTicks)
	for i, l := range under {
		p.text(left, bottom+20+float64(lineStep*float64(i+1))-3, tickSize, "start", "var(--soft)", false, l)
	}
	for _, s := range c.Series {
		s.draw(&p, x, y)
	}
	place(labels, x, y)
	for _, l := range labels {
		l.draw(&p, x.to+10)
	}
	return drawing{named(c.Title, c.YLabel), width, height, p.Elements()}, nil
}

// styles gives every series a colour and a shape.
func (c *Chart) styles() {
	c.Series = slices.Clone(c.Series)
	for i := range c.Series {
		s := &c.Series[i]
		s.Color = cmp.Or(s.Color, i%colors+1)
		s.Shape = cmp.Or(s.Shape, s.Color)
	}
}

// grid draws the axes, their ticks and the lines of reference.
func (c Chart) grid(p *canvas, x, y axis, yTicks []tick) {
	for _, t := range yTicks {
		p.line(x.from, y.at(t.at), x.to, y.at(t.at), "var(--grid)", 1, "")
		p.text(x.from-5, y.at(t.at)+4, tickSize, "end", "var(--soft)", false, t.label)
	}
	ticks := ticksOf(niceTicks(x.lo, x.hi, 5))
	if c.wholeX() {
		ticks = slices.DeleteFunc(ticks, func(t tick) bool { return math.Abs(t.at-math.Round(t.at)) > 1e-9 })
	}
	if c.XTicks != nil {
		ticks = ticksOf(c.XTicks)
	}
	free := math.Inf(-1) // where the last label ends
	for _, t := range ticks {
		at, half := x.at(t.at), textWidth(t.label, tickSize)/2
		p.line(at, y.from, at, y.from+4, "var(--soft)", 1, "")
		if at = math.Min(at, defaultWidth-half-2); at-half > free+4 { // within the picture
			p.text(at, y.from+17, tickSize, "middle", "var(--soft)", false, t.label)
			free = at + half
		}
	}
	p.line(x.from, y.from, x.to, y.from, "var(--soft)", 1, "")
	if c.Level != nil {
		p.line(x.from, y.at(*c.Level), x.to, y.at(*c.Level), "var(--soft)", 1.2, "2 3")
	}
	if c.Diagonal {
		lo, hi := math.Max(x.lo, y.lo), math.Min(x.hi, y.hi)
		p.line(x.at(lo), y.at(lo), x.at(hi), y.at(hi), "var(--soft)", 1.2, "2 3")
	}
}

// draw draws the intervals, the line and the points of a series.
func (s Series) draw(p *canvas, x, y axis) {
	color := ink(s.Color)
	for i := range s.X {
		if s.Low == nil || s.Low[i] == s.High[i] {
			continue
		}
		at := x.at(s.X[i])
		p.line(at, y.at(s.Low[i]), at, y.at(s.High[i]), color, 1, "")
		for _, end := range []float64{s.Low[i], s.High[i]} {
			p.line(at-3, y.at(end), at+3, y.at(end), color, 1, "")
		}
	}
	if len(s.X) > 1 {
		more := []string{"stroke", color, "stroke-width", "1.8"}
		if s.Dashed {
			more = append(more, "stroke-dasharray", "6 4")
		}
		p.Path(outline(s.X, s.Y, x, y), "none", more...)
	}
	for i := range s.X {
		p.glyph(x.at(s.X[i]), y.at(s.Y[i]), s.Shape, color)
	}
}

// outline is the line through points, as a path has it.
func outline(xs, ys []float64, x, y axis) string {
	var b strings.Builder
	for i := range xs {
		verb := "L"
		if i == 0 {
			verb = "M"
		}
		b.WriteString(verb + svg.Point(x.at(xs[i]), y.at(ys[i])))
	}
	return b.String()
}
