package fit

import "plyfit/learn"

// manyFeatures is where Logistic switches from Newton's method, with features squared, to LBFGS.
const manyFeatures = 1500

// iterativeGrid begins above 0, at which separable results have no fit.
var iterativeGrid = []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1}

// LogisticRegression is logistic regression, by Newton, or by LBFGS where features are many.
var LogisticRegression = &Method{
	Name: "logistic", Doc: "the probability of winning, draws as halves", Losses: []LossKind{CrossEntropy}, Linked: true,
	Choose: func(features int) *Method {
		if features > manyFeatures {
			return LBFGS
		}
		return Newton
	},
}

// Newton is Newton's method on any smooth loss.
var Newton = &Method{
	Name: "newton", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true,
	Learner: func(o *Options, p Problem) learn.Learner {
		return learn.Newton{Options: p.Options, Loss: p.Loss, Steps: o.Steps}
	},
	Grid: iterativeGrid,
}
