// Package learn fits the weights of linear models to samples. It does not depend on games.
//
// A fit takes the following steps:
//
//  1. [datasets.Samples] provides rows, each with a sparse vector, a label and an episode.
//  2. A [Learner] ([Ridge], [Newton], [ElasticNet] or [LBFGS]), or [LSTD] for [Transitions], reads
//     the rows in one or more passes. It computes sums: a matrix over all pairs of features if it
//     needs the curvature, otherwise a few numbers per feature. [plyfit/learn/loss] defines the
//     losses.
//  3. The report lists columns whose weights the data do not determine, such as columns that never
//     vary and therefore keep the weight of the prior model. It also lists columns that separate
//     results, whose weights have no finite estimate.
//  4. A last pass measures the weights. It computes the losses on training and held-out episodes
//     and compares them with a constant, zero weights and any hand-written [Baseline]. Most
//     learners also compute standard errors, usually by the jackknife over episodes.
//  5. The [Report] contains the result. [plyfit/learn/validate] chooses a penalty on folds of
//     episodes and tests the result. [plyfit/learn/trees] measures the cost of linearity.
//
// The samples of an episode should be adjacent, as in data sets. In any other order, standard
// errors require memory for every episode. The order of addition depends only on the rows, so equal
// data give bit-identical results. Most learners add rows sequentially. [Ridge] and [Newton] sum
// blocks of rows in several goroutines and add these sums in a binary tree.
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

// A Learner fits the weights of m, in place, to data.
type Learner interface {
	Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error)
}

// ErrNoRows is returned if there are no rows to train on.
var ErrNoRows = design.ErrNoRows

// Options contains the options common to all learners. The zero value holds out no rows and does
// not shrink weights.
type Options struct {
	// HeldOut reports whether an episode is excluded from training and used only to measure the
	// result. If HeldOut is nil, no episode is held out. See [SplitEvery].
	HeldOut func(episode uint64) bool

	// Group returns the group of an episode. Episodes that depend on each other, such as games that
	// merge, belong to the same group. Standard errors are clustered by group, and a group is never
	// divided among folds. The second result reports whether the group contains no other episode.
	// HeldOut must not split a group. If Group is nil, each episode is a separate group.
	Group func(episode uint64) (id uint64, alone bool)
	// Groups is the number of groups with several episodes. The memory that these groups require
	// affects how standard errors are computed.
	Groups int

	// Seen reports whether a position (datasets.Sample.Position) occurs in the training rows.
	// Held-out rows with such positions are measured separately. Other held-out losses exclude them
	// unless KeepSeen is set or too few games have unseen positions. See [Overlap]. If Seen is nil,
	// no position counts as seen.
	Seen     func(position uint64) bool
	KeepSeen bool

	// Penalty P >= 0 shrinks the weight w_j of column j to its prior p_j. The objective is
	//
	//	mean loss + P * sum over j of v_j (w_j - p_j)^2
	//
	// where v_j is the variance of column j (about the bias, if the model has one). The effect of P
	// therefore does not depend on a feature's units or on the number of rows. The bias is not
	// penalised. If P is 0, weights are not shrunk.
	Penalty float64

	// Unit is the scale of the link; 0 means 1. [Newton] and [LBFGS] multiply the penalty by its
	// square, so that the effect of P does not depend on the units of the weights either.
	Unit float64

	// Width returns the standard deviation of a normal prior centred at a feature's prior weight,
	// in units of the weight. 0 means that the feature has no such prior. The normal prior applies
	// in addition to the penalty. It requires losses in nats, and only [Newton] uses it. If Width
	// is nil, no weight has such a prior.
	Width func(feature int32) float64
	// Repeated is the number of rows that count as one row relative to Width, because rows of the
	// same game share its result. 0 means 1. See [DesignEffect].
	Repeated float64

	// Prior contains the weights towards which the penalty shrinks the fit. Columns without data
	// keep these weights. Prior must have the same blocks as the model. If it is nil, the weights
	// are zero.
	Prior *models.Linear

	// Frozen lists features (or models.Bias) that keep the weight they have in the model passed to
	// Learn, for example a score that is part of the value.
	Frozen []int32

	// Baselines are measured on the same rows as the fit.
	Baselines []Baseline

	// Workers is the number of goroutines for learners that sum rows in blocks, [Ridge] and
	// [Newton]. It does not change the result. 0 means one.
	Workers int

	// NoErrors disables standard errors, which require another matrix over all pairs of features.
	// Standard errors are always disabled for more than 1,024 columns and for models that consist
	// of tables.
	NoErrors bool

	// Distinct returns a number that identifies a sample's position, so that distinct positions can
	// be counted. If Distinct is nil, a hash of the features is used.
	Distinct func(s *datasets.Sample) uint64
}

// A Baseline is an evaluation with which the fit is compared, such as a hand-written one. It must
// have the same blocks and the same scale as the fitted model, because the fit's loss is applied to
// its sums.
type Baseline struct {
	Name  string
	Model *models.Linear
}

// SplitEvery returns a function that holds out about one episode in n. The choice depends only on
// n, the seed and the episode's number. It panics if n < 2.
func SplitEvery(n, seed uint64) func(episode uint64) bool {
	if n < 2 {
		panic(fmt.Sprintf("learn: SplitEvery(%d)", n))
	}
	return func(episode uint64) bool { return game.Mix(episode^game.Mix(seed))%n == 0 }
}

func (o *Options) Check(m *models.Linear) error {
	if !(o.Penalty >= 0) || math.IsInf(o.Penalty, 0) {
		return fmt.Errorf("learn: penalty %v: want a number of at least 0", o.Penalty)
	}
	if !(o.Unit >= 0) || math.IsInf(o.Unit, 0) {
		return fmt.Errorf("learn: unit %v: want a number of at least 0", o.Unit)
	}
	if o.Prior != nil && !sameShape(o.Prior, m) {
		return fmt.Errorf("learn: the prior model (%s) has different features from the model to fit (%s)", o.Prior.Features, m.Features)
	}
	for _, b := range o.Baselines {
		if !sameShape(b.Model, m) {
			return fmt.Errorf("learn: baseline %s (%s) has different features from the model to fit (%s)", b.Name, b.Model.Features, m.Features)
		}
	}
	for _, f := range o.Frozen {
		if f != models.Bias && (f < 0 || int(f) >= m.Len()) {
			return fmt.Errorf("learn: frozen feature %d; want less than %d", f, m.Len())
		}
	}
	return nil
}

// penalty returns Penalty converted to the units in which the weights are reported.
func (o *Options) penalty() float64 {
	if o.Unit == 0 {
		return o.Penalty
	}
	return o.Penalty * (o.Unit * o.Unit)
}

// split returns the options that divide the rows into parts.
func (o *Options) split() *design.Split {
	return &design.Split{HeldOut: o.HeldOut, Group: o.Group, Seen: o.Seen, KeepSeen: o.KeepSeen}
}

func sameShape(a, b *models.Linear) bool {
	return len(a.Weights) == len(b.Weights) && len(a.Table) == len(b.Table) && models.SameFeatures(a.Fingerprint, b.Fingerprint)
}
