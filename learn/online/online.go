// Package online contains the parts common to all methods of learning while playing. In these
// methods, such as temporal-difference learning over afterstates, the weights change from one game
// to the next.
//
// A run proceeds as follows:
//
//  1. A [Task] specifies the world, the feature set and the initial model. Everything random is
//     derived from its seed.
//  2. A [Learner] plays episodes of the task against itself and updates the weights. Each episode
//     is played on a [Game], which starts with the task's random opening. There are four kinds of
//     learners: plyfit/learn/online/td learns the value of a position from the positions that
//     follow it, plyfit/learn/online/bootstrap learns from its own searches,
//     plyfit/learn/online/evolution maximises the result of whole games, and
//     plyfit/learn/online/cfr approximates an equilibrium of a small game with hidden cards.
//  3. The learners of td and bootstrap share two kinds of steps. [Weights] takes a step for each
//     position, as temporal differences require; it supports sparse features and tables of millions
//     of weights. [Gradient] sums the gradients of many positions from several workers in a fixed
//     order, and [Descent] takes a single step for all of them. Both support decaying step sizes,
//     temporal coherence and averages over time ([Average]).
//  4. [Run] drives a learner from checkpoint to checkpoint. At the points of the learning curve
//     ([Curve]) the model plays the same games against a fixed opponent. Each [Point] is written to
//     the log immediately. Run returns a [Report] and writes a page with the curve to the run's
//     folder.
//
// A run that was killed can be resumed from its last checkpoint. It ends with exactly the same
// weights as an uninterrupted run, because a learner stores its complete state in a [Snapshot].
package online

import (
	"context"

	"plyfit/models"
	"plyfit/search"
)

// A Learner implements one method of learning while playing. It must not be used by several
// goroutines at the same time, although it may run several workers itself.
type Learner interface {
	// Advance plays and learns from episodes [from, to), counted from 0. The result depends only on
	// the seed. It does not depend on the number of workers or on the division of the episodes into
	// calls, provided that the calls are consecutive and each starts at a multiple of the number of
	// episodes that are played with the same weights. After an error, including ctx.Err(), the
	// learner must not be used again. To continue, restore an earlier checkpoint.
	Advance(ctx context.Context, from, to int) error
	// Model returns the model as it would be shipped, with averaged weights if the learner averages
	// them. The model may share memory with the learner and is valid until the next call to Advance
	// or Persist.
	Model() *models.Linear
	// Persist reads or writes the complete state of the learner: weights, averages, step sizes and
	// counters.
	Persist(s *Snapshot) error
	// Tally returns the results of the episodes so far.
	Tally() Tally
}

// A Planner returns a function that creates the agents for one worker. The agents evaluate
// positions with eval and report their nodes to o, unless o is nil. Their moves must not depend on
// the time taken or on races between threads.
type Planner func(eval search.Evaluator, o search.Observer) (fresh func() (search.Agent, error), err error)
