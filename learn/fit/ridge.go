package fit

import "plyfit/learn"

// Ridge is least squares on the label, by normal equations.
var Ridge = &Method{
	Name: "ridge", Doc: "least squares", Losses: []LossKind{SquaredError},
	Learner: func(_ *Options, p Problem) learn.Learner { return learn.Ridge{Options: p.Options} },
	BySums:  true,
}
