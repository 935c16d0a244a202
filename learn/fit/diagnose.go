package fit

import (
	"context"
	"errors"

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
