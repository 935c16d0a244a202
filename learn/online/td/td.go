// Package td is temporal-difference learning: positions are worth what the positions
// after them are.
//
// The journey of an episode:
//
//  1. An actor plays it by the weights as they are, one for each worker, and keeps
//     the afterstates that were come to.
//  2. [Learner] sweeps over it from its end and moves the value of each afterstate
//     toward what followed, with the steps of plyfit/learn/online/optimiser.
//  3. An extractor reads positions for both: as vectors of features, or, where all
//     that is learned stands in tables, as the places in them.
//
// Where it does, several threads may learn at once on the same weights (together.go).
package td

import (
	"context"
	"fmt"
	"io"
	"sync"

	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/optimiser"
	"plyfit/models"
)

// Learner is temporal-difference learning over afterstates from self-play (Sutton,
// "Learning to predict by the methods of temporal differences", Machine Learning
// 3, 1988). All players use the one evaluation; after an episode the value of
// each afterstate s_k moves toward the lambda-return
//
//	G_k = (1-lambda) V(s_{k+1}) + lambda G_{k+1},   G_n = the outcome.
//
// Where one player's value does not tell the others' ([features.Opposed]: games of
// several players, or in which they see different things), each moves by what he
// himself sees, and s_{k+1} is what his own next move leads to: the others' moves
// between are part of his world, their random ones included.
//
// There are no rewards: what a game pays on the way is in the value of its
// positions, by a frozen term if need be. A move drawn at random says nothing of
// the position before it: there G is the value of the best move, which was at
// hand (Watkins 1989); but see OnPolicy.
//
// The sweep goes backwards over the finished episode, so that no traces are
// needed: with values as they were played with, its sum of changes is exactly
// that of the traces (Sutton and Barto, 2nd ed., section 12.1). By default the
// values are taken afresh, later positions being moved before earlier ones, as
// Szubert and Jaskowski did ("Temporal difference learning of n-tuple networks
// for the game 2048", CIG 2014): what the end teaches reaches the whole game at
// once. The cost is that of one evaluation more a move.
type Learner struct {
	cfg     Options
	scale   online.Scale
	weights *optimiser.Weights
	actors  []*actor
	games   []episode // of a batch
	ahead   []future  // of the sweep: of each player who has values of his own
	tally   online.Tally
	mates   []*Learner // by thread, where there are several
}

// Options makes a [online.Learner].
type Options struct {
	online.Task
	optimiser.Steps
	Lambda float64 // in [0, 1]
	// Wins, from 0 to 1, is the share of who wins in what is learned, by how much
	// being the rest; above 0 for models with a link alone. Those who learn of wins
	// alone may think nothing of a game that is lost altogether.
	Wins float64
	// Offline takes all values of an episode from the weights that it was played
	// with.
	Offline bool
	// OnPolicy learns what positions are worth to players who move at random now
	// and then: random moves teach like any others.
	OnPolicy bool
	// Batch is how many episodes are played with the same weights, which is as
	// many as can be played at once; 0: 1.
	Batch int
	// Threads is how many goroutines play and learn on the same weights, without locks.
	// With more than one, all that is learned stands in tables, Batch is 1, and nothing
	// is repeatable: what an episode is played by depends on who was quicker. 0: 1.
	Threads int
	// EpsilonFade is how many episodes it takes Epsilon to fall to 0, at an even pace; 0: it
	// stays as it is.
	EpsilonFade int
	// Restart, above 0, has an episode of more than so many decisions be gone back to the
	// middle of and played on from there to another end, of which is learned in turn, and
	// again from the middle of that: what comes late in a long game, and is seldom come to,
	// gets as many games as what comes early (Matsuzaki, "Developing a 2048 player with
	// backward temporal coherence learning and restart", ACG 2017). It counts as one
	// episode, whose outcome is that of its first end. Batch is 1 then.
	Restart int
}

var _ online.Learner = (*Learner)(nil)

// New makes a learner.
func New(c Options) (*Learner, error) {
	if err := c.Task.Check(); err != nil {
		return nil, err
	}
	c.Batch = max(1, c.Batch)
	t := &Learner{cfg: c, scale: online.NewScale(c.Game.Base(), c.Model.Link, c.Wins)}
	switch {
	case !(c.Lambda >= 0 && c.Lambda <= 1):
		return nil, fmt.Errorf("lambda=%v: want a number from 0 to 1", c.Lambda)
	case !(c.Wins >= 0 && c.Wins <= 1):
		return nil, fmt.Errorf("label wins:%v: want a share from 0 to 1", c.Wins)
	case c.Wins > 0 && !t.scale.Linked:
		return nil, fmt.Errorf("label wins: want a model with a link, logistic or tanh")
	case c.EpsilonFade < 0:
		return nil, fmt.Errorf("epsilon-fade=%d: want at least 0", c.EpsilonFade)
	case c.EpsilonFade > 0 && c.Epsilon == 0:
		return nil, fmt.Errorf("epsilon-fade=%d: want an epsilon above 0", c.EpsilonFade)
	case c.Restart < 0:
		return nil, fmt.Errorf("restart=%d: want at least 0", c.Restart)
	case c.Restart > 0 && c.Batch > 1:
		return nil, fmt.Errorf("restart=%d and batch=%d: want one of them", c.Restart, c.Batch)
	}
	var err error
	if t.weights, err = optimiser.NewWeights(c.Model, c.Steps, c.Frozen); err != nil {
		return nil, err
	}
	base, viewers := c.Game.Base(), 1
	if !features.Opposed(base) {
		viewers = base.Players
	}
	t.ahead = make([]future, viewers)
	for range min(max(1, c.Workers), c.Batch) {
		t.actors = append(t.actors, newActor(&t.cfg, t.scale, newExtractor(c.Set, c.Model, t.weights, viewers > 1), viewers))
	}
	t.games = make([]episode, c.Batch)
	if c.Threads > 1 {
		return t, t.hire()
	}
	return t, nil
}

// Bytes is the memory of the weights and of what is kept beside them.
func (t *Learner) Bytes() int64 { return t.weights.Bytes() }

// Advance implements [online.Learner].
func (t *Learner) Advance(ctx context.Context, from, to int) error {
	if len(t.mates) > 0 {
		return t.advanceTogether(ctx, from, to)
	}
	for e := from; e < to; e += t.cfg.Batch {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		games := t.games[:min(t.cfg.Batch, to-e)]
		t.play(e, games)
		for i := range games {
			t.end(e+i, &games[i])
		}
	}
	return online.CheckWeights(t.weights.Model, &t.tally, t.cfg.Alpha)
}

// play plays a batch, with as many workers as there are.
func (t *Learner) play(first int, games []episode) {
	if len(t.actors) == 1 {
		for i := range games {
			t.actors[0].play(first+i, &games[i])
		}
		return
	}
	var wait sync.WaitGroup
	for k, w := range t.actors {
		wait.Go(func() {
			for i := k; i < len(games); i += len(t.actors) {
				w.play(first+i, &games[i])
			}
		})
	}
	wait.Wait()
}

// future is what follows on a step of an episode, for one player.
type future struct {
	next   step
	target float64 // the lambda-return from there on
	known  bool    // false before anything that a truncated episode was worth
}

// end learns from an episode that was played, and from what it comes to when it is
// restarted.
func (t *Learner) end(number int, e *episode) {
	t.weights.Episode(number)
	t.tally.Ended(e.outcome)
	t.learn(e)
	for t.cfg.Restart > 0 && t.actors[0].restart(t.cfg.Restart, e) {
		t.learn(e)
	}
}

// learn sweeps over an episode.
func (t *Learner) learn(e *episode) {
	t.tally.Moves += int64(e.moves)
	lambda, unit, extractor := t.cfg.Lambda, t.scale.Unit(), t.actors[0].extractor
	for p := range t.ahead {
		t.ahead[p] = future{next: step{value: e.ends[p]}, target: e.ends[p], known: !e.outcome.Truncated}
	}
	t.ahead[e.end.who].next.explored, t.ahead[e.end.who].next.best = e.end.explored, e.end.best
	for k := len(e.steps) - 1; k >= 0; k-- {
		s := &e.steps[k]
		f := &t.ahead[s.who]
		v := s.value
		if !t.cfg.Offline {
			v = t.scale.Value(extractor.sum(e, k))
		}
		if f.next.explored && !t.cfg.OnPolicy {
			f.target, f.known = f.next.best, true
		}
		if f.known {
			delta := f.target - v
			t.tally.Samples++
			t.tally.Errors += float64(delta * unit * delta * unit)
			extractor.update(t.weights, e, k, delta*t.scale.Slope(v))
			if !t.cfg.Offline && lambda < 1 {
				v = t.scale.Value(extractor.sum(e, k))
			}
		}
		f.next = *s
		if f.known {
			f.target = float64((1-lambda)*v) + float64(lambda*f.target)
		} else {
			f.target, f.known = v, true
		}
	}
}

// Model implements [online.Learner].
func (t *Learner) Model() *models.Linear { return t.weights.Averaged() }

// Tally implements [online.Learner].
func (t *Learner) Tally() online.Tally { return t.tally }

// Check reports weights that are no finite numbers any more, those of tables
// included, as a [online.DivergedError].
func (t *Learner) Check() error { return online.CheckTables(t.weights.Model, &t.tally, t.cfg.Alpha) }

// Snapshot implements [online.Learner].
func (t *Learner) Snapshot(w io.Writer) error {
	if err := t.Check(); err != nil {
		return err
	}
	e := online.NewEncoder(w)
	e.Tally(t.tally)
	t.weights.Encode(e)
	return e.Err()
}

// Restore implements [online.Learner].
func (t *Learner) Restore(r io.Reader) error {
	d := online.NewDecoder(r)
	t.tally = d.Tally()
	t.weights.Decode(d)
	return d.Err()
}
