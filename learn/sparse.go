package learn

import "plyfit/internal/asm"

// dots sets z[i] to the weighted sum over row i and its offset.
func (c *chunk) dots(z, w []float64) {
	switch {
	case c.short != nil:
		asm.DotShorts(z, (*[narrow]float64)(w[:narrow]), c.start, c.short)
	case c.vals == nil:
		for i := range z {
			z[i] = dotOnes(w, c.cols[c.start[i]:c.start[i+1]])
		}
	default:
		for i := range z {
			a, b := c.start[i], c.start[i+1]
			z[i] = dotValues(w, c.cols[a:b], c.vals[a:b])
		}
	}
	for i := range c.rows {
		z[i] += c.rows[i].offset
	}
}

// offsets is dots for weights of zero.
func (c *chunk) offsets(z []float64) {
	clear(z)
	for i := range c.rows {
		z[i] = c.rows[i].offset
	}
}

// addTo adds g[i] times row i to dst.
func (c *chunk) addTo(dst, g []float64) {
	if c.short != nil {
		asm.AddShorts((*[narrow]float64)(dst[:narrow]), g, c.start, c.short)
		return
	}
	for i, v := range g {
		if v == 0 {
			continue
		}
		a, b := c.start[i], c.start[i+1]
		if c.vals == nil {
			for _, j := range c.cols[a:b] {
				dst[j] += v
			}
			continue
		}
		vals := c.vals[a:b]
		for k, j := range c.cols[a:b] {
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

// judge turns the sums z of the chunk's rows into gradients times weights, and
// returns their total loss and weight.
func (c *chunk) judge(loss Loss, z []float64) (sum, weight float64) {
	l, logistic := loss.(Logistic)
	if logistic && c.share != nil {
		return asm.Logistic(l.scale(), z, c.share), float64(len(z))
	}
	for i := range c.rows {
		row := &c.rows[i]
		v, g := 0.0, 0.0
		if logistic {
			v, g, _ = l.Loss(z[i], row.y)
		} else {
			v, g, _ = loss.Loss(z[i], row.y)
		}
		if keeps(row.kind, g) {
			v, g = 0, 0
		}
		sum += float64(row.weight * v)
		weight += row.weight
		z[i] = row.weight * g
	}
	return sum, weight
}
