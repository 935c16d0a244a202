// Package learn fits the weights of linear models to samples. It knows numbers, never games.
//
// The steps of a fit:
//
//  1. [datasets.Samples] hands out rows: a sparse vector, a label and its episode.
//  2. A [Learner] ([Ridge], [Newton], [ElasticNet], [LBFGS], or [LSTD] over [Transitions]) reads
//     them in one or more passes and keeps sums, never rows: features squared where it needs
//     curvature, otherwise a few numbers per feature. [plyfit/learn/loss] defines the losses.
//  3. Columns that are collinear or never vary keep the weight of the prior model and are named,
//     as are those that separate results, whose weights have no finite estimate.
//  4. A last pass measures the weights: loss on training and held-out episodes next to a
//     constant, zero weights and any hand-written [Baseline], and standard errors by the
//     jackknife of episodes.
//  5. The [Report] holds the result. [plyfit/learn/validate] chooses a penalty on folds of
//     episodes and tests the result; [plyfit/learn/trees] measures what linearity costs.
//
// Samples of one episode should be adjacent, as in data sets; standard errors of rows in another
// order cost memory for every episode. The rows alone decide the order of addition, so equal data
// give equal bits: sequentially, or, in [Ridge] and [Newton], in a binary tree over blocks of rows
// that several goroutines or other processes ([Kind]) sum.
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
