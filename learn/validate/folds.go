// Package validate asks whether a fit deserves trust: which penalty does best on
// folds of episodes ([CrossValidate]), whether predictions are right on average
// ([Calibrate], [Residuals]), whether more episodes would help ([LearningCurve]),
// which features matter ([Importance]), and how well evaluations that stay as they are
// predict rows, beside one another and by stage of the game ([Examine]).
package validate

import (
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

// CrossValidation is how penalties did on folds of episodes that were not
// trained on. Losses leave out the rows of a fold whose position stands in
// another fold as well ([Folds].Shared), where that leaves enough.
type CrossValidation struct {
	Trials []Trial `json:"trials"`
	Best   float64 `json:"best"` // the penalty of least loss
	// OneError is the largest penalty whose loss is within one standard error of
	// the best: hardly worse, and steadier.
	OneError float64 `json:"one_error"`
	// Spreads tells how much every weight moves from fold to fold at Best.
	Spreads []Spread `json:"spreads"`

	best int // the trial
}

// Trial is one penalty, its loss the mean over folds.
type Trial struct {
	Penalty float64 `json:"penalty"`
	Loss    float64 `json:"loss"`
	Error   float64 `json:"error"` // standard error over folds
}

// Spread is a weight over the fits that each leave one fold out.
type Spread struct {
	Name  string  `json:"name"`
	Index int32   `json:"index"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	// Error is the jackknife's standard error, sqrt((k-1)/k sum (w_i - mean)^2)
	// (Efron and Stein 1981), by blocks of episodes.
	Error float64 `json:"error"`
	Signs bool    `json:"signs_agree"` // whether all fits agree on the sign
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

// enough is the least share of a fold's rows that must be its own for their loss
// to stand for the fold.
const enough = 0.05

// Fold is the fold of an episode, or of a group of them ([Options].Group).
func (f Folds) Fold(episode uint64) int {
	return int(game.Mix(episode^game.Mix(f.Seed^0x5bf0)) % uint64(f.count()))
}

func (f Folds) count() int {
	if f.Count == 0 {
		return 5
	}
	return f.Count
}

func (f Folds) penalties() []float64 {
	if f.Penalties == nil {
		return []float64{0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1}
	}
	return f.Penalties
}

// CrossValidate tries the penalties with least squares, or an elastic net, on
// the training rows of o, whose Penalty is not looked at. Sums are kept apart by
// fold, so that all penalties together cost one pass. The model's features, frozen weights and prior are those a fit
// would use; m is not changed.
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
	weights := make([][][]float64, len(penalties))
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
			weights[p] = append(weights[p], w)
			losses[p] = append(losses[p], tested[i].Loss(w))
		}
	}
	cv.choose(penalties, losses)
	prior := d.Priors(o.Prior)
	for c, feature := range d.Feature {
		var values []float64
		for _, w := range weights[cv.best] {
			values = append(values, w[c]+prior[c])
		}
		cv.Spreads = append(cv.Spreads, spreadOf(m.Name(feature), feature, values))
	}
	return cv, nil
}

// CrossValidateFits tries the penalties with any learner, by fitting anew for
// every penalty and fold: fit makes the learner for options in which Penalty,
// HeldOut and NoErrors are set. Spreads are those of features outside of tables.
func CrossValidateFits(ctx context.Context, m *models.Linear, data datasets.Samples, o learn.Options, f Folds, fit func(o learn.Options) learn.Learner) (CrossValidation, error) {
	var cv CrossValidation
	k := f.count()
	if k < 2 {
		return cv, fmt.Errorf("learn: %d folds, expected at least 2", k)
	}
	sp := splitOf(&o)
	train := learn.Filter{Data: data, Keep: func(s *datasets.Sample) bool { return !sp.Held(s.Episode) }}
	penalties := f.penalties()
	losses := make([][]float64, len(penalties))
	fitted := make([][]*models.Linear, len(penalties))
	for p, penalty := range penalties {
		for i := range k {
			fold := o
			fold.Penalty, fold.NoErrors, fold.Baselines = penalty, true, nil
			fold.HeldOut = func(e uint64) bool { id, _ := sp.GroupOf(e); return f.Fold(id) == i }
			fold.Seen, fold.KeepSeen = f.Shared, false
			c := m.Clone()
			r, err := fit(fold).Learn(ctx, c, train)
			if err != nil {
				return cv, err
			}
			if r.HeldOutRows == 0 {
				return cv, fmt.Errorf("learn: fold %d of %d is empty: too few episodes", i+1, k)
			}
			losses[p] = append(losses[p], r.HeldOutLoss)
			fitted[p] = append(fitted[p], c)
		}
		if p > 0 && numeric.Mean(losses[p]) < numeric.Mean(losses[cv.best]) {
			fitted[cv.best], cv.best = nil, p
		} else if p > 0 {
			fitted[p] = nil
		}
	}
	cv.choose(penalties, losses)
	for i := models.Bias; i < int32(len(m.Weights)); i++ {
		var values []float64
		for _, c := range fitted[cv.best] {
			values = append(values, c.Weight(i))
		}
		cv.Spreads = append(cv.Spreads, spreadOf(m.Name(i), i, values))
	}
	return cv, nil
}

// testedOn are the sums of what each of k folds is judged on, and completes the
// folds themselves: all[i] is fold i without the rows whose position other folds
// have, too, which follow at k+i.
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

// choose fills in trials and what follows from them.
func (cv *CrossValidation) choose(penalties []float64, losses [][]float64) {
	cv.best = 0
	for p, penalty := range penalties {
		m, sd := numeric.MeanAndDeviation(losses[p])
		cv.Trials = append(cv.Trials, Trial{penalty, m, sd / math.Sqrt(float64(len(losses[p])))})
		if m < cv.Trials[cv.best].Loss {
			cv.best = p
		}
	}
	best := cv.Trials[cv.best]
	cv.Best, cv.OneError = best.Penalty, best.Penalty
	for _, t := range cv.Trials {
		if t.Loss <= best.Loss+best.Error && t.Penalty > cv.OneError {
			cv.OneError = t.Penalty
		}
	}
}

func spreadOf(name string, index int32, values []float64) Spread {
	k := float64(len(values))
	s := Spread{Name: name, Index: index, Min: slices.Min(values), Max: slices.Max(values)}
	m, sd := numeric.MeanAndDeviation(values)
	s.Mean, s.Error = m, sd*(k-1)/math.Sqrt(k)
	s.Signs = s.Min > 0 || s.Max < 0 || s.Min == 0 && s.Max == 0
	return s
}

// Drop is what held-out episodes lose when a feature stays at its prior and all
// others are fitted anew.
type Drop struct {
	Name  string `json:"name"`
	Index int32  `json:"index"`
	// Rise of the held-out mean squared error; negative where the fit does
	// better without.
	Rise float64 `json:"rise"`
	// Share is Rise as a share of the fit's held-out loss.
	Share float64 `json:"share"`
}

// Importance tells which features matter: for every one, how much the held-out
// loss of least squares rises without it. One pass; refits come from the inverse
// (w without j is w - A^-1_j w_j / A^-1_jj). It needs o.HeldOut.
func Importance(ctx context.Context, m *models.Linear, data datasets.Samples, o learn.Options) ([]Drop, error) {
	if o.HeldOut == nil {
		panic("learn: Importance without held-out episodes")
	}
	if err := o.Check(m); err != nil {
		return nil, err
	}
	d, err := design.New(m, o.Frozen, 2048)
	if err != nil {
		return nil, err
	}
	held := o.HeldOut
	sp := splitOf(&o)
	parts, err := design.Gather(ctx, data, d, &design.Split{}, o.Prior, design.Parts, func(s *datasets.Sample) int {
		return sp.Side(held(s.Episode), s.Position)
	}, design.NewTally(d.Width()))
	if err != nil {
		return nil, err
	}
	train, test := parts[design.Training], parts[design.Unseen]
	if all := test.Rows + parts[design.Seen].Rows; o.KeepSeen || float64(test.Rows) < enough*float64(all) {
		test = design.Without(parts, design.Training)
	}
	if train.Rows == 0 || test.Rows == 0 {
		return nil, fmt.Errorf("learn: %d training and %d held-out rows, expected some of both", train.Rows, test.Rows)
	}
	factor, weights := train.Ridge(d, o.Penalty)
	full := test.Loss(weights)
	inverse := factor.Inverse()
	k := len(factor.Kept)
	drops := make([]Drop, 0, d.Width())
	at := map[int]int{}
	for i, c := range factor.Kept {
		at[c] = i
	}
	for c, feature := range d.Feature {
		drop := Drop{Name: m.Name(feature), Index: feature}
		if i, ok := at[c]; ok {
			w := append([]float64(nil), weights...)
			for e, ce := range factor.Kept {
				w[ce] -= inverse[e*k+i] * weights[c] / inverse[i*k+i]
			}
			drop.Rise = test.Loss(w) - full
			if full > 0 {
				drop.Share = drop.Rise / full
			}
		}
		drops = append(drops, drop)
	}
	return drops, nil
}

// splitOf is the part of the options that says where rows count.
func splitOf(o *learn.Options) *design.Split {
	return &design.Split{HeldOut: o.HeldOut, Group: o.Group, Seen: o.Seen, KeepSeen: o.KeepSeen}
}
