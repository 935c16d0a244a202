package asm

import (
	"math"

	"plyfit/internal/elementary"
)

// Logistic turns the weighted sums z of rows, whose labels are the probabilities
// q, into the gradients of the logistic loss by them, p = 1/(1+exp(-scale z)), and
// returns the rows' total loss in nats. It takes at most 1,000 rows, lest the
// product overflow that the logarithms are taken of.
func Logistic(scale float64, z, q []float64) float64 {
	var sum [4]float64
	product := [4]float64{1, 1, 1, 1}
	n := logisticFours(&sum, &product, scale, z, q)
	for i := n; i < len(z); i++ {
		logisticRow(&sum[0], &product[0], scale, &z[i], q[i])
	}
	// ln(1+e) of all rows is taken of their product, at most 2^rows.
	return (sum[0] + sum[1]) + (sum[2] + sum[3]) + elementary.Log((product[0]*product[1])*(product[2]*product[3]))
}

// logisticFours takes as many rows as are divisible by four, and returns how many
// that were. The version in assembly ends at a row whose sum is beyond 700 or not a
// number; the twin takes it, and three more.
func logisticFours(sum, product *[4]float64, scale float64, z, q []float64) int {
	n := len(z) &^ 3
	if !AVX2 || n == 0 {
		return logisticFoursGo(sum, product, scale, z, q)
	}
	_ = q[n-1]
	done := 0
	for done < n {
		if done += logisticFoursAVX2(sum, product, scale, &z[done], &q[done], &elementary.Roots, n-done); done < n {
			done += logisticFoursGo(sum, product, scale, z[done:done+4], q[done:done+4])
		}
	}
	return n
}

func logisticFoursGo(sum, product *[4]float64, scale float64, z, q []float64) int {
	n := len(z) &^ 3
	for i := range n {
		logisticRow(&sum[i&3], &product[i&3], scale, &z[i], q[i])
	}
	return n
}

// logisticRow is the loss and gradient of a row but for ln(1+e), whose argument
// goes into product.
func logisticRow(sum, product *float64, scale float64, z *float64, q float64) {
	sz := scale * *z
	e := elementary.ExpMinus(math.Abs(sz))
	d := 1 + e
	p := 1 / d
	if sz < 0 {
		p *= e
	}
	*product *= d
	*sum += max(sz, 0) - float64(q*sz)
	*z = scale * (p - q)
}
