package fit

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/trees"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Diagnosis checks a fit. What could not be computed is left out, with the reason in Notes.
type Diagnosis struct {
	// Calibration compares predicted with realised on held-out rows, in tenths by prediction;
	// Phases in fifths by ply.
	Calibration []validate.Stratum[int] `json:"calibration"`
	Phases      []validate.Stratum[int] `json:"phases"`
	PhaseEnds   []int32                 `json:"phase_ends"` // the last ply of each phase but the last

	// Trees are bagged trees beside least squares, on the same folds; nil: not asked for.
	Trees *trees.Comparison `json:"trees,omitempty"`

	Notes []string `json:"notes"`
}

// phases is into how many parts by ply residuals are cut.
const phases = 5

// Diagnose adds calibration, phases and, with forest, trees, which take half a minute.
func (f *Result) Diagnose(ctx context.Context, w *catalog.World, forest bool) error {
	d := &Diagnosis{}
	c, base := &f.Options, w.Base()
	view := f.reading(base)
	var err error
	if d.Calibration, err = validate.Calibrate(ctx, f.Model, f.Samples, view, 0); err != nil {
		return err
	}
	if err := f.byPhase(ctx, d, view); err != nil {
		return err
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

// reading is how predictions of held-out rows are compared with their labels.
func (f *Result) reading(base *game.Game) validate.Reading {
	view := validate.Reading{Rows: f.counts, Group: f.data.sides.group, Link: f.Model.Link, Lo: base.Min, Hi: base.Max}
	if f.Options.Teacher != nil { // labels are sums
		view.Link, view.Lo, view.Hi = models.Link{Kind: models.Identity}, 0, 0
	}
	return view
}

// Calibration compares predictions with labels, in tenths by prediction, on the rows of the
// held-out figures.
func (f *Result) Calibration(ctx context.Context, w *catalog.World) ([]validate.Stratum[int], error) {
	return validate.Calibrate(ctx, f.Model, f.Samples, f.reading(w.Base()), 0)
}

// Held tells which episodes are held out.
func (f *Result) Held(episode uint64) bool { return f.data.sides.held(episode) }

// counts tells the held-out rows that the held-out figures are of.
func (f *Result) counts(s *datasets.Sample) bool { return f.data.sides.counts(s, &f.Report) }

// byPhase sums residuals up in parts of equal numbers of rows by ply.
func (f *Result) byPhase(ctx context.Context, d *Diagnosis, view validate.Reading) error {
	counts := map[int32]int64{}
	for s, err := range f.Samples.All() {
		if err != nil {
			return err
		}
		if f.counts(s) {
			counts[s.Ply]++
		}
	}
	if d.PhaseEnds = validate.StageEnds(counts, phases); len(d.PhaseEnds) == 0 {
		d.Notes = append(d.Notes, "no residuals by phase: the samples do not say at which ply they stand")
		return nil
	}
	var err error
	d.Phases, err = validate.Residuals(ctx, f.Model, f.Samples, view, func(s *datasets.Sample) int { return validate.StageOf(d.PhaseEnds, s.Ply) })
	return err
}

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

// phaseName is part k by ply.
func (d *Diagnosis) phaseName(k int) string {
	switch {
	case k == 0:
		return fmt.Sprintf("to ply %d", d.PhaseEnds[0])
	case k == len(d.PhaseEnds):
		return fmt.Sprintf("from ply %d", d.PhaseEnds[k-1]+1)
	}
	return fmt.Sprintf("plies %d to %d", d.PhaseEnds[k-1]+1, d.PhaseEnds[k])
}
