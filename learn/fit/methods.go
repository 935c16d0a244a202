package fit

import (
	"fmt"
	"slices"

	"plyfit/internal/text"
	"plyfit/learn"
	"plyfit/learn/loss"
)

// Methods are plyfit's ways of fitting. A new one is a [Method] and an item here; the command's help
// and errors follow from its fields.
var Methods = []*Method{Ridge, elastic, LogisticRegression, Newton, LBFGS, lstd}

// Method is a way of fitting weights to samples.
type Method struct {
	Name string // as recipes, models and the command write it
	Doc  string // a few words for the command's help; "": the name says it

	// Losses are what it can minimise: the first is the default for bounded utilities, squares
	// otherwise.
	Losses []LossKind
	// Linked says that sums go through a link; else the sum itself is fitted.
	Linked bool

	// Learner makes what fits. One of Learner, Episodes and Choose is set.
	Learner func(o *Options, criterion loss.Function, p learn.Options) learn.Learner
	// Episodes is Learner for methods that learn from what followed in an episode.
	Episodes func(o *Options, p learn.Options) learn.LSTD
	// Choose is the method that this one is for so many features.
	Choose func(features int) *Method

	// Grid is the penalties tried in a search; nil: those of [plyfit/learn/validate.Folds].
	Grid []float64
	// BySums means that one pass of sums of squares yields a cross-validation's folds, without
	// refitting.
	BySums bool
}

// Ridge is least squares on the label, by normal equations.
var Ridge = &Method{
	Name: "ridge", Doc: "least squares", Losses: []LossKind{SquaredError}, BySums: true,
	Learner: func(_ *Options, _ loss.Function, p learn.Options) learn.Learner { return learn.Ridge{Options: p} },
}

// elastic is least squares that leaves a weight at the prior if the data hardly need it.
var elastic = &Method{
	Name: "elastic", Doc: "leaves weights at the prior that the data hardly need", Losses: []LossKind{SquaredError}, BySums: true,
	Learner: func(o *Options, _ loss.Function, p learn.Options) learn.Learner {
		return learn.ElasticNet{Options: p, Mix: o.L1}
	},
	// With next to none there is nothing to leave out, and much to iterate.
	Grid: []float64{1e-3, 1e-2, 0.03, 0.1, 0.3, 1},
}

// manyFeatures is where Logistic switches from Newton's method, with features squared, to LBFGS.
const manyFeatures = 1500

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

// iterativeGrid begins above 0, at which separable results have no fit.
var iterativeGrid = []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1}

// Newton is Newton's method on any smooth loss.
var Newton = &Method{
	Name: "newton", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true, Grid: iterativeGrid,
	Learner: func(o *Options, criterion loss.Function, p learn.Options) learn.Learner {
		return learn.Newton{Options: p, Loss: criterion, Steps: o.Steps}
	},
}

// LBFGS is the quasi-Newton method of limited memory, for many features.
var LBFGS = &Method{
	Name: "lbfgs", Doc: "many features", Losses: []LossKind{CrossEntropy, SquaredError}, Linked: true, Grid: iterativeGrid,
	Learner: func(o *Options, criterion loss.Function, p learn.Options) learn.Learner {
		return learn.LBFGS{Options: p, Loss: criterion, Steps: o.Steps}
	},
}

// lstd is least-squares temporal differences over the episodes.
var lstd = &Method{
	Name: "lstd", Doc: "what followed in the episode", Losses: []LossKind{SquaredError},
	Episodes: func(o *Options, p learn.Options) learn.LSTD { return learn.LSTD{Options: p, Lambda: o.Lambda} },
}

// LossKind names a loss.
type LossKind string

// Losses of fits.
const (
	CrossEntropy LossKind = "logistic" // of the expected share of the point, draws as halves
	SquaredError LossKind = "squared"  // from the label, after the link
)

// String is the method's name.
func (m *Method) String() string { return m.Name }

// minimises reports whether the method can minimise a loss.
func (m *Method) minimises(l LossKind) bool { return slices.Contains(m.Losses, l) }

// solver is the method that a fit of so many features is made by.
func (m *Method) solver(features int) *Method {
	if m.Choose != nil {
		return m.Choose(features)
	}
	return m
}

// MethodNamed is the method of that name; "" is nil, the game's own choice.
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

func alternatives(meant func(m *Method) bool) string {
	var names []string
	for _, m := range Methods {
		if meant(m) {
			names = append(names, m.Name)
		}
	}
	return text.Or(names)
}
