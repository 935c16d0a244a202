package study

import "math"

// Slope is the slope of y on x by least squares with its 95% interval by Student's t
// of n-2 degrees of freedom: points scatter about the line for reasons of their own,
// however well each of them was measured. Of fewer than three points, or where all x
// are alike, nothing is known.
func Slope(x, y []float64) Interval {
	mx, my := Mean(x), Mean(y)
	var xx, xy float64
	for i := range x {
		xx += float64((x[i] - mx) * (x[i] - mx))
		xy += float64((x[i] - mx) * (y[i] - my))
	}
	i := Interval{Value: xy / xx, Low: math.Inf(-1), High: math.Inf(1)}
	if len(x) < 3 || !(xx > 0) {
		return i
	}
	left := 0.0
	for k := range x {
		r := y[k] - my - float64(i.Value*(x[k]-mx))
		left += float64(r * r)
	}
	df := len(x) - 2
	half := float64(studentsT(df).Quantile(0.975) * math.Sqrt(left/float64(df)/xx))
	i.Low, i.High = i.Value-half, i.Value+half
	return i
}
