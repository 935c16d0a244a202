package fit

import (
	"context"
	"errors"
	"fmt"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/learn"
	"plyfit/learn/trees"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Diagnosis checks a fit. What could not be computed is left out, with the reason in Notes.
type Diagnosis struct {
	// Calibration compares predicted with realised on held-out rows, in tenths by prediction;
	// Phases in fifths by ply.
	Calibration []validate.Stratum `json:"calibration"`
	Phases      []validate.Stage   `json:"phases"`
	PhaseEnds   []int32            `json:"phase_ends"` // the last ply of each phase but the last

	// Trees are bagged trees beside least squares, on the same folds; nil: not asked for.
	Trees *trees.Comparison `json:"trees,omitempty"`

	Notes []string `json:"notes"`
}

// Diagnose adds calibration, phases and, with forest, trees, which take half a minute.
func (f *Result) Diagnose(ctx context.Context, w *catalog.World, forest bool) error {
	c := &f.Options
	x, err := f.examine(ctx, w)
	if err != nil {
		return err
	}
	d := &Diagnosis{Calibration: x.Calibration, Phases: x.Stages}
	if len(d.Phases) == 0 {
		d.Notes = append(d.Notes, "no residuals by phase: the samples do not say at which ply they stand")
	}
	for _, s := range d.Phases[:max(0, len(d.Phases)-1)] {
		d.PhaseEnds = append(d.PhaseEnds, s.Last)
	}
	f.Diagnosis = d
	switch {
	case !forest:
		return nil
	case c.Method.Episodes != nil:
		d.Notes = append(d.Notes, "no trees: they learn from labels, and "+c.Method.Name+" learns from what followed")
		return nil
	}
	found, err := trees.Forest{Seed: c.Seed, Rows: 2000}.Compare(ctx, f.blank, f.Samples, f.onLabels())
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		d.Notes = append(d.Notes, "no trees: "+err.Error())
	default:
		d.Trees = &found
	}
	return nil
}

// examine compares predictions of the rows of the held-out figures with their labels.
func (f *Result) examine(ctx context.Context, w *catalog.World) (*validate.Examination, error) {
	base := w.Base()
	view := validate.Reading{Rows: f.counts, Group: f.data.sides.group, Link: f.Model.Link, Lo: base.Min, Hi: base.Max}
	if f.Options.Teacher != nil { // labels are sums
		view.Link, view.Lo, view.Hi = models.Link{Kind: models.Identity}, 0, 0
	}
	x, err := validate.ExamineModel(ctx, f.Model, f.Samples, view)
	if errors.Is(err, learn.ErrNoRows) {
		return &validate.Examination{}, nil
	}
	return x, err
}

// Calibration compares predictions with labels, in tenths by prediction, on the rows of the
// held-out figures.
func (f *Result) Calibration(ctx context.Context, w *catalog.World) ([]validate.Stratum, error) {
	x, err := f.examine(ctx, w)
	if err != nil {
		return nil, err
	}
	return x.Calibration, nil
}

// Held tells which episodes are held out.
func (f *Result) Held(episode uint64) bool { return f.data.sides.held(episode) }

// counts tells the held-out rows that the held-out figures are of.
func (f *Result) counts(s *datasets.Sample) bool { return f.data.sides.counts(s, &f.Report) }

// onLabels are the options of least squares on the labels, whose unit differs from sums under a
// link.
func (f *Result) onLabels() learn.Options {
	o := f.options
	o.NoErrors, o.Baselines = true, nil
	if f.Model.Link.Kind != models.Identity && f.Options.Teacher == nil {
		o.Prior, o.Penalty = nil, max(o.Penalty, 1e-6)
	}
	return o
}

// Calibration is what Platt scaling makes of a model on the games of a data set.
type Calibration struct {
	learn.Platt // of the games that are not held out
	// Mean logistic losses of those that are.
	HeldOutBefore float64 `json:"held_out_before"`
	HeldOutAfter  float64 `json:"held_out_after"`
}

// Calibrate fits slope and shift of a model's log odds to the outcomes of a data set of w, and
// measures them on a held-out fifth of the games. The model is unchanged; [learn.Platt.Apply]
// changes it. The data must not be the model's training data, on which it looks better calibrated
// than it is.
func Calibrate(ctx context.Context, w *catalog.World, data *datasets.Set, m *models.Linear, seed uint64) (*Calibration, error) {
	if p := m.Provenance; p != nil && p.Data != "" && p.Data == data.Digest {
		return nil, fmt.Errorf("%s: the model learned from this data set: want other games", data.Dir)
	}
	if !m.Link.Bounded() {
		return nil, fmt.Errorf("a model with link %q has no probability to calibrate: want link %q or %q", m.Link.Kind, models.Logistic, models.Tanh)
	}
	rows, _, err := Rows(ctx, w, data, Options{Set: m.Features, Leaves: m.Leaves, Seed: seed})
	if err != nil {
		return nil, err
	}
	base := w.Base()
	held := learn.SplitEvery(defaultHeldOut, seed)
	c := &Calibration{}
	if c.Platt, err = learn.FitPlatt(ctx, m, rows, base.Min, base.Max, func(e uint64) bool { return !held(e) }); err != nil {
		return nil, err
	}
	c.HeldOutBefore, c.HeldOutAfter, err = c.Losses(ctx, m, rows, base.Min, base.Max, held)
	if err != nil {
		return nil, fmt.Errorf("%s: held-out games: %w", data.Dir, err)
	}
	return c, nil
}

// HeldOutSlope is Platt scaling of the fitted model on its held-out rows: a slope below 1 means an
// overconfident model. ok is false if labels are no outcomes, the link has no bounds, or too few
// games are held out.
func (f *Result) HeldOutSlope(ctx context.Context, w *catalog.World) (p learn.Platt, ok bool, err error) {
	c, base := &f.Options, w.Base()
	if c.Label.kind != byOutcome || c.Teacher != nil || f.data.sides == nil || !f.Model.Link.Bounded() || f.Report.HeldOutEpisodes < fewestSloped {
		return p, false, nil
	}
	p, err = learn.FitPlatt(ctx, f.Model, f.Samples, base.Min, base.Max, f.data.sides.held)
	if ctx.Err() != nil {
		return p, false, context.Cause(ctx)
	}
	return p, err == nil, nil // else no slope fits, which a small set of games may bring
}

// fewestSloped are the held-out games below which a slope says nothing.
const fewestSloped = 20
