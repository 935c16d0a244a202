// Package online is what all learners have in common that learn while they play: temporal
// differences over afterstates, and what else changes the weights between one game and the next.
//
// The journey of a run:
//
//  1. A [Task] names the world, the feature set and the model that learning begins
//     with. Everything random follows from its seed.
//  2. A [Learner] plays episodes of it against itself, each on a [Game] that begins
//     with the task's random opening, and moves the weights. There are four kinds:
//     plyfit/learn/online/td learns what positions are worth from those that follow,
//     plyfit/learn/online/bootstrap from its own searches,
//     plyfit/learn/online/evolution what gets most in whole games, and
//     plyfit/learn/online/cfr an equilibrium of a small game with hidden cards.
//  3. All of them take the same steps: [Weights] takes one for each position, as temporal
//     differences want it, sparse and in tables of millions of weights; [Gradient] adds
//     up what many positions say, from several workers in one order, and [Descent] takes
//     one step for all of them. Step sizes, their decay, temporal coherence and averages
//     over time ([Average]) are theirs.
//  4. [Run] drives a learner from checkpoint to checkpoint. At the points of its learning
//     curve ([Curve]) the model plays the same games against a fixed opponent; each
//     [Point] goes into the log at once. It leaves a [Report], and in the run's folder
//     the log and a page with the curve.
//
// A run that was killed at any moment goes on from its last checkpoint and ends with
// the very weights of a run that no one disturbed: a learner names all that it would
// go on with to a [Snapshot].
package online

import (
	"context"

	"plyfit/models"
	"plyfit/search"
)

// Learner is one way of learning while playing. It belongs to one goroutine,
// whatever number of workers it has play.
type Learner interface {
	// Advance plays and learns from episodes [from, to), the first of them number 0. What comes out
	// depends on the seed alone: not on the number of workers, nor on how the episodes are cut into
	// calls, as long as the calls follow on each other and begin at multiples of the episodes that
	// are played with the same weights. After an error (ctx's among them) the learner is of no more
	// use: a checkpoint from before goes on.
	Advance(ctx context.Context, from, to int) error
	// Model is the model as it would ship now, averaged where the learner averages. It may share
	// memory with the learner, and is valid until the next call of Advance or Persist.
	Model() *models.Linear
	// Persist names to s all that is needed to go on: weights, averages, step sizes, counters.
	Persist(s *Snapshot) error
	// Tally is how the episodes went so far.
	Tally() Tally
}

// Planner makes what makes the planners of one worker, which evaluate by eval and tell o of their
// nodes, where o is not nil. Their answers must not depend on time or racing threads.
type Planner func(eval search.Evaluator, o search.Observer) (fresh func() (search.Agent, error), err error)
