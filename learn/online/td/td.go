// Package td implements temporal-difference learning: the value of a position is learned from the
// values of the positions that follow it.
//
// An episode proceeds as follows:
//
//  1. An actor plays it with the current weights and records the afterstates. There is one actor
//     for each worker.
//  2. [Learner] processes the episode backwards and moves the value of each afterstate towards
//     the values that followed it. plyfit/learn/online implements the steps.
//  3. An extractor reads positions for both. It reads them as vectors of features, or as table
//     indices if only tables are learned.
//
// If positions are read as table indices, several threads can learn at the same time with shared
// weights ([Learner.startThreads]).
package td

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/models"
)

// Learner performs temporal-difference learning over afterstates in self-play (Sutton, "Learning to
// predict by the methods of temporal differences", Machine Learning 3, 1988). All players use the
// same evaluation. After an episode the value of each afterstate s_k moves towards the
// lambda-return
//
//	G_k = (1-lambda) V(s_{k+1}) + lambda G_{k+1},   G_n = the outcome.
//
// If one player's value does not determine the others' ([features.OneValue]: games with several
// players or hidden information), each player learns from that player's own point of view. In this
// case s_{k+1} is the position after the same player's next move, and the moves of others in
// between, including random ones, are part of the player's environment.
//
// With Forward, which requires lambda 0, each position is updated as soon as the next one is
// chosen. The update uses the values by which the two positions were chosen, so a move requires no
// additional evaluations. Information about the end of a game then travels back by only one
// position per game.
//
// There are no rewards. If a game pays before its end, the payments must be part of the value of
// positions, for example as a frozen term. A random move gives no information about the position
// before it. If a random move follows, G is the value of the best available move (Watkins 1989),
// unless learning is OnPolicy.
//
// The sweep runs backwards over the finished episode, so it needs no traces. With the values at the
// time of play, the sum of its changes is exactly the same as with eligibility traces (Sutton and
// Barto, 2nd ed., section 12.1). By default values are recomputed, and later positions are updated
// before earlier ones, as in Szubert and Jaskowski ("Temporal difference learning of n-tuple
// networks for the game 2048", CIG 2014). Information about the end of the game therefore reaches
// all positions in a single sweep. The cost is one more evaluation per move.
type Learner struct {
	cfg     online.Task
	scale   online.Scale
	weights *online.Weights
	actors  []*actor
	games   []episode // episodes of a batch
	ahead   []future  // state of the sweep for each player who has a separate value
	tally   online.Tally
	threads []*Learner // one learner per thread; nil with a single thread
	offline bool       // use the values at the time of play, for comparison with eligibility traces in a test
}

var _ online.Learner = (*Learner)(nil)

// New returns a learner. If there are several Threads, its results are not repeatable.
func New(c online.Task) (*Learner, error) {
	if err := c.Check("td"); err != nil {
		return nil, err
	}
	switch {
	case c.Leaves == models.Decision:
		return nil, errors.New("leaves=decision: method td learns afterstates; want leaves=afterstate")
	case c.Coherence > 0 && (!c.TC || c.Threads > 1):
		return nil, fmt.Errorf("coherence=%v: want temporal coherence (tc) and one thread", c.Coherence)
	case c.EpsilonFade > 0 && c.Epsilon == 0:
		return nil, fmt.Errorf("epsilon-fade=%d: want an epsilon above 0", c.EpsilonFade)
	}
	t := &Learner{cfg: c, scale: online.NewScale(&c)}
	t.weights = online.NewWeights(&t.cfg)
	base, viewers := c.Game.Base(), 1
	if !features.OneValue(base) {
		viewers = base.Players
	}
	t.ahead = make([]future, viewers)
	for range min(max(1, c.Workers), c.Batch) {
		t.actors = append(t.actors, newActor(&t.cfg, t.scale, newExtractor(c.Set, c.Model, t.weights, viewers > 1), viewers))
	}
	t.games = make([]episode, c.Batch)
	if c.Forward {
		if c.Lambda > 0 || c.Batch > 1 || viewers > 1 {
			return nil, fmt.Errorf("forward: want lambda=0 and batch=1, and a game in which one value determines all players' values; %s has lambda=%v and batch=%d", base.Spec, c.Lambda, c.Batch)
		}
		t.actors[0].recorded = t.forward
	}
	if c.Threads > 1 {
		return t, t.startThreads()
	}
	return t, nil
}

// Bytes returns the memory used by the weights, their step sizes and averages.
func (t *Learner) Bytes() int64 { return t.weights.Bytes() }

func (t *Learner) Advance(ctx context.Context, from, to int) error {
	if len(t.threads) > 0 {
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

// play plays a batch, which is divided among the workers.
func (t *Learner) play(first int, games []episode) {
	if t.cfg.Forward {
		t.weights.Episode(first)
	}
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

// A future describes the part of an episode after a step, for one player.
type future struct {
	target   float64 // lambda-return from the following steps
	known    bool    // false in a truncated episode until there is a value
	explored bool    // the next move was drawn at random
	best     float64 // value of the best move, if explored
}

func (t *Learner) end(number int, e *episode) {
	if !t.cfg.Forward {
		t.weights.Episode(number)
	}
	t.tally.Ended(e.outcome)
	t.learn(e)
}

// learn processes an episode. With Forward, all steps except the last were already processed during
// play.
func (t *Learner) learn(e *episode) {
	t.tally.Moves += int64(e.moves)
	lambda, extractor, played, from := t.cfg.Lambda, t.actors[0].extractor, t.offline, 0
	if t.cfg.Forward {
		played, from = true, max(0, len(e.steps)-1)
	}
	for p := range t.ahead {
		t.ahead[p] = future{target: e.ends[p], known: !e.outcome.Truncated}
	}
	t.ahead[e.end.who].explored, t.ahead[e.end.who].best = e.end.explored, e.end.best
	for k := len(e.steps) - 1; k >= from; k-- {
		s := &e.steps[k]
		f := &t.ahead[s.who]
		v := s.value
		if !played {
			v = t.scale.Value(extractor.sum(t.weights, e, k))
		}
		if f.explored && !t.cfg.OnPolicy {
			f.target, f.known = f.best, true
		}
		if f.known {
			again := !played && lambda < 1
			if z := t.move(e, k, v, f.target, again); again {
				v = t.scale.Value(z)
			}
		}
		f.explored, f.best = s.explored, s.best
		if f.known {
			f.target = float64((1-lambda)*v) + float64(lambda*f.target)
		} else {
			f.target, f.known = v, true
		}
	}
}

// forward learns from the step before the last recorded one.
func (t *Learner) forward(e *episode) {
	k := len(e.steps) - 1
	if k == 0 {
		return
	}
	next := &e.steps[k]
	target := next.value
	if next.explored && !t.cfg.OnPolicy {
		target = next.best
	}
	t.move(e, k-1, e.steps[k-1].value, target, false)
}

// move moves the value v of step k towards the target. If again is set, it returns the weighted sum
// afterwards.
func (t *Learner) move(e *episode, k int, v, target float64, again bool) float64 {
	delta, unit := target-v, t.scale.Unit()
	t.tally.Samples++
	t.tally.Errors += float64(delta * unit * delta * unit)
	return t.actors[0].extractor.update(t.weights, e, k, delta*t.scale.Slope(v), again)
}

func (t *Learner) Model() *models.Linear { return t.weights.Averaged() }

func (t *Learner) Tally() online.Tally { return t.tally }

// Check returns an [online.DivergedError] if a weight is not finite, including weights in tables.
func (t *Learner) Check() error { return online.CheckTables(t.weights.Model, &t.tally, t.cfg.Alpha) }

func (t *Learner) Persist(s *online.Snapshot) error {
	s.Tally(&t.tally)
	t.weights.Persist(s)
	return nil
}

// startThreads creates a learner for each thread. The learners share the weights, of which only
// those in tables change. Weights are not locked, so if two threads change the same weight at the
// same time, one change may be lost. This does no harm if any two positions have only a few weights
// in common (Niu, Recht, Re and Wright, "Hogwild!: a lock-free approach to parallelizing stochastic
// gradient descent", NIPS 2011).
func (t *Learner) startThreads() error {
	if _, ok := t.actors[0].extractor.(*vectorExtractor); ok {
		return fmt.Errorf("threads=%d: want pattern tables with all other weights frozen, and average=0", t.cfg.Threads)
	}
	if t.cfg.Batch > 1 {
		return fmt.Errorf("threads=%d and batch=%d: use only one of the two options", t.cfg.Threads, t.cfg.Batch)
	}
	for range t.cfg.Threads {
		m := &Learner{cfg: t.cfg, scale: t.scale, weights: t.weights.Share(), ahead: make([]future, len(t.ahead)), games: make([]episode, 1)}
		x := newExtractor(m.cfg.Set, m.cfg.Model, m.weights, false)
		m.actors = []*actor{newActor(&m.cfg, m.scale, x, len(m.ahead))}
		if t.cfg.Forward {
			m.actors[0].recorded = m.forward
		}
		t.threads = append(t.threads, m)
	}
	return nil
}

// advanceTogether distributes the episodes among the threads. Each thread takes the next episode as
// soon as it is free.
func (t *Learner) advanceTogether(ctx context.Context, from, to int) error {
	var next atomic.Int64
	next.Store(int64(from))
	var wait sync.WaitGroup
	for _, m := range t.threads {
		wait.Go(func() {
			for e := int(next.Add(1)) - 1; e < to && ctx.Err() == nil; e = int(next.Add(1)) - 1 {
				m.play(e, m.games)
				m.end(e, &m.games[0])
			}
		})
	}
	wait.Wait()
	for _, m := range t.threads {
		t.tally.Add(m.tally)
		m.tally = online.Tally{}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.weights.Episode(to - 1)
	return online.CheckWeights(t.weights.Model, &t.tally, t.cfg.Alpha)
}
