package loop

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/fit"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Sizes is the rescaling of a trained evaluation's values in a game that collects points. Values
// learned while playing may be right in order and wrong in size: 2048's tables promise 8,400 at
// the last move of a game. Expectimax averages values and adds them to points at hand, so it needs
// sizes. One factor on the remaining score is fitted to half of the trained evaluation's games,
// and kept if it lessens the error of the other half.
type Sizes struct {
	Agent  string             `json:"agent"`
	Data   *datasets.Manifest `json:"data"`
	Factor float64            `json:"factor"` // on the score still to come, fitted to one half
	// Before and After examine the other half, with the learned values and times the factor.
	Before *validate.Examination `json:"before"`
	After  *validate.Examination `json:"after"`
	Kept   bool                  `json:"kept"` // the model that ships has the factor in its weights
}

// fitSizes fits the factor for the training's model at path and adds it to o.Learned if it is
// kept. A recipe without Sizes, and values without collected score, are unchanged.
func (o *Result) fitSizes(ctx context.Context, log *runLog, path string) error {
	c := &o.Options
	if c.Recipe.Sizes == 0 {
		return nil
	}
	collected, err := c.collected(o.Learned)
	if err != nil || len(collected) == 0 {
		c.pace.plan(kindSelfPlay, -c.Recipe.Sizes)
		return err
	}
	data, agent, err := c.selfPlay(ctx, selfPlay{
		what: "games for sizes", agent: catalog.WithEval(c.Recipe.Planner, path), dir: filepath.Join(c.Dir, "sizes", "data"),
		episodes: c.Recipe.Sizes, seed: game.Seed(c.Seed, game.StreamSizes),
	})
	if err != nil {
		return err
	}
	z := &Sizes{Agent: agent, Data: &data.Manifest}
	o.Sizes = z
	sized, err := c.sized(ctx, z, data, o.Learned, collected)
	if err != nil {
		return err
	}
	if z.Kept = z.lessens(); z.Kept {
		sized.Provenance.Notes = append(slices.Clone(sized.Provenance.Notes), z.Text())
		o.Learned = sized
	}
	c.tell("sizes: times %.3f, kept: %v", z.Factor, z.Kept)
	log.write("sizes", map[string]any{"factor": z.Factor, "kept": z.Kept})
	return nil
}

// sized fits the factor to one half of the games, examines the other, and returns a copy of m with
// it; nil if one half is empty, or no factor above 0 fits.
func (c *Options) sized(ctx context.Context, z *Sizes, data *datasets.Set, m *models.Linear, collected []int32) (*models.Linear, error) {
	rows, _, err := fit.Rows(ctx, c.World, data, fit.Options{Set: m.Features, Leaves: m.Leaves, Workers: c.Workers})
	if err != nil {
		return nil, err
	}
	half := learn.SplitEvery(2, c.Seed)
	first, err := c.examine(ctx, m, rows, collected, half)
	if err != nil || first == nil {
		return nil, err
	}
	other := func(episode uint64) bool { return !half(episode) }
	if z.Before, err = c.examine(ctx, m, rows, collected, other); err != nil || z.Before == nil {
		return nil, err
	}
	if z.Factor = first.Evaluations[0].Factor; !(z.Factor > 0) {
		return nil, nil
	}
	sized := times(m, z.Factor, collected)
	z.After, err = c.examine(ctx, sized, rows, collected, other)
	return sized, err
}

// times is m with all weights times factor, except the terms in keep. It has no standard errors,
// which would lack the factor's.
func times(m *models.Linear, factor float64, keep []int32) *models.Linear {
	out := m.Clone()
	out.Errors, out.BiasError = nil, 0
	out.Bias *= factor
	for i := range out.Weights {
		if !slices.Contains(keep, int32(i)) {
			out.Weights[i] *= factor
		}
	}
	for i, w := range out.Table {
		out.Table[i] = float32(float64(w) * factor)
	}
	return out
}

// collected are the terms of m with the score collected so far: those that the recipe freezes.
// None if the game has no points, or a link is between weighted sum and value.
func (c *Options) collected(m *models.Linear) (terms []int32, err error) {
	frozen, err := c.World.FrozenIn(m.Features)
	if err != nil || m.Link.Kind != models.Identity {
		return nil, err
	}
	for i := range m.Weights {
		if _, ok := frozen[m.Name(int32(i))]; ok {
			terms = append(terms, int32(i))
		}
	}
	return terms, nil
}

// examine compares m's predictions with results on the rows whose episodes count selects (nil:
// all): of the remaining score, if points are collected. nil: no such rows.
func (c *Options) examine(ctx context.Context, m *models.Linear, rows datasets.Samples, collected []int32, count func(episode uint64) bool) (*validate.Examination, error) {
	base := c.World.Base()
	view := validate.Reading{Link: m.Link, Lo: base.Min, Hi: base.Max}
	if count != nil {
		view.Rows = func(s *datasets.Sample) bool { return count(s.Episode) }
	}
	known := func(s *datasets.Sample) (sum float64) {
		for _, t := range s.X {
			if slices.Contains(collected, t.Index) {
				sum += float64(m.Weight(t.Index) * float64(t.Value))
			}
		}
		return sum
	}
	x, err := validate.Examine(ctx, validate.ForecastsOf(ctx, m, rows, view, known), validate.Examining{
		Names: []string{"learned"}, Lo: base.Min, Hi: base.Max, ToCome: len(collected) > 0,
	})
	if errors.Is(err, learn.ErrNoRows) {
		return nil, nil
	}
	return x, err
}

// lessens reports whether the factor lessens the error of the games that it was not fitted to.
func (z *Sizes) lessens() bool {
	return z.After != nil && z.After.Evaluations[0].Squared.Value < z.Before.Evaluations[0].Squared.Value
}

// Text says in a sentence what the factor is worth.
func (z *Sizes) Text() string {
	switch {
	case z.Before == nil:
		return fmt.Sprintf("Sizes: %d games are too few to fit a factor to one half and measure it on the other.", z.Data.Episodes)
	case z.After == nil:
		return "Sizes: no factor above 0 fits the score still to come."
	}
	text := fmt.Sprintf("Sizes: times %.3f on the score still to come, fitted to half of %d games, takes R² over the other half from %.3f to %.3f",
		z.Factor, z.Data.Episodes, z.Before.Evaluations[0].R2, z.After.Evaluations[0].R2)
	if z.Kept {
		return text + "; the model carries it."
	}
	return text + ", which is no gain: the values stay as they were learned."
}
