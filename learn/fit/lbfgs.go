package fit

import "plyfit/learn"

// fitCache is how many bytes of rows LBFGS keeps in memory; more come back from
// the file that the samples are kept in.
const fitCache = 64 << 20

// LBFGS is the quasi-Newton method of limited memory, for many features.
var LBFGS = &Method{
	Name: "lbfgs", Doc: "many features", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true,
	Learner: func(o *Options, p Problem) learn.Learner {
		return learn.LBFGS{Options: p.Options, Loss: p.Loss, Steps: o.Steps, Cache: fitCache}
	},
	Grid: iterativeGrid,
}
