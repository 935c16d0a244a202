// Package fit fits the weights of a model to a data set of self-play or a table of samples, and
// checks the result. plyfit/learn/train, its counterpart, learns while playing.
//
// The steps of a fit:
//
//  1. [Options] are what to learn and how; [Options.Complete] adds the game's defaults.
//  2. [Run] reads a data set, [RunTable] a table of a game's features, [RunColumns] one of the
//     terms of an engine's own evaluation. Dependent episodes are grouped, and some held out.
//  3. Positions become samples: each with its [Label], at its [Leaf].
//  4. One of the [Methods] fits them.
//  5. The [Result] has the model, its report, and on request a [Diagnosis]. [Describe] and
//     [Page] show it.
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

// Options configures a fit to a data set. Zero fields have defaults that suit the game.
type Options struct {
	Set    string          `flag:"features" for:"game" recipe:"-" help:"feature set; default: the game's"`
	Method *Method         // nil: Logistic where utilities span at most 2, else Ridge
	Loss   LossKind        `flag:"loss" recipe:"-" among:"logistic squared" help:"for newton and lbfgs; default: logistic if utilities are bounded, else squared"`
	Link   models.LinkKind `flag:"link" for:"game" recipe:"-" among:"logistic tanh identity" help:"for newton and lbfgs; default: logistic if utilities are bounded, else identity"`
	Scale  Scale           // of the link

	// What some methods read. A new setting of a method is a field here, and its use.
	Lambda float64 `flag:"lambda" for:"game" of:"lstd" default:"0" in:"from 0 to 1" help:"weight of later values, 0 to 1"`
	L1     float64 `flag:"l1" for:"game" of:"elastic" in:"from 0 to 1" help:"share of the L1 penalty; 0: one half"`
	Steps  int     `flag:"steps" of:"logistic newton lbfgs" in:"of at least 0" help:"maximum number of iterations; 0: the method's default"`

	Label   Label    `flag:"label" for:"game" recipe:"-" help:"outcome, search, mix:SHARE (of the outcome) or td:LAMBDA"`
	Teacher *Teacher // label the positions with what this model says in place of Label
	Choices bool     `flag:"choices" for:"game" recipe:"-" help:"with --distill: fit differences between the moves of each position"`

	Quiet    bool   `flag:"quiet-positions" for:"game" recipe:"-" help:"leave out positions in which a capture promises more than the evaluation"`
	Leaf     Leaf   `flag:"leaf" for:"game" recipe:"-" help:"use the end of a line, not the position: quiescence, or an agent's principal variation"`
	Distinct bool   `flag:"distinct" for:"game" recipe:"-" help:"remove duplicate positions, after --quiet-positions and --leaf"`
	Proven   string `flag:"proven" for:"game" recipe:"-" among:"keep drop" help:"drop: leave out positions whose value the recorded search proved"`

	Penalty   float64            // draws weights to the prior, as learn.Options.Penalty does
	Auto      bool               // choose Penalty by cross-validation over episodes
	Prior     *models.Linear     // what weights are drawn to; nil: zero
	PriorName string             `flag:"prior" recipe:"-" help:"model that weights are pulled towards, or none; default: hand-written, if it has these features"`
	Frozen    map[string]float64 // terms that keep this weight

	// Of columns ([RunColumns]):
	Start    *models.Linear // what the engine has now: a fit begins with it, and is measured beside it; nil: zeros
	Integers bool           `flag:"integers" for:"columns" recipe:"-" help:"round the weights and report the cost"`
	Width    Width          `flag:"prior-width" for:"columns" recipe:"-" help:"prior standard deviation, auto or none; default: 12 cp with --scale start and no --penalty"`
	Final    bool           `flag:"final" for:"columns" recipe:"-" help:"refit on all rows after measuring the held-out loss"`

	Leaves  models.Leaves `flag:"leaves" for:"game" recipe:"-" among:"decision afterstate" help:"positions to evaluate; default: depends on the game"`
	HeldOut HeldOut       `flag:"held-out" recipe:"-" help:"N: a random episode in N, and those it meets; crc32:N: ids with a CRC-32 (IEEE) divisible by N"`
	Seed    uint64        // chooses the held-out episodes
	Workers int           // never changes the result
}

// Teacher is a model that labels positions.
type Teacher struct {
	Name  string // for messages and the recipe
	Set   features.Set
	Model *models.Linear
}

// Complete fills in the game's defaults and returns an error for what does not fit together.
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
		return fmt.Errorf("penalty auto: want a method other than %s", c.Method)
	}
	if err := c.completeLink(base.Name, bounded); err != nil {
		return err
	}
	return cmp.Or(c.checkScale(), c.HeldOut.check(), c.Label.check())
}

// selects reports whether other positions than the recorded ones are learned from, or not all.
func (c *Options) selects() bool { return c.Quiet || c.Leaf != (Leaf{}) || c.Distinct }

// completeEpisodes finds what cannot be with a method that learns from episodes.
func (c *Options) completeEpisodes(base *game.Game) error {
	switch {
	case c.Label.kind != byOutcome:
		return fmt.Errorf("label %s: %s learns from outcomes", c.Label, c.Method)
	case base.Players > 1 && (base.Players > 2 || base.Sum != game.Zero):
		return fmt.Errorf("method %s: want a game of one, or a zero-sum game of two", c.Method)
	case c.selects() || c.Proven == dropProven || c.Teacher != nil:
		return fmt.Errorf("method %s: takes the positions of an episode as they followed each other: want another for quiet positions, leaves, distinct ones, without proven ones or a teacher", c.Method)
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
	// Replays are the episodes left out as equal to another from opening to end. Met means that
	// games which meet beyond the opening are on one side; otherwise only equal games are.
	Replays int
	Joined  bool
	// Validation is the cross-validation that chose the penalty; nil: none.
	Validation *validate.CrossValidation
	// Share are the mean squared errors of the expected share of the point (0 lost, 1/2 drawn, 1
	// won) in training and held-out rows; nil if the model predicts none.
	Share     *Losses
	Diagnosis *Diagnosis // nil unless it was asked for

	// Columns is the fitted table without a game; nil: a game's data. Repeats are its repeated
	// games.
	Columns *table.Table
	Repeats int
	// Rounded is the loss of weights rounded to whole numbers; nil: they are not rounded.
	Rounded *Losses
	// Repeated is how many rows count as one where a width was asked for; 0: none was.
	Repeated float64

	task
}

// Losses are means over the rows of training, and over those held out.
type Losses struct {
	Training float64 `json:"training"`
	HeldOut  float64 `json:"held_out"`
}

// Close frees the samples' memory; reading them again recomputes them.
func (f *Result) Close() error {
	if k, ok := f.Samples.(*datasets.Store); ok {
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

// Run fits a model of w to a data set, equally for any number of workers. Samples that take much
// memory are kept in a temporary file until the process ends.
func Run(ctx context.Context, w *catalog.World, data *datasets.Set, c Options) (*Result, error) {
	rows, set, groups, err := c.read(ctx, w, data)
	if err != nil {
		return nil, err
	}
	held, err := c.HeldOut.held(c.Seed, groups.group, data.Records)
	if err != nil {
		return nil, err
	}
	// A split by name is one that others made, too: its figures are of all rows.
	from := source{name: data.Dir, digest: data.Digest, samples: datasets.Keep(rows), many: groups.many,
		sides: &sides{held: held, group: groups.group, folds: validate.Folds{Seed: c.Seed}, keep: c.HeldOut.ByName}}
	if err = from.sides.scan(from.samples, data.Manifest.Records); err != nil {
		return nil, fmt.Errorf("%s: %w", data.Dir, err)
	}
	if from.sides.none {
		return nil, fmt.Errorf("%s: none of its %d records gives a row to learn from (games that were cut off have no outcome): want other games, or another --label", data.Dir, data.Manifest.Records)
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
	f, err := c.ofGame(ctx, w, set, from)
	if err == nil {
		f.Replays, f.Joined = groups.replays, groups.joined
	}
	return f, err
}

type source struct {
	name    string // for messages
	digest  string
	samples datasets.Samples
	steps   *selfplay.Steps // for LSTD; nil: it has none
	sides   *sides
	many    int              // groups of several episodes
	beside  []learn.Baseline // measured beside the fit
}

func (c *Options) ofGame(ctx context.Context, w *catalog.World, set features.Set, data source) (*Result, error) {
	m := features.New(set, w.Game)
	m.Leaves, m.Range = c.Leaves, w.Range()
	m.Link = models.Link{Kind: c.Link}
	if c.Teacher != nil {
		m.Link = c.Teacher.Model.Link // a sum of the same meaning
	}
	if w.Entry.Ships("handwritten") {
		if theirs, hand, err := w.Model("handwritten"); err == nil && theirs.Name() == set.Name() {
			data.beside = append(data.beside, learn.Baseline{Name: "hand-written", Model: hand})
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

// dropProven is the value of Options.Proven that leaves out positions whose value the recorded search
// had proven; "" and keep are the others.
const dropProven = "drop"

// StartingWeights names Options.Start among the baselines of a report.
const StartingWeights = "starting weights"

func (c *Options) fit(ctx context.Context, base *game.Game, m *models.Linear, data source) (*Result, error) {
	options := learn.Options{HeldOut: data.sides.held, Group: data.sides.group, Seen: data.sides.seen, KeepSeen: data.sides.keep, Penalty: c.Penalty, Workers: c.Workers}
	if options.Workers <= 0 {
		options.Workers = runtime.GOMAXPROCS(0)
	}
	var err error
	if options.Frozen, err = m.Fix(c.Frozen); err != nil {
		return nil, err
	}
	options.Groups = data.many
	f := &Result{Model: m, Samples: data.samples}
	if err := c.scale(ctx, m, base, data); err != nil {
		return nil, err
	}
	if base == shares { // whose weights are given in any unit; recipes of games know theirs
		options.Unit = m.Link.Scale
		options.Distinct = func(s *datasets.Sample) uint64 { return s.Position } // of cells and phase, as the table has hashed them
	}
	if c.Prior != nil {
		prior, ok := c.Prior.OnLink(m.Link)
		if !ok {
			return nil, fmt.Errorf("prior %s: has link %s, and method %s fits %s: want another method or --prior none", c.PriorName, c.Prior.Link.Kind, c.Method, m.Link.Kind)
		}
		options.Prior = prior
	}
	if c.Start != nil {
		data.beside = append(data.beside, learn.Baseline{Name: StartingWeights, Model: c.Start})
	}
	for _, b := range data.beside {
		if scaled, ok := b.Model.OnLink(m.Link); ok {
			options.Baselines = append(options.Baselines, learn.Baseline{Name: b.Name, Model: scaled})
		}
	}
	f.task = task{data: data, loss: c.loss(m.Link, base), options: options, blank: m.Clone()}
	if err := c.widen(ctx, f, m, base); err != nil {
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

// refit fits the weights to all rows. Losses stay those of the split, which estimate such a fit's.
func (f *Result) refit(ctx context.Context) error {
	o, m := f.options, f.blank.Clone()
	o.HeldOut, o.Seen = nil, nil
	r, err := f.Options.learn(ctx, f.task, o, m)
	if err != nil {
		return fmt.Errorf("%s: all rows: %w", f.data.name, err)
	}
	f.Report.Weights = r.Weights
	f.Report.Notes = append(f.Report.Notes, fmt.Sprintf("the weights are of a last fit to all %d rows; losses are those of the fit without the held-out ones", r.Rows))
	*f.Model = *m
	if f.Rounded != nil {
		f.wholes()
	}
	return nil
}

// wholes rounds the weights that are not frozen.
func (f *Result) wholes() {
	for i, w := range f.Model.Weights {
		if !slices.Contains(f.options.Frozen, int32(i)) {
			f.Model.Weights[i] = math.RoundToEven(w) + 0 // no -0
		}
	}
}

func (f *Result) round(ctx context.Context) error {
	f.wholes()
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
	sides := f.data.sides
	rows := func(s *datasets.Sample) bool { return !sides.held(s.Episode) || sides.counts(s, &f.Report) }
	e, err := validate.SquaredErrors(ctx, f.Model, f.Samples, validate.Reading{Rows: rows, Link: f.Model.Link, Lo: base.Min, Hi: base.Max}, 2, func(s *datasets.Sample) int {
		if sides.held(s.Episode) {
			return 1
		}
		return 0
	})
	unit := (base.Max - base.Min) * (base.Max - base.Min)
	return &Losses{e[0] / unit, e[1] / unit}, err
}
