package fit

import "plyfit/learn"

// AdaGrad takes two passes over the rows, for millions of features.
var AdaGrad = &Method{
	Name: "adagrad", Doc: "millions, two passes", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true,
	Learner: func(o *Options, p Problem) learn.Learner {
		return learn.AdaGrad{Options: p.Options, Loss: p.Loss, Rate: o.Rate, Epochs: o.Steps, Patience: o.Patience}
	},
	Grid: iterativeGrid,
}
