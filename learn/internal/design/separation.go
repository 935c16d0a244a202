package design

import (
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/loss"
	"plyfit/models"
)

// This file detects separation in logistic fits. If all rows allow a feature's weight to grow, or
// all allow it to fall, the likelihood increases without limit as the weight does, and the weight
// has no finite estimate. This is quasi-complete separation (Albert and Anderson, On the existence
// of maximum likelihood estimates in logistic regression models, Biometrika 71, 1984). The value of
// such a weight depends on the penalty or on the last step, and no standard error describes it
// (Heinze and Schemper, Statistics in Medicine 21, 2002).
//
// Each column is tested separately and exactly while the rows are read. Combinations of columns
// that separate the results together are not detected, because that takes additional passes (Konis
// 2007). A penalty that limits their weights shrinks them, and [ShiftOf] reports that.

// ends is the set of directions in which a row's sum can grow without limit at no additional loss.
type ends uint8

const (
	upward ends = 1 << iota
	downward
)

// endsOf returns the directions for a label q, a share of the point, or for a bound of that value.
func endsOf(q float64, kind game.Bound) (e ends) {
	if q >= 1 || kind == game.Lower {
		e |= upward
	}
	if q <= 0 || kind == game.Upper {
		e |= downward
	}
	return e
}

// turned returns the directions of the weight if the feature is negative.
func (e ends) turned() ends { return e>>1 | e<<1&downward }

// Sides records, for every column, the directions in which its weight can grow according to all
// rows so far.
type Sides struct {
	d     *Matrix
	share func(y float64) float64
	way   []ends
	open  int // number of columns with at least one direction left
}

// NewSides returns nil for losses that always have a finite minimum.
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

// logisticOf returns the logistic loss with the same labels and link. ok is false if the link is
// unbounded.
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
func (s *Sides) Add(row *datasets.Sample) {
	if s.open == 0 { // in most data, this happens after a few rows
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

// Alone returns the separated columns that occur in the rows, in ascending order. It returns nil if
// s is nil.
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
