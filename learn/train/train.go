// Package train learns while playing: an evaluation plays against itself, and its weights move
// after each game or batch of games. It is the twin of plyfit/learn/fit, which learns from data.
//
// The journey of a run:
//
//  1. [Defaults] are the game's own choices for one of the methods ([Names]).
//  2. [Run] makes a plan of the options: the model to begin with, its link, and the
//     recipe of all that the weights depend on.
//  3. The method makes its learner of the plan.
//  4. [online.Run] drives the learner from checkpoint to checkpoint and measures its
//     learning curve; the [Result] has the model with its provenance.
package train

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/models"
)

// Result is what a run gave.
type Result struct {
	Model  *models.Linear // with its provenance
	Set    features.Set
	Recipe []online.RecipeItem // what the weights depend on
	Report *online.Report
}

// Run learns a model of w. What comes out depends on the recipe alone, unless a limit
// of time ends it. A run that was interrupted goes on from its last checkpoint in
// o.Dir; a folder in which another process is at work is refused.
func Run(ctx context.Context, w *catalog.World, o Options) (*Result, error) {
	p, c, err := prepare(w, &o)
	if err != nil {
		return nil, err
	}
	r, err := online.Run(ctx, c)
	if err != nil {
		return nil, err
	}
	m := *r.Model
	m.Provenance = &models.Provenance{
		Command: o.Command, Episodes: r.Episodes, Label: o.Wins.String(), Method: o.Method, Seed: o.Seed,
	}
	if r.Early {
		m.Provenance.Notes = append(m.Provenance.Notes, fmt.Sprintf("ended by its limit of time after %d games: the command with --games %d in place of --time makes it again", r.Episodes, r.Episodes))
	}
	return &Result{Model: &m, Set: p.Set, Recipe: p.Recipe, Report: r}, nil
}

func prepare(w *catalog.World, o *Options) (*plan, online.Options, error) {
	p, err := newPlan(w, o)
	if err != nil {
		return nil, online.Options{}, err
	}
	learner, err := p.learner()
	if err != nil {
		return nil, online.Options{}, fmt.Errorf("train %s: %w", w.Spec, err)
	}
	curve, err := p.curve(&o.Curve)
	if err != nil {
		return nil, online.Options{}, err
	}
	return p, online.Options{
		Learner: learner, Game: w.Game, Goal: p.Goal != nil, Recipe: p.Recipe, Episodes: p.Episodes, Time: o.Time, Chunk: p.Chunk,
		Dir: o.Dir, CheckpointEvery: o.CheckpointEvery, Curve: curve, Command: o.Command, Middle: o.Middle, Progress: o.Progress, Measured: o.Measured,
	}, nil
}
