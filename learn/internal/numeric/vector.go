package numeric

// Dot is the sum of products, in four sums that do not wait for each other.
func Dot(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	j := 0
	for ; j+4 <= len(x); j += 4 {
		a += float64(x[j] * y[j])
		b += float64(x[j+1] * y[j+1])
		c += float64(x[j+2] * y[j+2])
		d += float64(x[j+3] * y[j+3])
	}
	for ; j < len(x); j++ {
		a += float64(x[j] * y[j])
	}
	return (a + b) + (c + d)
}
