package design

import (
	"math"

	"plyfit/internal/elementary"
	"plyfit/learn/loss"
)

// Dots sets z[i] to the weighted sum over row i and its offset.
func (c *Chunk) Dots(z, w []float64) {
	switch {
	case c.Short != nil:
		table := (*[Narrow]float64)(w[:Narrow]) // no index of sixteen bits leaves it
		for i := range z {
			z[i] = dotShorts(table, c.Short[c.start[i]:c.start[i+1]])
		}
	case c.vals == nil:
		for i := range z {
			z[i] = dotOnes(w, c.Cols[c.start[i]:c.start[i+1]])
		}
	default:
		for i := range z {
			a, b := c.start[i], c.start[i+1]
			z[i] = dotValues(w, c.Cols[a:b], c.vals[a:b])
		}
	}
	for i := range c.Rows {
		z[i] += c.Rows[i].Offset
	}
}

// Offsets is dots for weights of zero.
func (c *Chunk) Offsets(z []float64) {
	clear(z)
	for i := range c.Rows {
		z[i] = c.Rows[i].Offset
	}
}

// AddTo adds g[i] times row i to dst.
func (c *Chunk) AddTo(dst, g []float64) {
	if c.Short != nil {
		table := (*[Narrow]float64)(dst[:Narrow])
		for i, v := range g {
			cols := c.Short[c.start[i]:c.start[i+1]]
			for ; len(cols) >= 4; cols = cols[4:] {
				table[cols[0]] += v
				table[cols[1]] += v
				table[cols[2]] += v
				table[cols[3]] += v
			}
			for _, j := range cols {
				table[j] += v
			}
		}
		return
	}
	for i, v := range g {
		if v == 0 {
			continue
		}
		a, b := c.start[i], c.start[i+1]
		if c.vals == nil {
			for _, j := range c.Cols[a:b] {
				dst[j] += v
			}
			continue
		}
		vals := c.vals[a:b]
		for k, j := range c.Cols[a:b] {
			dst[j] += float64(v * float64(vals[k]))
		}
	}
}

func dotOnes(w []float64, cols []int32) float64 {
	var a, b, c, d float64
	for ; len(cols) >= 4; cols = cols[4:] {
		a += w[cols[0]]
		b += w[cols[1]]
		c += w[cols[2]]
		d += w[cols[3]]
	}
	for _, j := range cols {
		a += w[j]
	}
	return (a + b) + (c + d)
}

func dotShorts(w *[Narrow]float64, cols []uint16) float64 {
	var a, b, c, d float64
	for ; len(cols) >= 4; cols = cols[4:] {
		a += w[cols[0]]
		b += w[cols[1]]
		c += w[cols[2]]
		d += w[cols[3]]
	}
	for _, j := range cols {
		a += w[j]
	}
	return (a + b) + (c + d)
}

func dotValues(w []float64, cols []int32, vals []float32) float64 {
	z := 0.0
	vals = vals[:len(cols)]
	for k, c := range cols {
		z += float64(w[c] * float64(vals[k]))
	}
	return z
}

// Gradients turns the sums z of the chunk's rows into gradients times weights, and
// returns their total loss.
func (c *Chunk) Gradients(criterion loss.Function, z []float64) (sum float64) {
	l, logistic := criterion.(loss.Logistic)
	if logistic && c.Share != nil {
		return logisticGradients(l.Steepness(), z, c.Share)
	}
	for i := range c.Rows {
		row := &c.Rows[i]
		v, g := 0.0, 0.0
		if logistic {
			v, g, _ = l.Loss(z[i], row.Y)
		} else {
			v, g, _ = criterion.Loss(z[i], row.Y)
		}
		if Satisfied(row.Kind, g) {
			v, g = 0, 0
		}
		sum += float64(row.Weight * v)
		z[i] = row.Weight * g
	}
	return sum
}

// logisticGradients turns the weighted sums z of rows, whose labels are the probabilities q,
// into the gradients of the logistic loss by them, p = 1/(1+exp(-scale z)), and returns the
// rows' total loss in nats. It takes at most 1,000 rows: ln(1+e) is taken of their product.
func logisticGradients(scale float64, z, q []float64) float64 {
	var sum [4]float64
	product := [4]float64{1, 1, 1, 1}
	fours := len(z) &^ 3
	for i := range z {
		k := i & 3
		if i >= fours {
			k = 0
		}
		sz := scale * z[i]
		e := elementary.ExpMinus(math.Abs(sz))
		d := 1 + e
		p := 1 / d
		if sz < 0 {
			p *= e
		}
		product[k] *= d
		sum[k] += max(sz, 0) - float64(q[i]*sz)
		z[i] = scale * (p - q[i])
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3]) + elementary.Log((product[0]*product[1])*(product[2]*product[3]))
}
