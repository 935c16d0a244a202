package models

import (
	"fmt"
	"math"
)

// Range is what the utilities of a game can be, in the game's units: what a
// weighted sum without a link was fitted to, or what a link spans.
type Range struct{ Min, Max float64 }

// String is the range in words: -1 to 1.
func (r Range) String() string { return fmt.Sprintf("%v to %v", r.Min, r.Max) }

func (r Range) finite() bool { return r.Max-r.Min < math.Inf(1) && r.Min < r.Max }

// Rescale turns m, made for utilities in from, into a model of utilities in to: a value v becomes
// to.Min + (v-from.Min) * (to.Max-to.Min)/(from.Max-from.Min). A link spans any range of the game,
// so its weights stay; without one all weights, their standard errors and the bias are multiplied,
// and the bias is moved if the ranges have different centres. It panics where a range is infinite
// or empty.
func (m *Linear) Rescale(from, to Range) {
	if !from.finite() || !to.finite() {
		panic(fmt.Sprintf("models: a rescaling of %v to %v", from, to))
	}
	m.Range = &to
	if m.Link.Bounded() {
		return
	}
	k := (to.Max - to.Min) / (from.Max - from.Min)
	bias := float64((m.Bias-from.Min)*k) + to.Min
	*m = *m.times(k)
	m.Bias = bias
}

// times is a copy of m whose weights, bias and their standard errors are multiplied.
func (m *Linear) times(factor float64) *Linear {
	out := m.Clone()
	out.Bias, out.BiasError = out.Bias*factor, out.BiasError*factor
	for _, list := range [][]float64{out.Weights, out.Errors} {
		for i := range list {
			list[i] *= factor
		}
	}
	for i, w := range out.Table {
		out.Table[i] = float32(float64(w) * factor)
	}
	return out
}
