package online

import (
	"plyfit/internal/elementary"
	"plyfit/models"
)

// Scale is what values are learned in: the game's own units where the model has
// no link, else -1 to 1 between the game's bounds.
type Scale struct {
	Linked bool // the model has a link

	link   models.Link
	lo, hi float64
	wins   float64
}

// NewScale is the scale of a task's utilities under its model's link.
func NewScale(t *Task) Scale {
	g, link := t.Game.Base(), t.Model.Link
	s := Scale{link: link, lo: g.Min, hi: g.Max, wins: float64(t.Wins)}
	s.link.Scale, s.Linked = link.TanhScale()
	return s
}

// Of is the value of a utility.
func (s *Scale) Of(utility float64) float64 {
	if s.wins > 0 {
		won := float64((s.lo + s.hi) / 2)
		switch mid := won; {
		case utility > mid:
			won = s.hi
		case utility < mid:
			won = s.lo
		}
		utility += float64(s.wins * (won - utility))
	}
	if !s.Linked {
		return utility
	}
	return (float64(2*utility) - s.lo - s.hi) / (s.hi - s.lo)
}

// Value is that of a weighted sum, Slope its derivative there.
func (s *Scale) Value(z float64) float64 {
	if !s.Linked {
		return z
	}
	return elementary.Tanh(s.link.Scale * z)
}

// Slope is the derivative of Value where it is v.
func (s *Scale) Slope(v float64) float64 {
	if !s.Linked {
		return 1
	}
	return s.link.Scale * (1 - float64(v*v))
}

// Unit is a difference of values of 1 in the game's units.
func (s *Scale) Unit() float64 {
	if !s.Linked {
		return 1
	}
	return (s.hi - s.lo) / 2
}
