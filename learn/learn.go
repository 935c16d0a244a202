// Package learn fits the weights of linear models to samples. It knows numbers,
// never games.
package learn

import (
	"context"

	"plyfit/datasets"
	"plyfit/models"
)

// Loss compares a prediction with a label.
type Loss interface {
	// Loss is the loss of predicting pred (before the link) where y was right,
	// with its first and second derivative by pred.
	Loss(pred, y float64) (loss, grad, hess float64)
}

// Learner fits the weights of m, in place, to data.
type Learner interface {
	Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error)
}
