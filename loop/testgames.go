package loop

import (
	"context"
	"fmt"
	"path/filepath"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/fit"
	"plyfit/game"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/report"
	"plyfit/search"
	"plyfit/selfplay"
)

// Test is how well a trained evaluation predicts the games that it plays with itself
// when all learning is over: none of them taught it anything.
type Test struct {
	Agent   string             `json:"agent"`
	Data    *datasets.Manifest `json:"data"`
	Outcome stats.Estimate     `json:"outcome"` // mean outcome of player 0 over the episodes
	Rows    int64              `json:"rows"`
	R2      float64            `json:"r2"`      // share of the outcomes' variance that the predictions explain; below 0 where a constant would err less
	LineR2  float64            `json:"line_r2"` // the same after the best straight line: of what the order and spacing of predictions know, whatever their scale

	bins     []validate.Stratum[int]
	patterns []fit.PatternTable
}

// test plays the games and compares predictions with outcomes.
func (o *Result) test(ctx context.Context) (err error) {
	o.Test, err = o.Options.test(ctx, o.Learned, o.Model)
	return err
}

func (c *Options) test(ctx context.Context, m *models.Linear, path string) (*Test, error) {
	data, agent, err := c.selfPlay(ctx, selfPlay{
		what: "test games", agent: catalog.WithEval(c.Recipe.Planner, path), dir: filepath.Join(c.Dir, "data"),
		episodes: c.Recipe.Tests, seed: game.Seed(c.Seed, game.StreamTest),
	})
	if err != nil {
		return nil, err
	}
	t := &Test{Agent: agent, Data: &data.Manifest}
	if t.Outcome, err = meanOutcome(data); err != nil {
		return nil, err
	}
	rows, set, err := fit.Rows(ctx, c.World, data, fit.Options{Set: m.Features, Leaves: m.Leaves, Workers: c.Workers})
	if err != nil {
		return nil, err
	}
	if t.patterns, err = fit.PatternTables(set, m, rows); err != nil {
		return nil, err
	}
	base := c.World.Base()
	view := validate.Reading{Link: m.Link, Lo: base.Min, Hi: base.Max}
	if t.bins, err = validate.Calibrate(ctx, m, rows, view, 10); err != nil {
		return nil, err
	}
	all, err := validate.Residuals(ctx, m, rows, view, func(*datasets.Sample) int { return 0 })
	if err != nil || len(all) == 0 {
		return t, err
	}
	t.Rows = all[0].Rows
	return t, t.explain(m, rows, view, &all[0])
}

// explain works out the shares of the outcomes' variance that predictions explain, as
// they stand and along the best line: 1 - sum (y-p)² / sum (y-ȳ)², and the square of
// their correlation. all are the means over the rows.
func (t *Test) explain(m *models.Linear, rows datasets.Samples, view validate.Reading, all *validate.Stratum[int]) error {
	var outcomes, predictions, both, errors float64
	for s, err := range rows.All() {
		if err != nil {
			return err
		}
		p := view.Link.Apply(m.Dot(s.X), view.Lo, view.Hi)
		y, e := s.Y-all.Realised, s.Y-p
		p -= all.Predicted
		outcomes += float64(s.Weight * y * y)
		predictions += float64(s.Weight * p * p)
		both += float64(s.Weight * y * p)
		errors += float64(s.Weight * e * e)
	}
	if outcomes > 0 {
		t.R2 = 1 - errors/outcomes
	}
	if outcomes > 0 && predictions > 0 {
		t.LineR2 = both / outcomes * (both / predictions)
	}
	return nil
}

// Scale says in a sentence what predictions are worth that err more than a constant
// would; "" where they do not.
func (t *Test) Scale() string {
	if t.R2 >= 0 {
		return ""
	}
	return fmt.Sprintf("R² is below 0: the predictions are right in order more than in size (R² %.3f after the best straight line), and moves are chosen by their order.", t.LineR2)
}

// selfPlay is a data set to be made.
type selfPlay struct {
	what     string // for the progress
	agent    string
	dir      string
	episodes int
	seed     uint64
}

// selfPlay plays the data set, or what is missing of it; identity is who played.
func (c *Options) selfPlay(ctx context.Context, p selfPlay) (data *datasets.Set, identity string, err error) {
	player, err := c.World.Agent(p.agent, catalog.AgentOptions{})
	if err != nil {
		return nil, "", err
	}
	work := c.begin(kindSelfPlay, p.what+" of "+c.World.Spec, p.episodes)
	// Episodes are played to their ends: where they stop at the first proof, terms
	// such as connect four's win-now have hardly a row, and what is learned plays
	// worse than the hand-written model (29.9, 41.8 and 43.3% at depths 1, 3 and 5).
	_, err = selfplay.Run(ctx, selfplay.Config{
		Game: c.World.Game, Agents: []search.Factory{player.Factory},
		Episodes: p.episodes, Seed: p.seed, Openings: c.Recipe.Openings, Explore: c.Recipe.Explore,
		Workers: c.Workers, Dir: p.dir, Progress: work.set,
	})
	work.finish()
	if err != nil {
		return nil, "", err
	}
	data, err = datasets.Open(p.dir)
	return data, player.Identity, err
}

// calibration draws predicted against realised outcomes.
func (t *Test) calibration() (report.Figure, error) {
	s := report.Series{Name: "rows in tenths"}
	var groups []fit.Group
	for i := range t.bins {
		b := &t.bins[i]
		half := b.Half()
		groups = append(groups, fit.Group{Predicted: b.Predicted, Realised: b.Realised, Low: b.Realised - half, High: b.Realised + half})
		s.X, s.Y = append(s.X, b.Predicted), append(s.Y, b.Realised)
		s.Low, s.High = append(s.Low, b.Realised-half), append(s.High, b.Realised+half)
	}
	return calibrationFigure(s, "What the learned evaluation predicted for positions of games that it played after learning, and what came of them, with 95% intervals clustered by episode. On the dotted line predictions are right on average. "+fit.CalibrationText(groups))
}

// describe says on the page how the predictions fared.
func (t *Test) describe() report.Text {
	return report.Text(fmt.Sprintf("After learning the evaluation played %d games with itself, of which it has learned nothing (%d cut off, mean outcome of player 0 %s). Its predictions explain %.1f%% of the variance of the outcomes over %d positions, and %.1f%% after the best straight line through them.",
		t.Data.Episodes, t.Data.Truncated, plusMinus(t.Outcome), 100*t.R2, t.Rows, 100*t.LineR2))
}
