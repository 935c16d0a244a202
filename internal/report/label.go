package report

import (
	"cmp"
	"math"
	"slices"
)

// label is the name of a series beside its last point.
type label struct {
	lines []string
	x, y  float64 // of the point, first in the units of the data, then in pixels
	top   float64 // where it came to stand
	color string
}

func (l *label) height() float64 { return lineStep * float64(len(l.lines)) }

// lines counts those of all labels.
func lines(labels []*label) (n int) {
	for _, l := range labels {
		n += len(l.lines)
	}
	return n
}

// labels are those of the series, and the width of the strip that they take at the
// right of the plot: at most two fifths of all.
func (c Chart) labels(width float64) (labels []*label, strip float64) {
	room := 0.4 * width
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
		l := &label{lines: wrap(s.Name, tickSize, room), x: s.X[last], y: s.Y[last], color: ink(s.Color)}
		for _, text := range l.lines {
			strip = math.Max(strip, textWidth(text, tickSize)+14)
		}
		labels = append(labels, l)
	}
	return labels, strip
}

// place sets labels as near to their points as they can stand without covering each other.
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

// draw writes the label at x, with a line to its point where it stands apart.
func (l *label) draw(p *canvas, x float64) {
	middle := l.top + l.height()/2
	p.line(l.x+5, l.y, x-2, middle, l.color, 0.6, "")
	for i, text := range l.lines {
		p.text(x, l.top+float64(lineStep*float64(i+1))-4, tickSize, "start", l.color, false, text)
	}
}
