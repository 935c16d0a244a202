package loop

import (
	"context"
	"fmt"
	"path/filepath"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/report"
)

// A Trial is one of several ways to learn. The trial whose model plays best is kept.
type Trial struct {
	Learner string `json:"learner"`
	Model   string `json:"-"` // path of the model's file

	// Match is the match against the best earlier trial, or nil for the first trial.
	Match *arena.Result `json:"match,omitempty"`
	Best  bool          `json:"best"` // whether it was the best trial up to then
}

// tournament runs each of the recipe's trials in a separate directory and adopts the result of the
// winner.
func (o *Result) tournament(ctx context.Context) error {
	c := &o.Options
	var winner *Result
	for k, stages := range c.Recipe.Trials {
		sub := *c
		sub.Dir = filepath.Join(c.Dir, fmt.Sprintf("trial-%d", k+1))
		sub.Recipe.Trials, sub.Recipe.Training = nil, stages
		r := &Result{Options: sub, Model: filepath.Join(sub.Dir, "model.json")}
		if err := r.learn(ctx); err != nil {
			return err
		}
		t := Trial{Learner: sub.Recipe.Learner(), Model: r.Model}
		if err := c.challenge(ctx, &t, o.Trials, fmt.Sprintf("trial-%d", k+1)); err != nil {
			return err
		}
		o.Trials = append(o.Trials, t)
		text := t.Learner
		if t.Match != nil {
			text += ", " + ending(shareText(t.Match), t.Best)
		}
		c.printf("trial %d of %d: %s", k+1, len(c.Recipe.Trials), text)
		c.log("trial", map[string]any{"trial": k + 1, "learner": t.Learner, "best": t.Best})
		loser := r
		if t.Best {
			loser, winner = winner, r
		}
		if loser != nil && loser.Fitted != nil {
			loser.Fitted.Close()
		}
	}
	if len(winner.Stages) == 0 {
		c.pace.plan(kindSelfPlay, -c.Recipe.Tests)
		c.pace.plan(kindFit, -c.Recipe.Tests)
	}
	o.Stages, o.Rounds, o.Shipped, o.Fitted, o.Learned = winner.Stages, winner.Rounds, winner.Shipped, winner.Fitted, winner.Learned
	c.Recipe.Trials, c.Recipe.Training = nil, winner.Options.Recipe.Training
	c.Recipe.Why = fmt.Sprintf("it won a tournament of %d learners by paired play", len(o.Trials))
	return o.Learned.File().Save(o.Model)
}

// challenge plays a match between the model of t and that of the best earlier trial. If t scores
// more than 50%, it replaces the earlier trial. The parameter name is the name of the match.
func (c *Options) challenge(ctx context.Context, t *Trial, before []Trial, name string) error {
	t.Best = true
	best := -1
	for i := range before {
		if before[i].Best {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	m := c.trialMatch(name, before[best].Model, game.StreamTrial, uint64(len(before)))
	if err := c.play(ctx, &m, t.Model); err != nil {
		return err
	}
	t.Match, t.Best = &m.Result, lead(&m.Result) > 0
	return nil
}

// trialMatch returns a match that decides which of two models is kept. It ends early if the
// sequential test reaches a decision. Its games differ from those of the contests. The hypotheses
// of the test are symmetric about an even score. Whether or not the test reaches a decision, the
// better model is the one with the higher score.
func (c *Options) trialMatch(file, before string, stream ...uint64) Contest {
	return Contest{
		World: c.World, Planner: c.Recipe.Planner, A: "learned", B: "before", Pairs: c.trialPairs(),
		Seed: game.Seed(append([]uint64{c.Seed}, stream...)...), file: file, before: before,
		sprt: &stats.SPRT{Low: -trialElo, High: trialElo},
	}
}

func (c *Options) trialPairs() int { return max(20, c.Recipe.Pairs) }

// trialElo is the distance between an even result and each hypothesis of the sequential test in a
// trial's match, in normalised Elo. It corresponds to a score of about 53% if half of the pairs are
// even.
const trialElo = 20

// lead returns A's margin above even.
func lead(r *arena.Result) float64 {
	if r.Measure == arena.Wins {
		return r.Points.Value - 0.5
	}
	return r.Difference.Value
}

func trialTable(trials []Trial, caption string) report.Table {
	t := report.Table{Head: []string{"learner", "match against the best earlier model", "pairs", "best so far"}, Words: 1, Caption: caption}
	for _, r := range trials {
		row := []string{r.Learner, "", "", "no"}
		if r.Match != nil {
			row[1], row[2] = shareText(r.Match), fmt.Sprint(r.Match.Pairs)
		}
		if r.Best {
			row[3] = "yes"
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
