package learn

import "plyfit/internal/asm"

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
