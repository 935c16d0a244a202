package report

import (
	"fmt"
	"math"

	"plyfit/internal/list"
)

// axis maps values from lo to hi to pixels.
type axis struct{ lo, hi, from, to float64 }

// newAxis returns an axis that reaches nothing yet.
func newAxis() axis { return axis{lo: math.Inf(1), hi: math.Inf(-1)} }

// reach extends the axis to values.
func (a *axis) reach(values ...float64) error {
	for _, v := range values {
		if v-v != 0 {
			return fmt.Errorf("%v is not finite", v)
		}
		a.lo, a.hi = math.Min(a.lo, v), math.Max(a.hi, v)
	}
	return nil
}

// close extends the axis to the ends that are not nil, and adds some room on both sides.
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

func (a *axis) at(x float64) float64 {
	return a.from + float64((x-a.lo)/(a.hi-a.lo)*(a.to-a.from))
}

// tick is a place on an axis with its label.
type tick struct {
	at    float64
	label string
}

func ticksAt(places []float64) []tick {
	return list.Map(places, func(x float64) tick { return tick{x, thousands(plain(x, 4, 0.0001, 1e7))} })
}

// ticks returns about n round numbers on the axis.
func (a *axis) ticks(n int) []tick {
	raw := (a.hi - a.lo) / float64(n)
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * unit
	for _, m := range []float64{5, 2, 1} {
		if m*unit >= raw {
			step = m * unit
		}
	}
	var places []float64
	for k := math.Ceil(a.lo / step); k*step <= a.hi+step*1e-9; k++ {
		places = append(places, k*step)
	}
	return ticksAt(places)
}

// marks writes the labels of a horizontal axis at y within the picture, not left of least and not
// over each other; each has a mark of a length.
func (p *panel) marks(a axis, ticks []tick, y, length, least float64) {
	free := math.Inf(-1) // where the last label ends
	for _, t := range ticks {
		at, half := a.at(t.at), textWidth(t.label, tickSize)/2
		if length > 0 {
			p.Line(at, y, at, y+length, 1, "var(--soft)")
		}
		if at = math.Max(least, math.Min(at, panelWidth-half-2)); at-half > free+4 {
			p.note(at, y+17, "middle", t.label)
			free = at + half
		}
	}
}
