// Package fit fits the weights of a model to a self-play data set or a table of samples, and
// evaluates the result on held-out data. Package plyfit/learn/train learns weights during play
// instead.
//
// A fit has these steps:
//
//  1. [Options] configures the fit. [Options.Complete] fills in the game's defaults.
//  2. [Run] reads a data set, [RunTable] reads a table of a game's features, and [RunColumns] reads
//     a table of the terms of an engine's evaluation. Dependent episodes are grouped, and some
//     episodes are held out.
//  3. Each position becomes a sample with a [Label]. A [Leaf] can select the position at the end of
//     a line of play instead.
//  4. One of the [Methods] fits the weights to the samples.
//  5. The [Result] contains the model, its report and, on request, a [Diagnosis]. [Describe] and
//     [Page] format it.
package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/settings"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/selfplay"
)

// Options configures a fit to a data set. Zero fields select defaults that depend on the game.
type Options struct {
	Set    string          `flag:"features" for:"game" recipe:"-" help:"feature set; default: the game's"`
	Method *Method         // nil means LogisticRegression if the utilities span at most 2 and there is no teacher, else Ridge
	Loss   LossKind        `flag:"loss" recipe:"-" among:"logistic squared" help:"loss for newton and lbfgs; default: logistic if utilities are bounded, otherwise squared"`
	Link   models.LinkKind `flag:"link" for:"game" recipe:"-" among:"logistic tanh identity" help:"link for newton and lbfgs; default: logistic if utilities are bounded, otherwise identity"`
	Scale  Scale           // scale of the link

	// Each of the following options is read by only some methods. To give a new method an option,
	// add a field here and read it in the method's constructor.
	Lambda float64 `flag:"lambda" for:"game" of:"lstd" default:"0" in:"from 0 to 1" help:"weight of later values, 0 to 1"`
	L1     float64 `flag:"l1" for:"game" of:"elastic" in:"from 0 to 1" help:"fraction of the penalty that is L1; 0: one half"`
	Steps  int     `flag:"steps" of:"logistic newton lbfgs" in:"of at least 0" help:"maximum number of iterations; 0: the method's default"`

	Label   Label    `flag:"label" for:"game" recipe:"-" help:"outcome, search, mix:SHARE (share of the outcome) or td:LAMBDA"`
	Teacher *Teacher // model whose evaluations replace Label; may be nil
	Choices bool     `flag:"choices" for:"game" recipe:"-" help:"with --distill: fit differences between the moves of each position"`

	Quiet    bool   `flag:"quiet-positions" for:"game" recipe:"-" help:"omit positions in which a capture promises more than the evaluation"`
	Leaf     Leaf   `flag:"leaf" for:"game" recipe:"-" help:"replace each position with the end of a line: quiescence, or an agent's principal variation"`
	Distinct bool   `flag:"distinct" for:"game" recipe:"-" help:"remove duplicate positions, after --quiet-positions and --leaf"`
	Proven   string `flag:"proven" for:"game" recipe:"-" among:"keep drop" help:"drop: omit positions whose value the recorded search proved"`

	Penalty   float64            // strength of the pull towards the prior, as in learn.Options.Penalty
	Auto      bool               // choose Penalty by cross-validation over episodes
	Prior     *models.Linear     // weights towards which the penalty pulls; nil means zero
	PriorName string             `flag:"prior" recipe:"-" help:"model that weights are pulled towards, or none; default: hand-written, if it has these features"`
	Frozen    map[string]float64 // fixed weights by term

	// The following fields apply only to [RunColumns].
	Start    *models.Linear // the engine's current weights: baseline in the report and, by default, the prior; may be nil
	Integers bool           `flag:"integers" for:"columns" recipe:"-" help:"round the weights and report the cost"`
	Width    Width          `flag:"prior-width" for:"columns" recipe:"-" help:"prior standard deviation, auto or none; default: 12 cp with --scale start and no --penalty"`
	Final    bool           `flag:"final" for:"columns" recipe:"-" help:"refit on all rows after measuring the held-out loss"`

	Leaves  models.Leaves `flag:"leaves" for:"game" recipe:"-" among:"decision afterstate" help:"positions to evaluate; default: depends on the game"`
	HeldOut HeldOut       `flag:"held-out" recipe:"-" help:"N: hold out one random episode in N, and related episodes; crc32:N: ids whose CRC-32 is divisible by N"`
	Seed    uint64        // random seed for the choice of held-out episodes
	Workers int           // number of goroutines; does not affect the result
}

// A Teacher is a model whose evaluations label the positions.
type Teacher struct {
	Name  string // used in messages and in the provenance
	Set   features.Set
	Model *models.Linear
}

// Complete fills in the game's defaults. It returns an error if options contradict each other or
// are not suitable for the game.
func (c *Options) Complete(w *catalog.World) error { return c.complete(w.Base()) }

func (c *Options) complete(base *game.Game) error {
	if c.Method == nil {
		c.Method = Ridge
		if base.Max-base.Min <= 2 && c.Teacher == nil {
			c.Method = LogisticRegression
		}
	}
	c.Leaves = cmp.Or(c.Leaves, models.Decision)
	if c.Method.Episodes != nil {
		if err := c.completeEpisodes(base); err != nil {
			return err
		}
	}
	if err := settings.Check(c, c.Method.Name); err != nil {
		return err
	}
	if !(c.Penalty >= 0) || math.IsInf(c.Penalty, 0) {
		return fmt.Errorf("penalty=%v: want a number of at least 0", c.Penalty)
	}
	bounded := !math.IsInf(base.Max-base.Min, 0)
	if err := c.completeLoss(base.Name, bounded); err != nil {
		return err
	}
	if c.Auto && c.Method.Episodes != nil {
		return fmt.Errorf("penalty auto is not available for method %s; use another method", c.Method)
	}
	if err := c.completeLink(base.Name, bounded); err != nil {
		return err
	}
	return cmp.Or(c.checkScale(), c.HeldOut.check(), c.Label.check())
}

// selects reports whether some recorded positions are replaced or left out.
func (c *Options) selects() bool { return c.Quiet || c.Leaf != (Leaf{}) || c.Distinct }

// completeEpisodes returns an error if an option is not suitable for a method that learns from
// episodes.
func (c *Options) completeEpisodes(base *game.Game) error {
	switch {
	case c.Label.kind != byOutcome:
		return fmt.Errorf("label %s: method %s learns from outcomes only", c.Label, c.Method)
	case base.Players > 1 && (base.Players > 2 || base.Sum != game.Zero):
		return fmt.Errorf("method %s: want a single-player game, or a two-player zero-sum game", c.Method)
	case c.selects() || c.Proven == dropProven || c.Teacher != nil:
		return fmt.Errorf("method %s: the method learns from consecutive positions; for a teacher, quiet or distinct positions, leaves or --proven drop, use another method", c.Method)
	}
	return nil
}

// Result is the result of a fit.
type Result struct {
	Model   *models.Linear
	Set     features.Set
	Report  learn.Report
	Options Options // completed; Penalty is the value chosen if Auto was set
	// Samples contains the rows of the fit, including held-out rows.
	Samples datasets.Samples
	// Replays is the number of episodes that were left out because they repeat an earlier episode
	// completely. Joined is set if games that share a position beyond the opening are grouped.
	// Otherwise, only identical games are grouped, if any.
	Replays int
	Joined  bool
	// Validation is the cross-validation that chose the penalty, or nil if there was none.
	Validation *validate.CrossValidation
	// Share contains the mean squared errors of the predicted score (0 for a loss, 1/2 for a draw,
	// 1 for a win). It is nil if the model does not predict a score.
	Share     *Losses
	Diagnosis *Diagnosis // nil unless requested

	// Columns is the table fitted by [RunColumns], or nil if a game's data were fitted. Repeats is
	// the number of repeated games in the table.
	Columns *table.Table
	Repeats int
	// Rounded contains the losses of the weights after rounding to integers. It is nil if the
	// weights are not rounded.
	Rounded *Losses
	// Repeated is the number of rows that together carry as much information as one independent
	// row. It is 0 unless a prior width is set.
	Repeated float64

	task
}

// Losses contains mean losses over the training rows and over the held-out rows.
type Losses struct {
	Training float64 `json:"training"`
	HeldOut  float64 `json:"held_out"`
}

// Close frees the memory used by the samples. If they are read again, they are recomputed.
func (f *Result) Close() error {
	if k, ok := f.Samples.(*datasets.Store); ok {
		return k.Close()
	}
	return nil
}

// A task contains everything needed to repeat a fit with other options.
type task struct {
	data    source
	loss    loss.Function
	options learn.Options
	blank   *models.Linear // model before the fit
}

// Run fits a model of w to a data set. The result does not depend on the number of workers. Samples
// that need a lot of memory are kept in a temporary file until [Result.Close] is called or the
// process ends.
func Run(ctx context.Context, w *catalog.World, data *datasets.Set, c Options) (*Result, error) {
	rows, set, groups, err := c.read(ctx, w, data)
	if err != nil {
		return nil, err
	}
	held, err := c.HeldOut.held(c.Seed, groups.group, data.Records)
	if err != nil {
		return nil, err
	}
	// If the data are split by name, held-out positions that also occur in training are kept,
	// because other programs that use the same split measure their losses on all of its rows.
	from := source{name: data.Dir, digest: data.Digest, samples: datasets.Keep(rows), largeGroups: groups.largeGroups,
		split: &split{held: held, group: groups.group, folds: validate.Folds{Seed: c.Seed}, keep: c.HeldOut.ByName}}
	if err = from.split.scan(from.samples, data.Manifest.Records); err != nil {
		return nil, fmt.Errorf("%s: %w", data.Dir, err)
	}
	if from.split.none {
		return nil, fmt.Errorf("%s: none of its %d records can be used for learning (unfinished games have no outcome); use other games or another --label", data.Dir, data.Manifest.Records)
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
				return nil, fmt.Errorf("method %s: the records of %s contain no moves, so their order is unknown; use another method", c.Method, data.Dir)
			}
			break
		}
	}
	f, err := c.ofGame(ctx, w, set, from)
	if err == nil {
		f.Replays, f.Joined = groups.replays, groups.joined
	}
	return f, err
}

// A source is the input of a fit.
type source struct {
	name        string // for messages
	digest      string
	samples     datasets.Samples
	steps       *selfplay.Steps // consecutive positions for LSTD; may be nil
	split       *split
	largeGroups int              // number of groups with more than one episode
	baselines   []learn.Baseline // models that the report compares with the fit
}

func (c *Options) ofGame(ctx context.Context, w *catalog.World, set features.Set, data source) (*Result, error) {
	m := features.New(set, w.Game)
	m.Leaves, m.Range = c.Leaves, w.Range()
	m.Link = models.Link{Kind: c.Link}
	if c.Teacher != nil {
		m.Link = c.Teacher.Model.Link // weighted sums have the same meaning as in the teacher
	}
	if w.Entry.Ships("handwritten") {
		if theirs, hand, err := w.Model("handwritten"); err == nil && theirs.Name() == set.Name() {
			data.baselines = append(data.baselines, learn.Baseline{Name: "hand-written", Model: hand})
		}
	}
	f, err := c.fit(ctx, w.Base(), m, data)
	if err != nil {
		return nil, err
	}
	f.Set = set
	if f.Share, err = f.shareError(ctx, w.Base()); err != nil {
		return nil, err
	}
	m.Provenance = f.provenance(w.Spec)
	return f, nil
}

// dropProven is the value of Options.Proven that leaves out positions whose value was proved by the
// recorded search. The other values are "" and "keep".
const dropProven = "drop"

// StartingWeights is the name of Options.Start among a report's baselines.
const StartingWeights = "starting weights"

func (c *Options) fit(ctx context.Context, base *game.Game, m *models.Linear, data source) (*Result, error) {
	options := learn.Options{HeldOut: data.split.held, Group: data.split.group, Seen: data.split.seen, KeepSeen: data.split.keep, Penalty: c.Penalty, Workers: c.Workers}
	if options.Workers <= 0 {
		options.Workers = runtime.GOMAXPROCS(0)
	}
	var err error
	if options.Frozen, err = m.Fix(c.Frozen); err != nil {
		return nil, err
	}
	options.Groups = data.largeGroups
	f := &Result{Model: m, Samples: data.samples}
	if err := c.scale(ctx, m, base, data); err != nil {
		return nil, err
	}
	if base == shares { // the weights fitted to a table may have any unit
		options.Unit = m.Link.Scale
		options.Distinct = func(s *datasets.Sample) uint64 { return s.Position } // for table rows, Position is a hash of the cells and the phase
	}
	if c.Prior != nil {
		prior, ok := c.Prior.OnLink(m.Link)
		if !ok {
			return nil, fmt.Errorf("prior %s: the prior has link %s, but method %s fits link %s; use another method or --prior none", c.PriorName, c.Prior.Link.Kind, c.Method, m.Link.Kind)
		}
		options.Prior = prior
	}
	if c.Start != nil {
		data.baselines = append(data.baselines, learn.Baseline{Name: StartingWeights, Model: c.Start})
	}
	for _, b := range data.baselines {
		if scaled, ok := b.Model.OnLink(m.Link); ok {
			options.Baselines = append(options.Baselines, learn.Baseline{Name: b.Name, Model: scaled})
		}
	}
	f.task = task{data: data, loss: c.loss(m.Link, base), options: options, blank: m.Clone()}
	if err := c.applyWidth(ctx, f, m, base); err != nil {
		return nil, err
	}
	if c.Auto {
		if f.Validation, err = c.validate(ctx, f.task); err != nil {
			return nil, fmt.Errorf("%s: %w", data.name, err)
		}
		c.Penalty = f.Validation.Best
		f.options.Penalty = c.Penalty
	}
	f.Options = *c
	if f.Report, err = c.learn(ctx, f.task, f.options, m); err != nil {
		return nil, fmt.Errorf("%s: %w", data.name, err)
	}
	if c.Integers {
		if err := f.round(ctx); err != nil {
			return nil, err
		}
	}
	if c.Final {
		return f, f.refit(ctx)
	}
	return f, nil
}

// Without returns a model that is fitted in the same way without a group of terms.
func (f *Result) Without(ctx context.Context, g models.Group) (*models.Linear, error) {
	o, m, p := f.options, f.blank.Clone(), *f.Model.Provenance
	o.Frozen, o.NoErrors, o.Baselines = slices.Concat(o.Frozen, g.Features), true, nil
	p.Command, p.HeldOut, p.Notes = "", nil, append(slices.Clone(p.Notes), "the weights of "+g.Name+" were fixed at 0")
	m.Provenance = &p
	_, err := f.Options.learn(ctx, f.task, o, m)
	return m, err
}

// refit fits the weights to all rows. The reported losses are still those measured on the split.
func (f *Result) refit(ctx context.Context) error {
	o, m := f.options, f.blank.Clone()
	o.HeldOut, o.Seen = nil, nil
	r, err := f.Options.learn(ctx, f.task, o, m)
	if err != nil {
		return fmt.Errorf("%s: all rows: %w", f.data.name, err)
	}
	f.Report.Weights = r.Weights
	f.Report.Notes = append(f.Report.Notes, fmt.Sprintf("the weights come from a final fit to all %d rows; the losses come from the fit without the held-out rows", r.Rows))
	*f.Model = *m
	if f.Rounded != nil {
		f.roundWeights()
	}
	return nil
}

// roundWeights rounds the weights that are not frozen to integers.
func (f *Result) roundWeights() {
	for i, w := range f.Model.Weights {
		if !slices.Contains(f.options.Frozen, int32(i)) {
			f.Model.Weights[i] = math.RoundToEven(w) + 0 // avoid -0
		}
	}
}

func (f *Result) round(ctx context.Context) error {
	f.roundWeights()
	f.Rounded = &Losses{}
	for held, into := range map[bool]*float64{false: &f.Rounded.Training, true: &f.Rounded.HeldOut} {
		rows := learn.Filter{Data: f.Samples, Keep: func(s *datasets.Sample) bool { return f.Held(s.Episode) == held }}
		r, err := learn.Evaluate(ctx, f.Model, rows, f.loss, 0, learn.Options{})
		if err != nil {
			return err
		}
		*into = r.HeldOutLoss
	}
	return nil
}

func (f *Result) shareError(ctx context.Context, base *game.Game) (*Losses, error) {
	if f.Model.Link.Kind == models.Identity || f.Options.Teacher != nil || math.IsInf(base.Max-base.Min, 0) {
		return nil, nil
	}
	parts := f.data.split
	rows := func(s *datasets.Sample) bool { return !parts.held(s.Episode) || parts.counts(s, &f.Report) }
	e, err := validate.SquaredErrors(ctx, f.Model, f.Samples, validate.Reading{Rows: rows, Link: f.Model.Link, Lo: base.Min, Hi: base.Max}, 2, func(s *datasets.Sample) int {
		if parts.held(s.Episode) {
			return 1
		}
		return 0
	})
	unit := (base.Max - base.Min) * (base.Max - base.Min)
	return &Losses{e[0] / unit, e[1] / unit}, err
}
