package diagnose

import (
	"cmp"
	"slices"
	"sort"

	"plyfit/learn"
)

// curve is an increasing map of values through points, straight between them. If the range has ends
// they stay; else the map is parallel to the identity beyond the points.
type curve struct {
	x, y  []float64
	turns bool    // in games of two: the map is the same from either side
	total float64 // of a value from both sides
}

// Limits of a curve.
const (
	curvePoints  = 48   // the maximum
	fewestCurved = 30   // finished games
	identityPart = 1e-3 // the share of the identity, which keeps it strictly increasing
)

// fitCurve finds the best increasing map of values to outcomes: what no increasing map gets back is
// order. It takes values in groups of equal number and pools their means if they fall. It is nil if
// all are pooled into one.
func (d *diagnosis) fitCurve(rows []row) *curve {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.value, b.value) })
	var x, y, w []float64
	for k, from := 0, 0; k < curvePoints; k++ {
		to := max(from, len(rows)*(k+1)/curvePoints)
		for to > from && to < len(rows) && rows[to].value == rows[to-1].value {
			to++ // what is equal stays together
		}
		var sx, sy float64
		for _, r := range rows[from:to] {
			sx, sy = sx+r.value, sy+r.outcome
		}
		if n := float64(to - from); n > 0 {
			x, y, w = append(x, sx/n), append(y, sy/n), append(w, n)
		}
		from = to
	}
	c := &curve{turns: d.players == 2, total: d.World.Min + d.World.Max}
	if c.x, c.y = learn.Isotonic(x, y, w); len(c.x) < 2 {
		return nil
	}
	for i, at := range c.x {
		c.y[i] = float64((1-identityPart)*c.y[i]) + float64(identityPart*at)
	}
	if ends := d.identity(); ends.odds {
		if c.x[0] > ends.lo {
			c.x, c.y = slices.Insert(c.x, 0, ends.lo), slices.Insert(c.y, 0, ends.lo)
		}
		if c.x[len(c.x)-1] < ends.hi {
			c.x, c.y = append(c.x, ends.hi), append(c.y, ends.hi)
		}
	}
	return c
}

func (c *curve) of(v float64) float64 {
	if c.turns {
		return (c.at(v) + (c.total - c.at(c.total-v))) / 2
	}
	return c.at(v)
}

func (c *curve) at(v float64) float64 {
	last := len(c.x) - 1
	switch {
	case v <= c.x[0]:
		return c.y[0] + (v - c.x[0])
	case v >= c.x[last]:
		return c.y[last] + (v - c.x[last])
	}
	i := sort.SearchFloat64s(c.x, v)
	share := (v - c.x[i-1]) / (c.x[i] - c.x[i-1])
	return c.y[i-1] + float64(share*(c.y[i]-c.y[i-1]))
}
