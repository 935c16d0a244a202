package fit

import "plyfit/learn"

// elastic is least squares that leaves a weight at the prior if the data hardly need it.
var elastic = &Method{
	Name: "elastic", Doc: "leaves weights at the prior that the data hardly need", Losses: []LossKind{SquaredError},
	Learner: func(o *Options, p Problem) learn.Learner {
		return learn.ElasticNet{Options: p.Options, Mix: o.L1}
	},
	// With next to none there is nothing to leave out, and much to iterate.
	Grid:   []float64{1e-3, 1e-2, 0.03, 0.1, 0.3, 1},
	BySums: true,
}
