package fit

import (
	"context"
	"errors"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/list"
	"plyfit/learn"
	"plyfit/learn/trees"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Diagnosis contains checks of a fit. Notes gives the reason for each check that could not be
// performed.
type Diagnosis struct {
	// Calibration compares predictions with labels on held-out rows, which are divided into tenths
	// by prediction. Phases does the same for the rows divided into fifths by ply.
	Calibration []validate.Stratum `json:"calibration"`
	Phases      []validate.Stage   `json:"phases"`
	PhaseEnds   []int32            `json:"phase_ends"` // last ply of each phase except the final one

	// Trees compares bagged trees with least squares on the same folds. It is nil unless requested.
	Trees *trees.Comparison `json:"trees,omitempty"`

	Notes []string `json:"notes"`
}

// Diagnose sets f.Diagnosis. It computes the calibration and the phases. If forest is set, it also
// computes the comparison with trees, which takes about half a minute.
func (f *Result) Diagnose(ctx context.Context, w *catalog.World, forest bool) error {
	c := &f.Options
	x, err := f.examine(ctx, w)
	if err != nil {
		return err
	}
	d := &Diagnosis{Calibration: x.Calibration, Phases: x.Stages}
	if len(d.Phases) == 0 {
		d.Notes = append(d.Notes, "no residuals by phase: the samples have no ply numbers")
	}
	d.PhaseEnds = list.Map(d.Phases[:max(0, len(d.Phases)-1)], func(s validate.Stage) int32 { return s.Last })
	f.Diagnosis = d
	switch {
	case !forest:
		return nil
	case c.Method.Episodes != nil:
		d.Notes = append(d.Notes, "no trees: trees learn from labels, but "+c.Method.Name+" learns from later values")
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

// examine compares predictions with labels on the rows included in the held-out losses.
func (f *Result) examine(ctx context.Context, w *catalog.World) (*validate.Examination, error) {
	base := w.Base()
	view := validate.Reading{Rows: f.counts, Group: f.data.split.group, Link: f.Model.Link, Lo: base.Min, Hi: base.Max}
	if f.Options.Teacher != nil { // a teacher's labels are weighted sums
		view.Link, view.Lo, view.Hi = models.Link{Kind: models.Identity}, 0, 0
	}
	x, err := validate.ExamineModel(ctx, f.Model, f.Samples, view)
	if errors.Is(err, learn.ErrNoRows) {
		return &validate.Examination{}, nil
	}
	return x, err
}

// Calibration compares predictions with labels on the rows included in the held-out losses. The
// rows are divided into tenths by prediction.
func (f *Result) Calibration(ctx context.Context, w *catalog.World) ([]validate.Stratum, error) {
	x, err := f.examine(ctx, w)
	if err != nil {
		return nil, err
	}
	return x.Calibration, nil
}

// Held reports whether an episode is held out.
func (f *Result) Held(episode uint64) bool { return f.data.split.held(episode) }

// counts reports whether the held-out losses include the row.
func (f *Result) counts(s *datasets.Sample) bool { return f.data.split.counts(s, &f.Report) }

// onLabels returns options for a least-squares fit to the labels. If the model has a link, its
// prior is in a different unit and does not apply.
func (f *Result) onLabels() learn.Options {
	o := f.options
	o.NoErrors, o.Baselines = true, nil
	if f.Model.Link.Kind != models.Identity && f.Options.Teacher == nil {
		o.Prior, o.Penalty = nil, max(o.Penalty, 1e-6)
	}
	return o
}
