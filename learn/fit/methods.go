package fit

import (
	"fmt"
	"slices"

	"plyfit/internal/text"
	"plyfit/learn"
	"plyfit/learn/loss"
)

// Methods lists the available fitting methods. To add one, define a [Method] and append it here.
// The command's help and error messages are derived from the method's fields.
var Methods = []*Method{Ridge, elastic, LogisticRegression, Newton, LBFGS, lstd}

// A Method is a way of fitting weights to samples.
type Method struct {
	Name string // name in recipes, models and the command
	Doc  string // short description for the command's help; empty if the name is enough

	// Losses lists the losses that the method can minimise. The first is the default if utilities
	// are bounded. Otherwise, squared error is the default.
	Losses []LossKind
	// Linked is set if a link is applied to the weighted sum. Otherwise, the sum itself is fitted.
	Linked bool

	// Learner returns the learner. Exactly one of Learner, Episodes and Choose is set.
	Learner func(o *Options, criterion loss.Function, p learn.Options) learn.Learner
	// Episodes returns the learner of a method that learns from consecutive positions.
	Episodes func(o *Options, p learn.Options) learn.LSTD
	// Choose returns the method to use for the given number of features.
	Choose func(features int) *Method

	// Grid lists the penalties that cross-validation tries. If it is nil, the default of
	// [plyfit/learn/validate.Folds] is used.
	Grid []float64
	// BySums is set if all folds of a cross-validation can be computed from sums of squares
	// gathered in one pass, without refitting.
	BySums bool
}

// Ridge is a least-squares fit to the label, solved by the normal equations.
var Ridge = &Method{
	Name: "ridge", Doc: "least squares", Losses: []LossKind{SquaredError}, BySums: true,
	Learner: func(_ *Options, _ loss.Function, p learn.Options) learn.Learner { return learn.Ridge{Options: p} },
}

// elastic is a least-squares fit with an elastic net penalty, which keeps a weight at the prior if
// the data hardly support a change.
var elastic = &Method{
	Name: "elastic", Doc: "ridge that leaves weights at the prior if the data give little information about them", Losses: []LossKind{SquaredError}, BySums: true,
	Learner: func(o *Options, _ loss.Function, p learn.Options) learn.Learner {
		return learn.ElasticNet{Options: p, Mix: o.L1}
	},
	// With very small penalties, no weight stays at the prior and many iterations are needed.
	Grid: []float64{1e-3, 1e-2, 0.03, 0.1, 0.3, 1},
}

// manyFeatures is the number of features above which LogisticRegression uses LBFGS. The cost of
// Newton's method grows with the square of this number.
const manyFeatures = 1500

// LogisticRegression is logistic regression by Newton's method, or by LBFGS if there are more than
// manyFeatures features.
var LogisticRegression = &Method{
	Name: "logistic", Doc: "probability of a win; a draw counts as half a win", Losses: []LossKind{CrossEntropy}, Linked: true,
	Choose: func(features int) *Method {
		if features > manyFeatures {
			return LBFGS
		}
		return Newton
	},
}

// iterativeGrid starts above 0, because if the features separate the results perfectly, there is no
// fit without a penalty.
var iterativeGrid = []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1}

// Newton is Newton's method for any smooth loss.
var Newton = &Method{
	Name: "newton", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true, Grid: iterativeGrid,
	Learner: func(o *Options, criterion loss.Function, p learn.Options) learn.Learner {
		return learn.Newton{Options: p, Loss: criterion, Steps: o.Steps}
	},
}

// LBFGS is the limited-memory quasi-Newton method, for many features.
var LBFGS = &Method{
	Name: "lbfgs", Doc: "many features", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true, Grid: iterativeGrid,
	Learner: func(o *Options, criterion loss.Function, p learn.Options) learn.Learner {
		return learn.LBFGS{Options: p, Loss: criterion, Steps: o.Steps}
	},
}

// lstd is least-squares temporal-difference learning over the episodes.
var lstd = &Method{
	Name: "lstd", Doc: "values later in the episode", Losses: []LossKind{SquaredError},
	Episodes: func(o *Options, p learn.Options) learn.LSTD { return learn.LSTD{Options: p, Lambda: o.Lambda} },
}

// LossKind is the name of a loss.
type LossKind string

// Losses that a fit can minimise.
const (
	CrossEntropy LossKind = "logistic" // cross-entropy of the expected score; a draw counts as half a win
	SquaredError LossKind = "squared"  // squared difference from the label, after the link
)

// String returns the name of the method.
func (m *Method) String() string { return m.Name }

// minimises reports whether the method can minimise the loss l.
func (m *Method) minimises(l LossKind) bool { return slices.Contains(m.Losses, l) }

// solver returns the method to use for the given number of features.
func (m *Method) solver(features int) *Method {
	if m.Choose != nil {
		return m.Choose(features)
	}
	return m
}

// MethodNamed returns the method with the given name. For "", it returns nil, which selects the
// game's default.
func MethodNamed(name string) (*Method, error) {
	if name == "" {
		return nil, nil
	}
	for _, m := range Methods {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("method %q: want %s", name, alternatives(func(*Method) bool { return true }))
}

func alternatives(keep func(m *Method) bool) string {
	var names []string
	for _, m := range Methods {
		if keep(m) {
			names = append(names, m.Name)
		}
	}
	return text.Or(names)
}
