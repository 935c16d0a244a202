package fit

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/learn"
	"plyfit/models"
)

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
