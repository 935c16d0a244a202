// Package learn fits the weights of linear models to samples. It knows numbers,
// never games.
//
// The journey of a fit:
//
//  1. [datasets.Samples] hands out rows, each a sparse vector, a label and the episode
//     it came from.
//  2. A [Learner] ([Ridge], [Newton], [ElasticNet], [LBFGS], or [LSTD] over
//     [Transitions]) reads them in one or more passes and keeps sums, never rows:
//     features squared for those that need curvature, a few numbers per feature for
//     the others. What it minimises stands in [plyfit/learn/loss].
//  3. Columns that cannot be told from others, or never vary, keep the weight of the
//     prior model and are named, and so are those that separate results, whose weights
//     have no finite estimate.
//  4. A last pass measures the weights: loss on training and on held-out episodes
//     beside that of a constant, of zero weights and of any hand-written [Baseline],
//     and standard errors by the jackknife of episodes.
//  5. The [Report] holds all that. [plyfit/learn/validate] chooses a penalty on folds
//     of episodes and asks whether the result deserves trust; [plyfit/learn/trees]
//     measures what linearity costs.
//
// Samples of one episode should stand together, as data sets keep them; standard
// errors of rows in another order cost memory for every episode. Learners add in an
// order that the rows alone decide, so equal data give equal bits: one after the other,
// or, in [Ridge] and [Newton], in a binary tree over blocks of rows, which several
// goroutines or other processes ([Kind]) sum.
package learn

import (
	"context"

	"plyfit/datasets"
	"plyfit/learn/internal/design"
	"plyfit/models"
)

// Learner fits the weights of m, in place, to data.
type Learner interface {
	Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error)
}

// ErrNoRows is returned where nothing is left to train on.
var ErrNoRows = design.ErrNoRows

// scanner is a pass over rows: [design.Scan], or [design.Rescan] of rows that were
// checked before.
type scanner = func(ctx context.Context, data datasets.Samples, m *models.Linear, sp *design.Split, visit func(s *datasets.Sample, held bool) error) error
