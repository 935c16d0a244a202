package fit

import (
	"slices"

	"plyfit/learn"
)

// Ridge is least squares on the label, by normal equations.
var Ridge = &Method{
	Name: "ridge", Doc: "least squares", Losses: []LossKind{SquaredError},
	Learner: func(_ *Options, p Problem) learn.Learner { return learn.Ridge{Options: p.Options} },
	Near:    allPenalties, BySums: true,
}

// allPenalties are the usual penalties and the fit's own, for methods that try them
// all in one pass.
func allPenalties(own float64) []float64 {
	list := []float64{0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1}
	if !slices.Contains(list, own) {
		list = append(list, own)
		slices.Sort(list)
	}
	return list
}
