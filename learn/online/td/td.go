// Package td is temporal-difference learning: positions are worth what the positions
// after them are.
//
// The journey of an episode:
//
//  1. An actor plays it by the weights as they are, one for each worker, and keeps
//     the afterstates that were come to.
//  2. [Learner] sweeps over it from its end and moves the value of each afterstate
//     toward what followed, with the steps of plyfit/learn/online.
//  3. An extractor reads positions for both: as vectors of features, or, where all
//     that is learned stands in tables, as the places in them.
//
// Where it does, several threads may learn at once on the same weights ([Learner.hire]).
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

// Learner is temporal-difference learning over afterstates from self-play (Sutton, "Learning to
// predict by the methods of temporal differences", Machine Learning 3, 1988). All players use the
// one evaluation; after an episode the value of each afterstate s_k moves toward the lambda-return
//
//	G_k = (1-lambda) V(s_{k+1}) + lambda G_{k+1},   G_n = the outcome.
//
// Where one player's value does not tell the others' ([features.OneValue]: games of
// several players, or in which they see different things), each moves by what he
// himself sees, and s_{k+1} is what his own next move leads to: the others' moves
// between are part of his world, their random ones included.
//
// With Forward, and lambda 0, each position moves as soon as the one after it is chosen, by the
// values that the two were chosen by: a move costs no evaluation beyond those of its choice. What
// the end teaches then takes games to reach the beginning, as many as positions.
//
// There are no rewards: what a game pays on the way is in the value of its positions, by a frozen
// term if need be. A move drawn at random says nothing of the position before it: there G is the
// value of the best move, which was at hand (Watkins 1989), unless learning is OnPolicy.
//
// The sweep goes backwards over the finished episode, so that no traces are needed: with values as
// they were played with, its sum of changes is exactly that of the traces (Sutton and Barto, 2nd
// ed., section 12.1). By default the values are taken afresh, later positions being moved before
// earlier ones, as Szubert and Jaskowski did ("Temporal difference learning of n-tuple networks for
// the game 2048", CIG 2014): what the end teaches reaches the whole game at once. The cost is that
// of one evaluation more a move.
type Learner struct {
	cfg     online.Task
	scale   online.Scale
	weights *online.Weights
	actors  []*actor
	games   []episode // of a batch
	ahead   []future  // of the sweep: of each player who has values of his own
	tally   online.Tally
	mates   []*Learner // by thread, where there are several
	offline bool       // values as they were when the episode was played: for the test of traces
}

var _ online.Learner = (*Learner)(nil)

// New makes a learner. With several Threads nothing is repeatable.
func New(c online.Task) (*Learner, error) {
	if err := c.Check("td"); err != nil {
		return nil, err
	}
	if c.Leaves == models.Decision {
		return nil, errors.New("leaves=decision: td learns afterstates")
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
			return nil, fmt.Errorf("forward: want lambda=0 and batch=1, and a game in which one value tells all players': %s has lambda=%v and batch=%d", base.Spec, c.Lambda, c.Batch)
		}
		t.actors[0].recorded = t.forward
	}
	if c.Threads > 1 {
		return t, t.hire()
	}
	return t, nil
}

// Bytes is the memory of the weights and of what is kept beside them.
func (t *Learner) Bytes() int64 { return t.weights.Bytes() }

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

// future is what follows on a step of an episode, for one player.
type future struct {
	target   float64 // the lambda-return from there on
	known    bool    // false before anything that a truncated episode was worth
	explored bool    // the next move was drawn at random,
	best     float64 // though one of this value was at hand
}

func (t *Learner) end(number int, e *episode) {
	if !t.cfg.Forward {
		t.weights.Episode(number)
	}
	t.tally.Ended(e.outcome)
	t.learn(e)
}

// learn sweeps over an episode, of which all but the last step were learned where they go Forward.
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

// forward learns the step before the last one recorded.
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

// move moves the value v of step k toward the target, with again it returns the weighted sum
// afterwards.
func (t *Learner) move(e *episode, k int, v, target float64, again bool) float64 {
	delta, unit := target-v, t.scale.Unit()
	t.tally.Samples++
	t.tally.Errors += float64(delta * unit * delta * unit)
	return t.actors[0].extractor.update(t.weights, e, k, delta*t.scale.Slope(v), again)
}

func (t *Learner) Model() *models.Linear { return t.weights.Averaged() }

func (t *Learner) Tally() online.Tally { return t.tally }

// Check reports weights that are not finite, in tables too, as a [online.DivergedError].
func (t *Learner) Check() error { return online.CheckTables(t.weights.Model, &t.tally, t.cfg.Alpha) }

func (t *Learner) Persist(s *online.Snapshot) error {
	s.Tally(&t.tally)
	t.weights.Persist(s)
	return nil
}

// hire makes a learner for each thread. They share the tables and nothing else that changes. No
// lock guards a weight: of two changes at the same moment one may get lost, which does no harm
// where positions share few of their weights (Niu, Recht, Re and Wright, "Hogwild!: a lock-free
// approach to parallelizing stochastic gradient descent", NIPS 2011).
func (t *Learner) hire() error {
	if _, ok := t.actors[0].extractor.(*vectorExtractor); ok {
		return fmt.Errorf("threads=%d: want a set of pattern tables, its other weights frozen and no averages", t.cfg.Threads)
	}
	if t.cfg.Batch > 1 {
		return fmt.Errorf("threads=%d and batch=%d: want one of them", t.cfg.Threads, t.cfg.Batch)
	}
	for range t.cfg.Threads {
		m := &Learner{cfg: t.cfg, scale: t.scale, weights: t.weights.Share(), ahead: make([]future, len(t.ahead)), games: make([]episode, 1)}
		x := newExtractor(m.cfg.Set, m.cfg.Model, m.weights, false)
		m.actors = []*actor{newActor(&m.cfg, m.scale, x, len(m.ahead))}
		if t.cfg.Forward {
			m.actors[0].recorded = m.forward
		}
		t.mates = append(t.mates, m)
	}
	return nil
}

// advanceTogether has the mates take the episodes in turn, each the next one as soon as it is free.
func (t *Learner) advanceTogether(ctx context.Context, from, to int) error {
	var next atomic.Int64
	next.Store(int64(from))
	var wait sync.WaitGroup
	for _, m := range t.mates {
		wait.Go(func() {
			for e := int(next.Add(1)) - 1; e < to && ctx.Err() == nil; e = int(next.Add(1)) - 1 {
				m.play(e, m.games)
				m.end(e, &m.games[0])
			}
		})
	}
	wait.Wait()
	for _, m := range t.mates {
		t.tally.Add(m.tally)
		m.tally = online.Tally{}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.weights.Episode(to - 1)
	return online.CheckWeights(t.weights.Model, &t.tally, t.cfg.Alpha)
}
