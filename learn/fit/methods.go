package fit

import (
	"context"
	"fmt"
	"slices"

	"plyfit/internal/settings"
	"plyfit/internal/text"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Methods are plyfit's ways of fitting. A new one is a file with a [Method] and an item here; the
// command's help and errors follow from its fields.
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
	Learner func(o *Options, p Problem) learn.Learner
	// Episodes is Learner for methods that learn from what followed in an episode.
	Episodes func(o *Options, p Problem) EpisodeLearner
	// Choose is the method that this one is for so many features.
	Choose func(features int) *Method

	// Grid is the penalties tried in a search; nil: those of [plyfit/learn/validate.Folds].
	Grid []float64
	// BySums means that one pass of sums of squares yields a cross-validation's folds, without
	// refitting.
	BySums bool
}

// Problem is what a method is made for.
type Problem struct {
	Loss     loss.Function
	Features int
	Options  learn.Options
}

// EpisodeLearner is a learner whose samples are episodes.
type EpisodeLearner interface {
	Learn(ctx context.Context, m *models.Linear, data learn.Transitions) (learn.Report, error)
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

// reads reports whether the method reads a setting of [Options].
func (m *Method) reads(name string) bool {
	return slices.ContainsFunc(settings.Of(new(Options)), func(s settings.Setting) bool { return s.Name == name && s.ReadBy(m.Name) })
}

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
