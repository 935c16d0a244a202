package trees

import (
	"context"
	"errors"

	"plyfit/datasets"
	"plyfit/learn"
	"plyfit/models"
)

// Compare is not part of a build for browsers.
func (f Forest) Compare(context.Context, *models.Linear, datasets.Samples, learn.Options) (Comparison, error) {
	return Comparison{}, errors.New("no regression trees in a browser: want plyfit fit")
}
