package fit

import "plyfit/learn"

// LBFGS is the quasi-Newton method of limited memory, for many features.
var LBFGS = &Method{
	Name: "lbfgs", Doc: "many features", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true,
	Learner: func(o *Options, p Problem) learn.Learner {
		return learn.LBFGS{Options: p.Options, Loss: p.Loss, Steps: o.Steps}
	},
	Grid: iterativeGrid,
}
