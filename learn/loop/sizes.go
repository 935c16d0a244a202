package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/fit"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/study/report"
)

// Sizes is the rescaling of a trained evaluation's values in a game that collects points. Values
// learned while playing may be right in order and wrong in size: 2048's tables promise 8,400 at
// the last move of a game. Expectimax averages values and adds them to points at hand, so it needs
// sizes. One factor on the remaining score is fitted to half of the trained evaluation's games,
// measured on the other half, and kept unless play is significantly worse with it.
type Sizes struct {
	Agent  string             `json:"agent"`
	Data   *datasets.Manifest `json:"data"`
	Factor float64            `json:"factor"` // on the score still to come, fitted to one half
	// Before and After examine the other half, with the learned values and times the factor.
	Before *validate.Examination `json:"before"`
	After  *validate.Examination `json:"after"`
	// Match is of the model with the factor against the one without; nil if the factor did not
	// lessen the error of the other half, so that nothing was played.
	Match *arena.Result `json:"match,omitempty"`
	Kept  bool          `json:"kept"` // the model that ships has the factor in its weights
}

// What fitting sizes has in its folder while it is under way: the model with the factor.
const (
	sizesFolder = "sizes"
	sizedModel  = "model.json"
	sizedTable  = "model.weights"
)

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
		c.pace.plan(kindMatch, -c.Recipe.Pairs)
		return err
	}
	data, agent, err := c.selfPlay(ctx, selfPlay{
		what: "games for sizes", agent: catalog.WithEval(c.Recipe.Planner, path), dir: filepath.Join(c.Dir, sizesFolder, "data"),
		episodes: c.Recipe.Sizes, seed: game.Seed(c.Seed, game.StreamSizes),
	})
	if err != nil {
		return err
	}
	o.Sizes = &Sizes{Agent: agent, Data: &data.Manifest}
	z := o.Sizes
	sized, err := c.sized(ctx, z, data, o.Learned, collected)
	if err != nil {
		return err
	}
	if z.lessens() {
		if err := c.sizesMatch(ctx, z, sized, path); err != nil {
			return err
		}
	} else {
		c.pace.plan(kindMatch, -c.Recipe.Pairs)
	}
	if z.Kept {
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

// sizesMatch plays the model with the factor against the one without, at path. It is kept unless
// its interval lies below even. The games are not the contests', so that nothing is chosen by what
// is reported.
func (c *Options) sizesMatch(ctx context.Context, z *Sizes, sized *models.Linear, path string) error {
	dir := filepath.Join(c.Dir, sizesFolder)
	if err := sized.File().Save(filepath.Join(dir, sizedModel)); err != nil {
		return err
	}
	t := Contest{
		World: c.World, Planner: c.Recipe.Planners[0], A: "learned", B: "before", Pairs: c.Recipe.Pairs,
		Seed: game.Seed(c.Seed, game.StreamSized), file: sizesFolder, before: path,
	}
	if err := c.play(ctx, &t, filepath.Join(dir, sizedModel)); err != nil {
		return err
	}
	z.Match, z.Kept = &t.Result, t.Result.Conclusion != arena.BetterB
	for _, name := range []string{sizedModel, sizedTable} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
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
	before, after := z.Before.Evaluations[0].R2, z.After.Evaluations[0].R2
	fitted := fmt.Sprintf("times %.3f on the score still to come, fitted to half of %d games, takes R² over the other half from %.3f to %.3f", z.Factor, z.Data.Episodes, before, after)
	switch {
	case z.Match == nil:
		return "Sizes: " + fitted + ", which is no gain: the values stay as they were learned."
	case z.Kept:
		return fmt.Sprintf("Sizes: %s; the model carries it, since its play is not clearly worse: %s a game in %d pairs.", fitted, Share(z.Match), z.Match.Pairs)
	}
	return fmt.Sprintf("Sizes: %s, but play is clearly worse for it: %s a game in %d pairs; the values stay as they were learned.", fitted, Share(z.Match), z.Match.Pairs)
}

// table shows the bias by stage before and after.
func (z *Sizes) table() report.Table {
	t := report.Table{
		Head:    []string{"plies", "positions", "to come", "as learned", "with the factor"},
		Caption: "Predicted minus realised, on average, in fifths of the positions by ply, with 95% intervals clustered by game. It is of the half that the factor was not fitted to.",
	}
	for i := range z.Before.Stages {
		b, a := &z.Before.Stages[i], &z.After.Stages[i]
		t.Rows = append(t.Rows, []string{plies(b), fmt.Sprint(b.Rows), fmt.Sprintf("%.4g", b.Realised), bias(b), bias(a)})
	}
	return t
}
