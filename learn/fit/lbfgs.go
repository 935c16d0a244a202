package fit

import "plyfit/learn"

// fitCache is the bytes of rows that LBFGS keeps in memory; the rest is reread from the samples'
// file.
const fitCache = 64 << 20

// LBFGS is the quasi-Newton method of limited memory, for many features.
var LBFGS = &Method{
	Name: "lbfgs", Doc: "many features", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true,
	Learner: func(o *Options, p Problem) learn.Learner {
		return learn.LBFGS{Options: p.Options, Loss: p.Loss, Steps: o.Steps, Cache: fitCache}
	},
	Grid: iterativeGrid,
}
