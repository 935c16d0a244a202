package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/svg"
	"plyfit/internal/text"
)

// A Series is a line of a [Chart].
type Series struct {
	Name      string // label next to the last point, in the line's colour; "" for none
	X, Y      []float64
	Low, High []float64 // ends of the points' intervals; nil for none
	Dashed    bool
	Color     int // number of the colour, from 1, shared by related series; 0 selects it by position
	Shape     int // number of the points' shape, from 1; 0 means the number of the colour
}

// A Chart is a plot of lines with intervals on common axes. Each line has its name at its end, so
// no legend is needed. Points that are not finite cause an error, because a report must not hide
// them.
type Chart struct {
	Title, XLabel, YLabel string // labels include the unit
	Series                []Series
	Diagonal              bool      // whether to draw y = x, the line of perfect calibration
	Level                 *float64  // position of a horizontal line, such as par or an even score; nil for no line
	XTicks                []float64 // positions of the ticks; nil selects them automatically
	YMin, YMax            *float64  // values that the axis must include; nil for none
}

func (c Chart) draw(p *panel) error {
	c.Series = slices.Clone(c.Series)
	x, y := newAxis(), newAxis()
	for i := range c.Series {
		s := &c.Series[i]
		s.Color = cmp.Or(s.Color, i%colors+1)
		s.Shape = cmp.Or(s.Shape, s.Color)
		err := x.reach(slices.Concat(s.X, c.XTicks)...)
		if err == nil {
			err = y.reach(slices.Concat(s.Y, s.Low, s.High)...)
		}
		if len(s.X) == 0 {
			err = errors.New("no points")
		}
		if err != nil {
			return fmt.Errorf("plot %q, series %q: %w", c.Title, s.Name, err)
		}
	}
	x.close()
	y.close(c.Level, c.YMin, c.YMax)
	yTicks := y.ticks(5)
	x.from = 20
	for _, t := range yTicks {
		x.from = math.Max(x.from, svg.TextWidth(mark(t), tickSize)+16)
	}
	labels, width, height := c.labels()
	x.to = panelWidth - width - 8
	p.begin(c.Title, c.YLabel)
	p.paragraph(edge, c.YLabel)
	foot := 22 + lineStep*float64(len(svg.Wrap(c.XLabel, tickSize, panelWidth-edge-x.from)))
	y.to = p.y + 8
	y.from = math.Max(280-foot, y.to+height+8)
	for _, t := range yTicks {
		p.Line(x.from, y.at(t), x.to, y.at(t), 1, "var(--grid)")
		p.note(x.from-5, y.at(t)+4, "end", mark(t))
	}
	p.marks(x, c.xTicks(x), y.from, 4, 0)
	p.Line(x.from, y.from, x.to, y.from, 1, "var(--soft)")
	dashed := func(x1, y1, x2, y2 float64) { p.Line(x1, y1, x2, y2, 1.2, "var(--soft)", "stroke-dasharray", "2 3") }
	if c.Level != nil {
		dashed(x.from, y.at(*c.Level), x.to, y.at(*c.Level))
	}
	if c.Diagonal {
		lo, hi := math.Max(x.lo, y.lo), math.Min(x.hi, y.hi)
		dashed(x.at(lo), y.at(lo), x.at(hi), y.at(hi))
	}
	p.y = y.from + 20
	p.paragraph(x.from, c.XLabel)
	p.y += 2
	for _, s := range c.Series {
		s.draw(p, x, y)
	}
	place(labels, x, y)
	for _, l := range labels {
		l.draw(p, x.to+10)
	}
	return nil
}

// xTicks returns the ticks of the horizontal axis. They are whole numbers if all x values are whole
// numbers.
func (c Chart) xTicks(x axis) []float64 {
	if c.XTicks != nil {
		return c.XTicks
	}
	ticks := x.ticks(5)
	fraction := func(v float64) bool { return v != math.Round(v) }
	if slices.ContainsFunc(c.Series, func(s Series) bool { return slices.ContainsFunc(s.X, fraction) }) {
		return ticks
	}
	return slices.DeleteFunc(ticks, func(t float64) bool { return math.Abs(t-math.Round(t)) > 1e-9 })
}

func (s Series) draw(p *panel, x, y axis) {
	color, path := ink(s.Color), ""
	for i := range s.X {
		path += "L" + svg.Point(x.at(s.X[i]), y.at(s.Y[i]))
		if s.Low == nil || s.Low[i] == s.High[i] {
			continue
		}
		at, low, high := x.at(s.X[i]), y.at(s.Low[i]), y.at(s.High[i])
		p.Line(at, low, at, high, 1, color)
		p.Line(at-3, low, at+3, low, 1, color)
		p.Line(at-3, high, at+3, high, 1, color)
	}
	if len(s.X) > 1 {
		more := []string{"stroke", color, "stroke-width", "1.8"}
		if s.Dashed {
			more = append(more, "stroke-dasharray", "6 4")
		}
		p.Path("M"+path[1:], "none", more...)
	}
	for i := range s.X {
		p.glyph(x.at(s.X[i]), y.at(s.Y[i]), s.Shape, color)
	}
}

// A label is the name of a series next to its last point.
type label struct {
	lines []string
	x, y  float64 // position of the point, first in the units of the data, then in pixels
	top   float64 // top of the label, set by [place]
	color string
}

func (l *label) height() float64 { return lineStep * float64(len(l.lines)) }

// labels returns the names of the series, the width of the strip to the right of the plot that
// contains them (usually at most two fifths of the panel), and their total height.
func (c Chart) labels() (labels []*label, width, height float64) {
	for _, s := range c.Series {
		if s.Name == "" {
			continue
		}
		last := 0
		for i := range s.X {
			if s.X[i] >= s.X[last] {
				last = i
			}
		}
		l := &label{lines: svg.Wrap(s.Name, tickSize, 0.4*panelWidth), x: s.X[last], y: s.Y[last], color: ink(s.Color)}
		for _, text := range l.lines {
			width = math.Max(width, svg.TextWidth(text, tickSize)+14)
		}
		labels, height = append(labels, l), height+l.height()
	}
	return labels, width, height
}

// place positions the labels near their points, without overlaps. If labels would overlap, the
// lower one moves down, or up at the lower end.
func place(labels []*label, x, y axis) {
	for _, l := range labels {
		l.x, l.y = x.at(l.x), y.at(l.y)
		l.top = l.y - l.height()/2
	}
	slices.SortStableFunc(labels, func(a, b *label) int { return cmp.Compare(a.y, b.y) })
	free := y.to - lineStep/2
	for _, l := range labels {
		l.top = math.Max(l.top, free)
		free = l.top + l.height() + 2
	}
	end := y.from + lineStep/2
	for _, l := range slices.Backward(labels) {
		l.top = math.Min(l.top, end-l.height())
		end = l.top - 2
	}
}

// draw writes the label at x, with a line to its point.
func (l *label) draw(p *panel, x float64) {
	p.Line(l.x+5, l.y, x-2, l.top+l.height()/2, 0.6, l.color)
	for i, text := range l.lines {
		p.text(x, l.top+float64(lineStep*float64(i+1))-4, tickSize, "start", l.color, text)
	}
}

// An axis maps values in the range [lo, hi] to pixels between two positions.
type axis struct{ lo, hi, from, to float64 }

func newAxis() axis { return axis{lo: math.Inf(1), hi: math.Inf(-1)} }

func (a *axis) reach(values ...float64) error {
	for _, v := range values {
		if v-v != 0 {
			return fmt.Errorf("%v is not finite", v)
		}
		a.lo, a.hi = math.Min(a.lo, v), math.Max(a.hi, v)
	}
	return nil
}

// close extends the axis to the ends that are not nil and adds a margin on both sides.
func (a *axis) close(ends ...*float64) {
	for _, v := range ends {
		if v != nil {
			a.lo, a.hi = math.Min(a.lo, *v), math.Max(a.hi, *v)
		}
	}
	if a.lo > a.hi {
		a.lo, a.hi = 0, 1
		return
	}
	room := (a.hi - a.lo) / 25
	if room == 0 {
		room = math.Max(math.Abs(a.lo)/10, 0.05)
	}
	a.lo, a.hi = a.lo-room, a.hi+room
}

func (a *axis) at(x float64) float64 { return a.from + float64((x-a.lo)/(a.hi-a.lo)*(a.to-a.from)) }

func mark(x float64) string { return text.Thousands(text.Digits(x, 4, 0.0001, 1e7)) }

// ticks returns about n round numbers on the axis.
func (a *axis) ticks(n int) (places []float64) {
	raw := (a.hi - a.lo) / float64(n)
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * unit
	for _, m := range []float64{5, 2, 1} {
		if m*unit >= raw {
			step = m * unit
		}
	}
	for k := math.Ceil(a.lo / step); k*step <= a.hi+step*1e-9; k++ {
		places = append(places, k*step)
	}
	return places
}

// marks writes the labels of a horizontal axis at y, within the picture and not left of the given
// limit. It omits labels that would overlap, and draws ticks of the given length.
func (p *panel) marks(a axis, ticks []float64, y, length, least float64) {
	free := math.Inf(-1) // right end of the last label
	for _, t := range ticks {
		at, half := a.at(t), svg.TextWidth(mark(t), tickSize)/2
		if length > 0 {
			p.Line(at, y, at, y+length, 1, "var(--soft)")
		}
		if at = math.Max(least, math.Min(at, panelWidth-half-2)); at-half > free+4 {
			p.note(at, y+17, "middle", mark(t))
			free = at + half
		}
	}
}
