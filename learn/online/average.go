package online

import "plyfit/models"

// Average is the running mean of all weights, a sample at a time. Where few of
// millions change between two samples, [Weights] has a way that reads those alone.
type Average struct {
	Mean    []float64
	Samples int64
}

// Add adds a sample: n weights, number i being at(i).
func (a *Average) Add(at func(i int) float64) {
	a.Samples++
	for i := range a.Mean {
		a.Mean[i] += (at(i) - a.Mean[i]) / float64(a.Samples)
	}
}

// Weight is that of place i in m, the bias being the last.
func Weight(m *models.Linear, i int) float64 {
	if i == m.Len() {
		return m.Bias
	}
	return m.Weight(int32(i))
}

// Move adds d to the weight of place i in m, the bias being the last.
func Move(m *models.Linear, i int, d float64) {
	switch n := len(m.Weights); {
	case i == m.Len():
		m.Bias += d
	case i < n:
		m.Weights[i] += d
	default:
		m.Table[i-n] = float32(float64(m.Table[i-n]) + d)
	}
}
