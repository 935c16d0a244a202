package design

import (
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/loss"
	"plyfit/models"
)

// This file detects separation in logistic fits. If no row prevents a feature's weight from
// growing, or no row prevents it from falling, the likelihood has no finite maximum in that
// direction, and the weight has no finite estimate. This is quasi-complete separation (Albert and
// Anderson, On the existence of maximum likelihood estimates in logistic regression models,
// Biometrika 71, 1984). The value of such a weight depends on the penalty or on the last step, and
// no standard error describes it (Heinze and Schemper, Statistics in Medicine 21, 2002).
//
// Each column is tested separately and exactly while the rows are read. Combinations of columns
// that separate the results only together are not detected, because that requires additional passes
// (Konis 2007).

// ends is the set of directions in which a row's sum can grow without limit at no additional loss.
type ends uint8

const (
	upward ends = 1 << iota
	downward
)

// endsOf returns the directions for a row whose label is q, as a fraction of a point. The parameter
// kind specifies whether the label is exact or a bound.
func endsOf(q float64, kind game.Bound) (e ends) {
	if q >= 1 || kind == game.Lower {
		e |= upward
	}
	if q <= 0 || kind == game.Upper {
		e |= downward
	}
	return e
}

// Directions contains, for every column, the directions in which its weight can grow according to
// the rows read so far.
type Directions struct {
	d     *Matrix
	share func(y float64) float64
	way   []ends
	open  int // number of columns for which at least one direction is left
}

// NewDirections returns nil for losses that always have a finite minimum.
func NewDirections(d *Matrix, criterion loss.Function) *Directions {
	l, ok := logisticOf(criterion)
	if !ok {
		return nil
	}
	s := &Directions{d: d, share: l.Probability, way: make([]ends, d.Width()), open: d.Width()}
	for c := range s.way {
		s.way[c] = upward | downward
	}
	return s
}

// logisticOf returns the logistic loss with the same labels and link. The result ok is false for
// other losses and for unbounded links.
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

// Add adds a training row.
func (s *Directions) Add(row *datasets.Sample) {
	if s.open == 0 { // in most data, this happens after a few rows
		return
	}
	e := endsOf(s.share(row.Y), row.Kind)
	turned := e>>1 | e<<1&downward // directions for the weight of a feature whose value is negative
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

// Alone returns the columns that separate the results and occur in the rows, in ascending order. It
// returns nil if s is nil.
func (s *Directions) Alone(support []int64) (columns []int) {
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
