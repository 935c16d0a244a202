// Package validate asks whether a fit deserves trust: which penalty does best on
// folds of episodes ([CrossValidate]), and how well evaluations that stay as they are
// predict rows: on average, beside one another and by stage of the game ([Examine]).
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

// CrossValidation is how penalties did on held-out folds of episodes. Losses leave out rows whose
// position is in another fold, too ([Folds].Shared), if that leaves enough.
type CrossValidation struct {
	Trials []Trial `json:"trials"`
	Best   float64 `json:"best"` // the penalty of least loss
}

// Trial is one penalty, its loss the mean over folds.
type Trial struct {
	Penalty float64 `json:"penalty"`
	Loss    float64 `json:"loss"`
	Error   float64 `json:"error"` // standard error over folds
}

// Folds is how training episodes are divided, and what is tried on them.
type Folds struct {
	Count     int       // of folds; 0: 5
	Seed      uint64    // scrambles which episode falls into which fold
	Penalties []float64 // 0 first is good; nil: 0 and 1e-6 to 1 by powers of ten
	Mix       float64   // > 0 for an [ElasticNet]'s
	// Shared tells which positions stand in more than one fold; nil: none.
	Shared func(position uint64) bool
}

// enough is the least share of a fold's rows that must be its own for their loss to count.
const enough = 0.05

// Fold is the fold of an episode, or of a group of them ([Options].Group).
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

// CrossValidate tries the penalties with least squares, or an elastic net, on the training rows of o.
// Sums are kept by fold, so that all penalties cost one pass. Features, frozen weights and prior are
// those of a fit; m is not changed.
func CrossValidate(ctx context.Context, m *models.Linear, data datasets.Samples, o learn.Options, f Folds) (CrossValidation, error) {
	var cv CrossValidation
	k := f.count()
	if k < 2 {
		return cv, fmt.Errorf("learn: %d folds, expected at least 2", k)
	}
	if err := o.Check(m); err != nil {
		return cv, err
	}
	// Sums of a fold are features squared, so fewer features than a fit may have.
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

// CrossValidateFits tries the penalties with any learner, by fitting anew for every penalty and
// fold: fit makes the learner for options in which Penalty, HeldOut and NoErrors are set.
func CrossValidateFits(ctx context.Context, m *models.Linear, data datasets.Samples, o learn.Options, f Folds, fit func(o learn.Options) learn.Learner) (CrossValidation, error) {
	var cv CrossValidation
	k := f.count()
	if k < 2 {
		return cv, fmt.Errorf("learn: %d folds, expected at least 2", k)
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

// testedOn are the sums of what each of k folds is judged on, and completes the folds themselves:
// all[i] is fold i without the rows whose position other folds have, too, which follow at k+i.
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

// splitOf is the part of the options that says where rows count.
func splitOf(o *learn.Options) *design.Split {
	return &design.Split{HeldOut: o.HeldOut, Group: o.Group, Seen: o.Seen, KeepSeen: o.KeepSeen}
}
