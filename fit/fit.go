// Package fit learns from data: it fits the weights of a model to a data set of
// self-play or to a table of samples, and looks at the result. It is the twin of
// plyfit/train, which learns while playing.
//
// The journey of a fit:
//
//  1. [Options] say what is learned and how; [Options.Complete] fills in what suits the
//     game.
//  2. [Run] groups episodes that are evidence of one another and holds some out.
//  3. Positions become samples: each with its [Label], by way of its [Leaf] and its
//     [RowWeights].
//  4. One of the [Methods] fits them.
//  5. The [Result] has the model, its report, and on request a [Diagnosis]. [Describe]
//     and [Page] show it.
package fit

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sort"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/selfplay"
)

// Options says how weights are fitted to a data set. The zero value of every
// field is a default that suits the game.
type Options struct {
	Set    string          // feature set; "": the game's default
	Method *Method         // nil: Logistic where utilities span at most 2, else Ridge
	Loss   LossKind        // "": the method's own; cross-entropy where it can and utilities have bounds
	Link   models.LinkKind // "": identity for least squares on the sum itself, else logistic where utilities have bounds
	Scale  Scale           // of the link
	Lambda float64         // of LSTD, 0 to 1
	L1     float64         // of Elastic: share of the absolute penalty, in (0, 1]; 0: a half
	Rate   float64         // of AdaGrad; 0: its own

	Steps    int // of Newton, LBFGS (iterations) and AdaGrad (epochs), at most; 0: their own
	Patience int // of LBFGS and AdaGrad: stop after so many without a lower loss on a fifth of the training episodes; 0: never

	Label   Label
	Teacher *Teacher // label the positions with what this model says in place of Label
	Choices bool     // with Teacher: the moves of each position against each other

	Quiet    bool // leave out positions that are not quiet
	Leaf     Leaf // learn from the end of a line
	Distinct bool // each position once, after Quiet and Leaf
	// DropProven leaves out positions whose value the recorded search had proven.
	DropProven bool
	Weigh      RowWeights

	Penalty   float64            // draws weights to the prior, as learn.Options.Penalty does
	Auto      bool               // choose Penalty by cross-validation over episodes
	Prior     *models.Linear     // what weights are drawn to; nil: zero
	PriorName string             // for messages and the recipe
	Frozen    map[string]float64 // terms that keep this weight

	Leaves  models.Leaves // which positions the model is to evaluate; "": decisions
	HeldOut HeldOut
	Seed    uint64 // chooses the held-out episodes
	Workers int    // never changes the result
}

// Teacher is a model that labels positions.
type Teacher struct {
	Name  string // for messages and the recipe
	Set   features.Set
	Model *models.Linear
}

// Complete fills in the defaults for a game and says what is wrong with the
// rest.
func (c *Options) Complete(w *catalog.World) error {
	base := w.Base()
	if c.Method == nil {
		c.Method = Ridge
		if base.Max-base.Min <= 2 && c.Teacher == nil {
			c.Method = LogisticRegression
		}
	}
	if c.Leaves == "" {
		c.Leaves = models.Decision
	}
	if c.Method.Episodes != nil {
		if err := c.completeEpisodes(base); err != nil {
			return err
		}
	}
	if !(c.Lambda >= 0 && c.Lambda <= 1) {
		return fmt.Errorf("lambda=%v: want a number from 0 to 1", c.Lambda)
	}
	if c.Lambda != 0 && !c.Method.reads("lambda") {
		return fmt.Errorf("lambda=%v: of method %s, not of %s", c.Lambda, alternatives(func(m *Method) bool { return m.reads("lambda") }), c.Method)
	}
	if !(c.Penalty >= 0) || math.IsInf(c.Penalty, 0) {
		return fmt.Errorf("penalty=%v: want a number of at least 0", c.Penalty)
	}
	if err := c.completeSolver(base); err != nil {
		return err
	}
	for _, check := range []func() error{c.Weigh.check, c.HeldOut.check, c.Label.check} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// completeEpisodes finds what cannot be with a method that learns from episodes.
func (c *Options) completeEpisodes(base *game.Game) error {
	switch {
	case c.Label.kind != byOutcome:
		return fmt.Errorf("label %s: %s learns from outcomes", c.Label, c.Method)
	case base.Players > 1 && (base.Players > 2 || base.Sum != game.Zero):
		return fmt.Errorf("method %s: want a game of one, or a zero-sum game of two", c.Method)
	case c.Quiet || c.Leaf != (Leaf{}) || c.Distinct || c.DropProven || c.Weigh != (RowWeights{}) || c.Teacher != nil:
		return fmt.Errorf("method %s: takes the positions of an episode as they followed each other: want another for quiet positions, leaves, distinct ones, without proven ones, weights or a teacher", c.Method)
	}
	return nil
}

// Result is what a fit gave.
type Result struct {
	Model   *models.Linear
	Set     features.Set
	Report  learn.Report
	Options Options // complete, Penalty as it was chosen
	// Samples are the rows that were fitted, for looking at them again.
	Samples datasets.Samples
	// Replays are the episodes that were left out since each goes like another
	// one from its opening to its end. Met says that games which meet beyond the
	// opening are on one side; else those are that are the same throughout.
	Replays int
	Joined  bool
	// Validation is the cross-validation that chose the penalty, or that a
	// diagnosis made; nil: none.
	Validation *validate.CrossValidation
	// Share are the mean squared errors of the expected share of the point (0
	// lost, 1/2 drawn, 1 won) in training and held-out rows; nil where the model
	// predicts none.
	Share     *ShareError
	Diagnosis *Diagnosis // nil unless it was asked for

	task
	solved Options // Config with the steps that its patience came to
}

// ShareError is a mean squared error in shares of the point.
type ShareError struct {
	Training float64 `json:"training"`
	HeldOut  float64 `json:"held_out"`
}

// Close gives back what the samples take; they can be read on, at the cost of
// making them anew.
func (f *Result) Close() error {
	if k, ok := f.Samples.(*datasets.Kept); ok {
		return k.Close()
	}
	return nil
}

// task is a fit that can be made again with other options.
type task struct {
	data    source
	loss    loss.Function
	options learn.Options
	blank   *models.Linear // what a fit starts from
}

// Run fits a model of w to a data set. It is the same for any number of
// workers. Where the context says so ([plyfit/work.WithElsewhere]), other processes sum
// the rows of large fits by [Ridge] and [Newton]; folds are fitted here. Samples that take much memory are kept in a temporary file until the
// process ends.
func Run(ctx context.Context, w *catalog.World, data *datasets.Set, c Options) (*Result, error) {
	if err := c.Complete(w); err != nil {
		return nil, err
	}
	if data.Game != w.Spec {
		return nil, fmt.Errorf("%s: records of %s: want %s", data.Dir, data.Game, w.Spec)
	}
	groups, err := newGroups(w.Game, materialOf(data))
	if err != nil {
		return nil, err
	}
	rows, set, err := c.rows(ctx, w, data, groups)
	if err != nil {
		return nil, err
	}
	held, err := c.HeldOut.held(c.Seed, groups, data.Records)
	if err != nil {
		return nil, err
	}
	from := source{name: data.Dir, digest: data.Digest, samples: datasets.Keep(rows)}
	// A split by name is one that others made, too: its figures are of all rows.
	if from.sides, err = newSides(from.samples, held, groups, validate.Folds{Seed: c.Seed}, c.HeldOut.ByName, data.Manifest.Records); err != nil {
		return nil, fmt.Errorf("%s: %w", data.Dir, err)
	}
	if sampler, ok := rows.(*features.Sampler); ok {
		from.steps = &selfplay.Steps{Sampler: *sampler}
	}
	if c.Method.Episodes != nil {
		for r, err := range data.Records() {
			if err != nil {
				return nil, err
			}
			if r.Move == "" {
				return nil, fmt.Errorf("method %s: the positions of %s have no moves, which would say what follows which: want another method", c.Method, data.Dir)
			}
			break
		}
	}
	return c.fit(ctx, w, set, from)
}

// source is what weights are fitted to.
type source struct {
	name    string // for messages
	digest  string
	samples datasets.Samples
	steps   *selfplay.Steps // for LSTD; nil: it has none
	sides   *sides
}

// fit fits a model of set, c being complete.
func (c *Options) fit(ctx context.Context, w *catalog.World, set features.Set, data source) (*Result, error) {
	base := w.Base()
	m := features.New(set, w.Game)
	m.Leaves, m.Range = c.Leaves, w.Range()
	m.Link = models.Link{Kind: c.Link}
	if c.Teacher != nil {
		m.Link = c.Teacher.Model.Link // a sum of the same meaning
	}
	options := learn.Options{HeldOut: data.sides.held, Group: data.sides.group, Seen: data.sides.seen, KeepSeen: data.sides.keep, Penalty: c.Penalty, Workers: c.Workers}
	if options.Workers <= 0 {
		options.Workers = runtime.GOMAXPROCS(0)
	}
	var err error
	if options.Frozen, err = freeze(m, c.Frozen); err != nil {
		return nil, err
	}
	f := &Result{Model: m, Set: set, Samples: data.samples}
	if g := data.sides.groups; g != nil {
		f.Replays, f.Joined, options.Groups = g.replays, g.joined, g.many
	}
	if err := c.scale(ctx, m, base, data); err != nil {
		return nil, err
	}
	if c.Prior != nil {
		prior, ok := onLink(c.Prior, m.Link)
		if !ok {
			return nil, fmt.Errorf("prior %s: has link %s, and method %s fits %s: want another method or --prior none", c.PriorName, c.Prior.Link.Kind, c.Method, m.Link.Kind)
		}
		options.Prior = prior
	}
	if w.Entry.Ships("handwritten") {
		theirs, hand, err := w.Model("handwritten")
		if err == nil && theirs.Name() == set.Name() {
			if scaled, ok := onLink(hand, m.Link); ok {
				options.Baselines = append(options.Baselines, learn.Baseline{Name: "hand-written", Model: scaled})
			}
		}
	}
	f.task = task{data: data, loss: c.loss(m.Link, base), options: options, blank: m.Clone()}
	if c.Auto {
		if f.Validation, err = c.validate(ctx, f.task, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", data.name, err)
		}
		c.Penalty = f.Validation.Best
		f.options.Penalty = c.Penalty
	}
	f.solved = *c
	if c.Patience > 0 {
		if f.solved.Steps, err = c.stop(ctx, f.task); err != nil {
			return nil, fmt.Errorf("%s: %w", data.name, err)
		}
		f.solved.Patience = 0
	}
	if f.Report, err = f.solved.learn(ctx, f.task, f.options, m); err != nil {
		return nil, fmt.Errorf("%s: %w", data.name, err)
	}
	if c.Patience > 0 {
		f.Report.Notes = append(f.Report.Notes, fmt.Sprintf("%d steps: as many as gave the least loss on a fifth of the training episodes; no held-out row chose anything", f.solved.Steps))
	}
	f.Options = *c
	if f.Share, err = f.shareError(ctx, base); err != nil {
		return nil, err
	}
	m.Provenance = f.provenance(w.Spec)
	return f, nil
}

// shareError judges the model by the squared error of the expected share of the
// point.
func (f *Result) shareError(ctx context.Context, base *game.Game) (*ShareError, error) {
	if f.Model.Link.Kind == models.Identity || f.Options.Teacher != nil || math.IsInf(base.Max-base.Min, 0) {
		return nil, nil
	}
	sides := f.data.sides
	rows := func(s *datasets.Sample) bool { return !sides.held(s.Episode) || sides.counts(s, &f.Report) }
	strata, err := validate.Residuals(ctx, f.Model, f.Samples, validate.Reading{Rows: rows, Link: f.Model.Link, Lo: base.Min, Hi: base.Max}, func(s *datasets.Sample) int {
		if sides.held(s.Episode) {
			return 1
		}
		return 0
	})
	if err != nil {
		return nil, err
	}
	e := &ShareError{}
	unit := (base.Max - base.Min) * (base.Max - base.Min)
	for _, s := range strata {
		if s.Group == 0 {
			e.Training = s.Squared / unit
		} else {
			e.HeldOut = s.Squared / unit
		}
	}
	return e, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// freeze gives the named terms their weight in m and returns their indices.
func freeze(m *models.Linear, frozen map[string]float64) ([]int32, error) {
	var out []int32
	for _, name := range sortedKeys(frozen) {
		found := false
		for i := range m.Weights {
			if m.Name(int32(i)) == name {
				m.Weights[i], found = frozen[name], true
				out = append(out, int32(i))
			}
		}
		if !found {
			return nil, fmt.Errorf("frozen term %q: %s has none of that name", name, m.Features)
		}
	}
	return out, nil
}
