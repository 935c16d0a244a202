package design

import (
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Separation of logistic fits: where a feature never errs about the results (its rows all allow the
// weight to grow, or all to fall), the likelihood grows without end with the weight, which has no
// finite estimate: quasi-complete separation (Albert and Anderson, On the existence of maximum
// likelihood estimates in logistic regression models, Biometrika 71, 1984). What a penalty or a
// last step leaves of such a weight is its own, and no standard error describes it (Heinze and
// Schemper, Statistics in Medicine 21, 2002).
//
// Each column is asked for itself, exactly, while the rows go by. Combinations of
// columns that never err together are not looked for, which takes passes of its own
// (Konis 2007): a penalty that holds their weights shrinks them, and [ShiftOf] tells.

// ends says which ways the sum of a row can go on for ever without more loss.
type ends uint8

const (
	upward ends = 1 << iota
	downward
)

// endsOf is for a label that is the share q of the point, or a bound of it.
func endsOf(q float64, kind game.Bound) (e ends) {
	if q >= 1 || kind == game.Lower {
		e |= upward
	}
	if q <= 0 || kind == game.Upper {
		e |= downward
	}
	return e
}

// turned is e for a weight whose feature is negative.
func (e ends) turned() ends { return e>>1 | e<<1&downward }

// Sides keeps, for every column, the ways its weight could go by all rows so far.
type Sides struct {
	d     *Matrix
	share func(y float64) float64
	way   []ends
	open  int // columns that still have a way
}

// NewSides is nil for losses that no weight can satisfy at infinity.
func NewSides(d *Matrix, criterion loss.Function) *Sides {
	l, ok := logisticOf(criterion)
	if !ok {
		return nil
	}
	s := &Sides{d: d, share: l.Probability, way: make([]ends, d.Width()), open: d.Width()}
	for c := range s.way {
		s.way[c] = upward | downward
	}
	return s
}

// logisticOf is the logistic loss of the same labels and link, where the link has ends.
func logisticOf(criterion loss.Function) (l loss.Logistic, ok bool) {
	switch c := criterion.(type) {
	case loss.Logistic:
		return c, true
	case loss.Squared:
		if c.Link.Kind == models.Logistic || c.Link.Kind == models.Tanh {
			return loss.ForLink(c.Link, c.Lo, c.Hi), true
		}
	}
	return l, false
}

// Add takes a training row.
func (s *Sides) Add(row *datasets.Sample) {
	if s.open == 0 { // after a few rows of most data
		return
	}
	e := endsOf(s.share(row.Y), row.Kind)
	turned := e.turned()
	for _, t := range row.X {
		c := s.d.Column[t.Index+1]
		if c < 0 || s.way[c] == 0 {
			continue
		}
		switch {
		case t.Value > 0:
			s.way[c] &= e
		case t.Value < 0:
			s.way[c] &= turned
		}
		if s.way[c] == 0 {
			s.open--
		}
	}
}

// Alone are the columns that are separated, ascending, of those that occur; a nil s knows of none.
func (s *Sides) Alone(support []int64) (columns []int) {
	if s == nil {
		return nil
	}
	for c, w := range s.way {
		if w != 0 && support[c] > 0 {
			columns = append(columns, c)
		}
	}
	return columns
}
