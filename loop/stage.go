package loop

import (
	"context"
	"fmt"
	"path/filepath"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/progress"
	"plyfit/learn/online/runner"
	"plyfit/train"
)

// Stage is one stage of learning while playing.
type Stage struct {
	Method   string              `json:"method"`
	Features string              `json:"features"`
	Settings []runner.RecipeItem `json:"settings"` // what the weights depend on
	Points   []runner.Point      `json:"points"`   // the learning curve
	Episodes int                 `json:"episodes"`
	Moves    int64               `json:"moves"`
}

// train learns by the recipe's training. The first stage draws from the run's own
// seed, so that plyfit train gives its weights again.
func (o *Result) train(ctx context.Context, log *runLog) error {
	c := &o.Options
	var before *train.Result
	for k := range c.Recipe.Training {
		found, err := c.stage(ctx, k, before)
		if err != nil {
			return err
		}
		t := &found.Report.Tally
		o.Stages = append(o.Stages, Stage{found.Model.Provenance.Method, found.Set.Name(), found.Recipe, found.Report.Points, t.Episodes, t.Moves})
		log.write("stage", map[string]any{"stage": k + 1, "episodes": t.Episodes, "moves": t.Moves, "seconds": found.Report.Seconds})
		before = found
	}
	o.Learned = before.Model
	o.Learned.Provenance.Command = c.Command
	if err := o.Learned.File().Save(o.Model); err != nil {
		return err
	}
	var err error
	o.Test, err = c.test(ctx, before.Set, o.Learned, o.Model)
	return err
}

// stage runs stage k, from 0 on, or the rest of it.
func (c *Options) stage(ctx context.Context, k int, before *train.Result) (*train.Result, error) {
	t := c.Recipe.Training[k]
	o, err := c.trainOptions(t)
	if err != nil {
		return nil, err
	}
	if before != nil && !t.Random {
		o.Init = train.Init{Name: fmt.Sprintf("stage %d", k), Set: before.Set, Model: before.Model}
	}
	o.Dir, o.Seed = filepath.Join(c.Dir, fmt.Sprintf("stage-%d", k+1)), c.Seed
	if k > 0 {
		o.Seed = game.Seed(c.Seed, game.StreamStage, uint64(k))
	}
	bar := progress.New(c.Log, fmt.Sprintf("stage %d of %d: games of %s", k+1, len(c.Recipe.Training), c.World.Spec), int64(t.Episodes), c.Quiet)
	o.Progress = func(n int) { bar.Set(int64(n)) }
	found, err := train.Run(ctx, c.World, o)
	bar.Finish()
	return found, err
}

// trainOptions are a stage's settings with the method's own choices in the gaps.
func (c *Options) trainOptions(t features.Training) (train.Options, error) {
	method, err := train.MethodNamed(t.Method)
	if err != nil {
		return train.Options{}, err
	}
	o, err := train.Defaults(c.World, method, t.Set)
	if err != nil {
		return o, err
	}
	number := func(x *float64, given float64) {
		if given != 0 {
			*x = given
		}
	}
	number(&o.Alpha, t.Alpha)
	number(&o.Epsilon, t.Epsilon)
	number(&o.Root, t.Root)
	number(&o.Sharp, t.Sharp)
	number(&o.Jitter, t.Jitter)
	number(&o.Average, t.Average)
	if t.Batch != 0 {
		o.Batch = t.Batch
	}
	if t.Openings != 0 {
		o.Openings = t.Openings
	}
	o.Episodes, o.Decay, o.Lambda, o.TC = t.Episodes, t.Decay, t.Lambda, t.TC
	o.OnPolicy, o.Wins, o.Link, o.Scale, o.Agent = t.OnPolicy, t.Wins, t.Link, t.Scale, t.Agent
	o.Leaves, o.Population = t.Leaves, t.Population
	o.Init.Random = t.Random
	o.Workers, o.Command = c.Workers, c.Command
	// The curve is for looking at: no setting and no stop follows from it.
	o.Curve.Every, o.Curve.Pairs, o.Curve.Planner = max(1, t.Episodes/5), min(30, c.Recipe.Pairs), c.Recipe.Planners[0]
	return o, nil
}

// Games is how many games the training took in all.
func (o *Result) Games() (n int) {
	for _, s := range o.Stages {
		n += s.Episodes
	}
	return n
}
