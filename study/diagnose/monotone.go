package diagnose

import (
	"cmp"
	"slices"
	"sort"

	"plyfit/learn"
)

// curve is an increasing map of values through points, straight between them. Where the
// range has ends they stay; else it goes on beyond the points as it is there, moved.
type curve struct {
	x, y  []float64
	turns bool    // of two players, so that it is the same from either side
	total float64 // what values from both sides add up to
}

// Of a curve: how many points at most, from how many finished games at least, and how
// much of the identity keeps it strictly increasing.
const (
	curvePoints  = 48
	fewestCurved = 30
	identityPart = 1e-3
)

// fitCurve finds the best increasing map of values to outcomes: what no increasing map gets back is
// order. Values are taken in groups of equal number, whose means are pooled where they fall.
func (d *diagnosis) fitCurve() {
	if len(d.ended()) < fewestCurved {
		return
	}
	ends := d.straight(link{})
	rows := slices.SortedStableFunc(d.rows(), func(a, b row) int { return cmp.Compare(a.value, b.value) })
	var x, y, w []float64
	for k, from := 0, 0; k < curvePoints; k++ {
		to := len(rows) * (k + 1) / curvePoints
		for to > from && to < len(rows) && rows[to].value == rows[to-1].value {
			to++ // what is equal stays together
		}
		if to <= from {
			continue
		}
		var sx, sy float64
		for _, r := range rows[from:to] {
			sx, sy = sx+r.value, sy+r.outcome
		}
		n := float64(to - from)
		x, y, w = append(x, sx/n), append(y, sy/n), append(w, n)
		from = to
	}
	if d.curve = pooled(x, learn.Isotonic(y, w), w, ends); d.curve != nil {
		d.curve.turns, d.curve.total = d.players == 2, d.World.Min+d.World.Max
	}
}

// pooled is the curve through the middles of what was pooled; nil where that is one point.
func pooled(x, y, w []float64, ends link) *curve {
	c := &curve{}
	for i := 0; i < len(x); {
		var sum, weight float64
		j := i
		for ; j < len(x) && y[j] == y[i]; j++ {
			sum, weight = sum+float64(x[j]*w[j]), weight+w[j]
		}
		at := sum / weight
		c.x, c.y = append(c.x, at), append(c.y, float64((1-identityPart)*y[i])+float64(identityPart*at))
		i = j
	}
	if len(c.x) < 2 {
		return nil
	}
	if ends.odds {
		if c.x[0] > ends.lo {
			c.x, c.y = append([]float64{ends.lo}, c.x...), append([]float64{ends.lo}, c.y...)
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
