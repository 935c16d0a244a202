// Package validate evaluates fits and predictions. [CrossValidate] chooses a penalty by its loss on
// folds of episodes. [Examine] measures the accuracy of fixed evaluations on rows: on average,
// compared with each other, and by stage of the game.
package validate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/models"
)

// CrossValidation contains the losses of several penalties on held-out folds of episodes. The
// losses exclude rows whose position also occurs in another fold ([Folds].Shared), if enough rows
// remain.
type CrossValidation struct {
	Trials []Trial `json:"trials"`
	Best   float64 `json:"best"` // penalty with the lowest loss
}

// A Trial is a penalty together with its mean loss over the folds.
type Trial struct {
	Penalty float64 `json:"penalty"`
	Loss    float64 `json:"loss"`
	Error   float64 `json:"error"` // standard error over folds
}

// Folds configures the division of training episodes into folds and the penalties to try.
type Folds struct {
	Count     int       // number of folds; 0 means 5
	Seed      uint64    // seed for assigning episodes to folds
	Penalties []float64 // penalties to try; nil means 0 and the powers of ten from 1e-6 to 1
	Mix       float64   // Mix of a [learn.ElasticNet], if positive
	// Shared reports whether a position occurs in more than one fold. If Shared is nil, no position
	// does.
	Shared func(position uint64) bool
}

// enough is the minimum fraction of a fold's rows that must not be shared. If every fold reaches
// it, only those rows are used.
const enough = 0.05

// Fold returns the fold of an episode, or of a group of episodes ([learn.Options].Group).
func (f Folds) Fold(episode uint64) int {
	return int(game.Mix(episode^game.Mix(f.Seed^0x5bf0)) % uint64(f.count()))
}

func (f Folds) count() int { return cmp.Or(f.Count, 5) }

func (f Folds) penalties() []float64 {
	if f.Penalties == nil {
		return []float64{0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1}
	}
	return f.Penalties
}

// CrossValidate tries the penalties with least squares, or with an elastic net, on the training
// rows selected by o. It keeps sums for each fold, so that a single pass suffices for all
// penalties. Features, frozen weights and prior are the same as in a fit. m is not modified.
func CrossValidate(ctx context.Context, m *models.Linear, data datasets.Samples, o learn.Options, f Folds) (CrossValidation, error) {
	var cv CrossValidation
	k := f.count()
	if k < 2 {
		return cv, fmt.Errorf("learn: %d folds; want at least 2", k)
	}
	if err := o.Check(m); err != nil {
		return cv, err
	}
	// There are sums for each fold, and their size grows with the square of the number of features,
	// so the limit is lower than for a fit.
	d, err := design.New(m, o.Frozen, 2048)
	if err != nil {
		return cv, err
	}
	penalties, sp := f.penalties(), splitOf(&o)
	fold := func(s *datasets.Sample) int {
		id, _ := sp.GroupOf(s.Episode)
		i := f.Fold(id)
		if f.Shared != nil && f.Shared(s.Position) {
			i += k
		}
		return i
	}
	parts := k
	if f.Shared != nil {
		parts = 2 * k
	}
	all, err := design.Gather(ctx, data, d, sp, o.Prior, parts, fold, design.NewTally(d.Width()))
	if err != nil {
		return cv, err
	}
	tested := testedOn(all, k)
	all = all[:k]
	for i, s := range all {
		if s.Rows == 0 {
			return cv, fmt.Errorf("learn: fold %d of %d is empty: too few episodes", i+1, k)
		}
	}
	losses := make([][]float64, len(penalties))
	for i := range k {
		train := design.Without(all, i)
		for p, penalty := range penalties {
			var w []float64
			if f.Mix > 0 {
				w, _ = train.Elastic(d, penalty, f.Mix)
			} else {
				_, w = train.Ridge(d, penalty)
			}
			losses[p] = append(losses[p], tested[i].Loss(w))
		}
	}
	cv.choose(penalties, losses)
	return cv, nil
}

// CrossValidateFits tries the penalties with any learner. It performs one fit for every penalty and
// fold. The function fit returns the learner for options in which Penalty, HeldOut and NoErrors are
// set.
func CrossValidateFits(ctx context.Context, m *models.Linear, data datasets.Samples, o learn.Options, f Folds, fit func(o learn.Options) learn.Learner) (CrossValidation, error) {
	var cv CrossValidation
	k := f.count()
	if k < 2 {
		return cv, fmt.Errorf("learn: %d folds; want at least 2", k)
	}
	sp := splitOf(&o)
	train := datasets.Keep(learn.Filter{Data: data, Keep: func(s *datasets.Sample) bool { return !sp.Held(s.Episode) }})
	defer train.Close()
	penalties := f.penalties()
	losses := make([][]float64, len(penalties))
	for p, penalty := range penalties {
		for i := range k {
			fold := o
			fold.Penalty, fold.NoErrors, fold.Baselines = penalty, true, nil
			fold.HeldOut = func(e uint64) bool { id, _ := sp.GroupOf(e); return f.Fold(id) == i }
			fold.Seen, fold.KeepSeen = f.Shared, false
			r, err := fit(fold).Learn(ctx, m.Clone(), train)
			if err != nil {
				return cv, err
			}
			if r.HeldOutRows == 0 {
				return cv, fmt.Errorf("learn: fold %d of %d is empty: too few episodes", i+1, k)
			}
			losses[p] = append(losses[p], r.HeldOutLoss)
		}
	}
	cv.choose(penalties, losses)
	return cv, nil
}

// testedOn returns the sums on which each of k folds is tested. It also completes the folds
// themselves: on entry, all[i] does not include the rows whose position occurs in other folds,
// which are in all[k+i].
func testedOn(all []*design.Sums, k int) []*design.Sums {
	tested := slices.Clone(all[:k])
	if len(all) == k {
		return tested
	}
	own := true
	for i := range k {
		own = own && float64(all[i].Rows) >= enough*float64(all[i].Rows+all[k+i].Rows) && all[i].Rows > 0
	}
	for i := range k {
		whole := design.Without([]*design.Sums{all[i], all[k+i]}, -1)
		if all[i] = whole; !own {
			tested[i] = whole
		}
	}
	return tested
}

func (cv *CrossValidation) choose(penalties []float64, losses [][]float64) {
	best := math.Inf(1)
	for p, penalty := range penalties {
		m, sd := numeric.MeanAndDeviation(losses[p])
		cv.Trials = append(cv.Trials, Trial{penalty, m, sd / math.Sqrt(float64(len(losses[p])))})
		if p == 0 || m < best {
			cv.Best, best = penalty, m
		}
	}
}

// splitOf returns the part of the options that selects the rows.
func splitOf(o *learn.Options) *design.Split {
	return &design.Split{HeldOut: o.HeldOut, Group: o.Group, Seen: o.Seen, KeepSeen: o.KeepSeen}
}
