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
// that several goroutines sum.
package learn

import (
	"context"
	"fmt"
	"math"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/models"
)

// Learner fits the weights of m, in place, to data.
type Learner interface {
	Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error)
}

// ErrNoRows is returned where nothing is left to train on.
var ErrNoRows = design.ErrNoRows

// Options is common to all learners. The zero value holds nothing out and shrinks nothing.
type Options struct {
	// HeldOut reports whether an episode is excluded from training and only measures the result;
	// nil: none is. See [SplitEvery].
	HeldOut func(episode uint64) bool

	// Group numbers dependent episodes, such as games that merge: standard errors are clustered by
	// group, and a group falls into one fold. alone reports that the episode is the only one of
	// its group. HeldOut must not split a group. nil: each episode is a group.
	Group func(episode uint64) (id uint64, alone bool)
	// Groups is how many have several episodes; their memory decides how errors are computed.
	Groups int

	// Seen reports whether a position (datasets.Sample.Position) is in the training rows. Held-out
	// rows with such positions are measured separately and excluded from all other held-out losses
	// unless KeepSeen is set; see [Overlap]. nil: no position is.
	Seen     func(position uint64) bool
	KeepSeen bool

	// Penalty P >= 0 shrinks weight w of column j to its prior p. The objective is
	//
	//	mean loss + P * sum over j of v_j (w_j - p_j)^2
	//
	// where v_j is the variance of column j (about the bias, if the model has one), so that P does
	// not depend on a feature's units or the number of rows. The bias is free. 0 is no shrinking.
	Penalty float64

	// Unit is the scale of the link; 0: 1. The penalty is multiplied by its square, so that P does
	// not depend on the units of the weights either.
	Unit float64

	// Width is the standard deviation of a normal prior about a feature's prior weight, in units
	// of the weight; 0: unbounded. It adds to the penalty and needs losses in nats. Only [Newton]
	// uses it. nil: no weight has one.
	Width func(feature int32) float64
	// Repeated is how many rows count as one against Width, since rows of a game share its result.
	// 0: 1. See [DesignEffect].
	Repeated float64

	// Prior holds the weights shrunk to, also given to columns without data; nil: zeros. It must
	// have the blocks of the model.
	Prior *models.Linear

	// Frozen lists features (or models.Bias) that keep their weight in the model given to Learn: a
	// score that is part of the value.
	Frozen []int32

	// Baselines are measured on the same rows beside the fit.
	Baselines []Baseline

	// Workers are the goroutines of learners that add rows in blocks, [Ridge] and [Newton]. They
	// do not change the result. 0: one.
	Workers int

	// NoErrors leaves out standard errors, which cost features squared once more. Beyond 1,024
	// columns, and for models of tables alone, they are always left out.
	NoErrors bool

	// Distinct identifies a sample's position, to count distinct ones; nil: a hash of its features.
	Distinct func(s *datasets.Sample) uint64
}

// Baseline is an evaluation to compare with, such as the hand-written one. It must have the blocks
// of the fitted model, and the same scale, since the loss of the fit judges its sums.
type Baseline struct {
	Name  string
	Model *models.Linear
}

// SplitEvery holds out one episode in n, the same whatever else is in the data.
// It panics for n < 2.
func SplitEvery(n, seed uint64) func(episode uint64) bool {
	if n < 2 {
		panic(fmt.Sprintf("learn: SplitEvery(%d)", n))
	}
	return func(episode uint64) bool { return game.Mix(episode^game.Mix(seed))%n == 0 }
}

func (o *Options) Check(m *models.Linear) error {
	if !(o.Penalty >= 0) || math.IsInf(o.Penalty, 0) {
		return fmt.Errorf("learn: penalty %v, expected a number >= 0", o.Penalty)
	}
	if !(o.Unit >= 0) || math.IsInf(o.Unit, 0) {
		return fmt.Errorf("learn: unit %v, expected a number >= 0", o.Unit)
	}
	if o.Prior != nil && !sameShape(o.Prior, m) {
		return fmt.Errorf("learn: the prior model (%s) has other features than the model to fit (%s)", o.Prior.Features, m.Features)
	}
	for _, b := range o.Baselines {
		if !sameShape(b.Model, m) {
			return fmt.Errorf("learn: baseline %s (%s) has other features than the model to fit (%s)", b.Name, b.Model.Features, m.Features)
		}
	}
	for _, f := range o.Frozen {
		if f != models.Bias && (f < 0 || int(f) >= m.Len()) {
			return fmt.Errorf("learn: frozen feature %d, expected less than %d", f, m.Len())
		}
	}
	return nil
}

// penalty is Penalty for weights as they are reported.
func (o *Options) penalty() float64 {
	if o.Unit == 0 {
		return o.Penalty
	}
	return o.Penalty * (o.Unit * o.Unit)
}

// split is the part of the options that says where rows count.
func (o *Options) split() *design.Split {
	return &design.Split{HeldOut: o.HeldOut, Group: o.Group, Seen: o.Seen, KeepSeen: o.KeepSeen}
}

func (o *Options) prior(i int32) float64 {
	if o.Prior == nil {
		return 0
	}
	return o.Prior.Weight(i)
}

func sameShape(a, b *models.Linear) bool {
	return len(a.Weights) == len(b.Weights) && len(a.Table) == len(b.Table) && models.SameFeatures(a.Fingerprint, b.Fingerprint)
}
