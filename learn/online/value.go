package online

import (
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/models"
)

// scale is what values are learned in: the game's own units where the model has
// no link, else -1 to 1 between the game's bounds.
type scale struct {
	link   models.Link
	lo, hi float64
	linked bool
	wins   float64 // the share of who won in a value, by how much being the rest
}

func newScale(g *game.Game, link models.Link, wins float64) scale {
	s := scale{link: link, lo: g.Min, hi: g.Max, wins: wins}
	s.link.Scale, s.linked = link.TanhScale()
	return s
}

// of is the value of a utility.
func (s *scale) of(utility float64) float64 {
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
	if !s.linked {
		return utility
	}
	return (float64(2*utility) - s.lo - s.hi) / (s.hi - s.lo)
}

// value is that of a weighted sum, slope its derivative there.
func (s *scale) value(z float64) float64 {
	if !s.linked {
		return z
	}
	return elementary.Tanh(s.link.Scale * z)
}

// slope is the derivative of value where it is v.
func (s *scale) slope(v float64) float64 {
	if !s.linked {
		return 1
	}
	return s.link.Scale * (1 - float64(v*v))
}

// unit is a difference of values in the game's units.
func (s *scale) unit() float64 {
	if !s.linked {
		return 1
	}
	return (s.hi - s.lo) / 2
}
