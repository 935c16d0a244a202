package fit

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/learn"
	"plyfit/models"
)

// Calibration is the result of Platt scaling of a model on the games in a data set.
type Calibration struct {
	learn.Platt // fitted to the games that are not held out
	// Mean logistic losses of the held-out games.
	HeldOutBefore float64 `json:"held_out_before"`
	HeldOutAfter  float64 `json:"held_out_after"`
}

// Calibrate fits the slope and shift of the model's log odds to the outcomes of games in a data set
// of w, and measures the effect on a held-out fifth of the games. It does not modify the model. Use
// [learn.Platt.Apply] to do that.
//
// The data must not be the model's training data, on which the model appears better calibrated than
// it is.
func Calibrate(ctx context.Context, w *catalog.World, data *datasets.Set, m *models.Linear, seed uint64) (*Calibration, error) {
	if p := m.Provenance; p != nil && p.Data != "" && p.Data == data.Digest {
		return nil, fmt.Errorf("%s: the model was trained on this data set; use other games", data.Dir)
	}
	if !m.Link.Bounded() {
		return nil, fmt.Errorf("a model with link %q predicts no probability; want link %q or %q", m.Link.Kind, models.Logistic, models.Tanh)
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

// HeldOutSlope returns the Platt scaling of the fitted model on its held-out rows. A slope below 1
// means that the model is overconfident. ok is false if the labels are not outcomes, the link is
// unbounded, too few games are held out, or no slope can be fitted.
func (f *Result) HeldOutSlope(ctx context.Context, w *catalog.World) (p learn.Platt, ok bool, err error) {
	c, base := &f.Options, w.Base()
	if c.Label.kind != byOutcome || c.Teacher != nil || f.data.split == nil || !f.Model.Link.Bounded() || f.Report.HeldOutEpisodes < fewestSloped {
		return p, false, nil
	}
	p, err = learn.FitPlatt(ctx, f.Model, f.Samples, base.Min, base.Max, f.data.split.held)
	if ctx.Err() != nil {
		return p, false, context.Cause(ctx)
	}
	return p, err == nil, nil // an error means that no slope can be fitted, which may happen with few games
}

// fewestSloped is the minimum number of held-out games for a meaningful slope.
const fewestSloped = 20
