package design

import (
	"plyfit/internal/asm"
	"plyfit/learn/loss"
)

// Dots sets z[i] to the weighted sum over row i and its offset.
func (c *Chunk) Dots(z, w []float64) {
	switch {
	case c.Short != nil:
		asm.DotShorts(z, (*[Narrow]float64)(w[:Narrow]), c.start, c.Short)
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
		asm.AddShorts((*[Narrow]float64)(dst[:Narrow]), g, c.start, c.Short)
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
		return asm.Logistic(l.Steepness(), z, c.Share)
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
