package loop

import (
	"context"
	"fmt"
	"path/filepath"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/fit"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
	"plyfit/study/report"
)

// Test is how well a trained evaluation predicts the games that it plays with itself after all
// learning. If points are collected, predictions are of the remaining score, since the collected
// part is known.
type Test struct {
	Agent   string             `json:"agent"`
	Data    *datasets.Manifest `json:"data"`
	Outcome stats.Estimate     `json:"outcome"` // mean outcome of player 0 over the episodes
	Rows    int64              `json:"rows"`
	R2      float64            `json:"r2"`      // share of the variance that the predictions explain; below 0 where a constant would err less
	LineR2  float64            `json:"line_r2"` // the same after the best straight line: of what the order and spacing of predictions know, whatever their scale

	// Examination includes the bias by stage of the game; nil if every episode was cut off.
	Examination *validate.Examination `json:"examination,omitempty"`

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
	collected, err := c.collected(m)
	if err != nil {
		return nil, err
	}
	if t.Examination, err = c.examine(ctx, m, rows, collected, nil); err != nil || t.Examination == nil {
		return t, err
	}
	learned := &t.Examination.Evaluations[0]
	t.Rows, t.R2, t.LineR2 = t.Examination.Rows, learned.R2, learned.LineR2
	return t, nil
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
	of := ""
	if t.Examination.ToCome {
		of = " Both are of the score still to come."
	}
	return calibrationFigure("rows in tenths", t.Examination.Calibration, "What the learned evaluation predicted for positions of games that it played after learning, and what came of them, with 95% intervals clustered by episode."+of)
}

// describe says on the page how the predictions fared.
func (t *Test) describe() report.Text {
	of, more := "the outcomes", ""
	if x := t.Examination; x != nil && x.ToCome {
		of = "the score still to come"
		if whole := x.Evaluations[0].OutcomeR2; whole != nil {
			more = fmt.Sprintf(" Of the whole outcome, which counts what is collected already, it is %.1f%%.", 100**whole)
		}
	}
	if t.R2 < 0 {
		more += " A constant would err less."
	}
	return report.Text(fmt.Sprintf("After learning the evaluation played %d games with itself, of which it has learned nothing (%d cut off, mean outcome of player 0 %s). Its predictions explain %.1f%% of the variance of %s over %d positions, and %.1f%% after the best straight line through them.%s",
		t.Data.Episodes, t.Data.Truncated, plusMinus(t.Outcome), 100*t.R2, of, t.Rows, 100*t.LineR2, more))
}

// stages shows the bias by stage of the game.
func (t *Test) stages() report.Table {
	table := report.Table{
		Head:    []string{"plies", "positions", "predicted", "realised", "predicted minus realised"},
		Caption: "Fifths of the positions by ply: how far a game has come is known when a value is reported. Means, with 95% intervals clustered by game.",
	}
	if t.Examination.ToCome {
		table.Caption += " Predicted and realised are the score still to come."
	}
	for i := range t.Examination.Stages {
		s := &t.Examination.Stages[i]
		table.Rows = append(table.Rows, []string{plies(s), fmt.Sprint(s.Rows), fmt.Sprintf("%.4g", s.Predicted), fmt.Sprintf("%.4g", s.Realised), bias(s)})
	}
	table.Rows = append(table.Rows, []string{"all", fmt.Sprint(t.Rows), "", "", meanBias(t.Examination)})
	return table
}

// plies are those of a stage.
func plies(s *validate.Stage) string { return fmt.Sprintf("%d to %d", s.First, s.Last) }

// bias is predicted minus realised at a stage, with its interval.
func bias(s *validate.Stage) string {
	e := stats.Estimate{Value: s.Bias(), Known: true}
	if half := s.Half(); half > 0 {
		e.Bounded, e.Low, e.High = true, e.Value-half, e.Value+half
	}
	return plusMinus(e)
}

// meanBias is that of all rows.
func meanBias(x *validate.Examination) string {
	f := &x.Evaluations[0].Bias
	e := stats.Estimate{Value: f.Value, Known: true}
	if f.Low != nil {
		e.Bounded, e.Low, e.High = true, *f.Low, *f.High
	}
	return plusMinus(e)
}
