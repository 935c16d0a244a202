package loop

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/learn/fit"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
)

// Test compares a trained evaluation's predictions with the results of games that it plays against
// itself after learning. In games with a score, it predicts the remaining score, because the score
// so far is known.
type Test struct {
	Agent   string             `json:"agent"`
	Data    *datasets.Manifest `json:"data"`
	Outcome stats.Estimate     `json:"outcome"` // mean outcome of player 0 over the episodes
	Rows    int64              `json:"rows"`
	R2      float64            `json:"r2"`      // fraction of the variance that the predictions explain; negative if a constant would be more accurate
	LineR2  float64            `json:"line_r2"` // R2 after the best linear transformation of the predictions

	// Examination includes the bias by stage of the game. It is nil if every episode was truncated.
	Examination *validate.Examination `json:"examination,omitempty"`

	patterns []fit.PatternTable
}

// test plays the test games and evaluates the predictions on them.
func (o *Result) test(ctx context.Context) error {
	c := &o.Options
	data, agent, err := c.selfPlay(ctx, selfPlay{
		what: "test games", agent: catalog.WithEval(c.Recipe.Planner, o.Model), dir: filepath.Join(c.Dir, "data"),
		episodes: c.Recipe.Tests, seed: game.Seed(c.Seed, game.StreamTest),
	})
	if err != nil {
		return err
	}
	o.Test = &Test{Agent: agent, Data: &data.Manifest}
	return c.timeFit(fmt.Sprintf("test games: the predictions for %d positions", data.Manifest.Records), c.Recipe.Tests, data.Manifest.Records, func() error {
		return c.predictions(ctx, o.Test, o.Learned, data)
	})
}

// predictions compares the predictions of m with the results of the test games. In games with a
// score, it compares the remaining score.
func (c *Options) predictions(ctx context.Context, t *Test, m *models.Linear, data *datasets.Set) (err error) {
	if t.Outcome, err = meanOutcome(data); err != nil {
		return err
	}
	rows, set, err := fit.Rows(ctx, c.World, data, fit.Options{Set: m.Features, Leaves: m.Leaves, Workers: c.Workers})
	if err != nil {
		return err
	}
	if t.patterns, err = fit.PatternTables(set, m, rows); err != nil {
		return err
	}
	collected, err := c.collected(m)
	if err != nil {
		return err
	}
	known := func(s *datasets.Sample) (sum float64) {
		for _, t := range s.X {
			if slices.Contains(collected, t.Index) {
				sum += float64(m.Weight(t.Index) * float64(t.Value))
			}
		}
		return sum
	}
	base := c.World.Base()
	view := validate.Reading{Link: m.Link, Lo: base.Min, Hi: base.Max}
	x, err := validate.Examine(ctx, validate.ForecastsOf(ctx, m, rows, view, known), validate.Examining{
		Names: []string{"learned"}, Lo: base.Min, Hi: base.Max, ToCome: len(collected) > 0,
	})
	if err != nil {
		if errors.Is(err, learn.ErrNoRows) {
			return nil
		}
		return err
	}
	learned := &x.Evaluations[0]
	t.Examination, t.Rows, t.R2, t.LineR2 = x, x.Rows, learned.R2, learned.LineR2
	return nil
}

// collected returns the terms of m that contain the score so far, which are the terms that the
// recipe freezes. It returns no terms if the game has no score or the model has a link other than
// the identity.
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

// selfPlay describes a data set to be generated.
type selfPlay struct {
	what     string // text for the progress display
	agent    string
	dir      string
	episodes int
	seed     uint64
}

// selfPlay generates the data set described by p, or resumes its generation. The result identity
// identifies the player.
func (c *Options) selfPlay(ctx context.Context, p selfPlay) (data *datasets.Set, identity string, err error) {
	player, err := c.World.Agent(p.agent, catalog.AgentOptions{})
	if err != nil {
		return nil, "", err
	}
	work := c.startPart(kindSelfPlay, p.what+" of "+c.World.Label(), p.episodes)
	// Episodes are played to the end. If they stopped at the first proof, hardly any rows would
	// contain terms such as connect four's win-now, and the learned model would be weaker than the
	// hand-written one (29.9, 41.8 and 43.3% at depths 1, 3 and 5).
	_, err = selfplay.Run(ctx, selfplay.Config{
		Game: c.World.Game, Agents: []search.Factory{player.Factory},
		Episodes: p.episodes, Seed: p.seed, Openings: c.Recipe.Openings, Explore: c.Recipe.Explore,
		Workers: c.Workers, Dir: p.dir, Progress: work.set,
	})
	work.finish()
	if err != nil {
		return nil, "", err
	}
	if data, err = datasets.Open(p.dir); err != nil {
		return nil, "", err
	}
	return data.Until(ctx), player.Identity, nil
}

// describe returns a paragraph about the accuracy of the predictions.
func (t *Test) describe() report.Text { return report.Text(say("test", t)) }
