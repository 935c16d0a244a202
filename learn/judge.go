package learn

import (
	"math"

	"plyfit/internal/elementary"
)

// judge turns the sums z of the chunk's rows into gradients times weights, and
// returns their total loss and weight.
func (c *chunk) judge(loss Loss, z []float64) (sum, weight float64) {
	l, logistic := loss.(Logistic)
	if logistic && c.share != nil {
		return judgeShares(l.scale(), z, c.share), float64(len(z))
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

// judgeShares is the logistic loss of plain rows, whose labels are q, at most
// chunkRows of them: z becomes the gradients. It is a tenth of most fits.
func judgeShares(scale float64, z, q []float64) float64 {
	var sum [4]float64
	product := [4]float64{1, 1, 1, 1}
	n := judgeFours(&sum, &product, scale, z, q)
	for i := n; i < len(z); i++ {
		judgeRow(&sum[0], &product[0], scale, &z[i], q[i])
	}
	// ln(1+e) of all rows is taken of their product, at most 2^chunkRows.
	return (sum[0] + sum[1]) + (sum[2] + sum[3]) + elementary.Log((product[0]*product[1])*(product[2]*product[3]))
}

func judgeFoursGeneric(sum, product *[4]float64, scale float64, z, q []float64) int {
	n := len(z) &^ 3
	for i := range n {
		judgeRow(&sum[i&3], &product[i&3], scale, &z[i], q[i])
	}
	return n
}

// judgeRow is Logistic's Loss but for ln(1+e), whose argument goes into product.
func judgeRow(sum, product *float64, scale float64, z *float64, q float64) {
	sz := scale * *z
	e := expNegative(math.Abs(sz))
	d := 1 + e
	p := 1 / d
	if sz < 0 {
		p *= e
	}
	*product *= d
	*sum += max(sz, 0) - float64(q*sz)
	*z = scale * (p - q)
}
