package td

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"plyfit/learn/online"
	"plyfit/learn/online/optimiser"
	"plyfit/models"
)

// Replicas is [Learner] by several learners at once, in rounds: each begins a round with
// the same weights and learns from games of its own, one after the other; at its end
// each weight moves by the mean of its changes over those that touched it
// ([optimiser.Round]). What comes out does not depend on the number of workers.
//
// A game is worth less than in one learner, which would know of all games before it:
// replicas that touch the same weights say the same thing several times, and the mean
// counts it once.
type Replicas struct {
	cfg     Options
	games   int // a round, of each replica
	weights *optimiser.Weights
	round   *optimiser.Round
	all     []*Learner
	touched [][]int32 // by replica: places in the tables
	tally   online.Tally
}

var _ online.Learner = (*Replicas)(nil)

// NewReplicas makes so many learners, at least 2, with so many games each in a round, at
// least 1. Options.Batch must be 1, and nothing is averaged. Each replica takes as much
// memory as the one learner would.
func NewReplicas(c Options, replicas, games int) (*Replicas, error) {
	switch {
	case replicas < 2 || games < 1:
		panic("td: replicas without others or games")
	case c.Batch > 1:
		return nil, errors.New("replicas: each plays its games one after the other: want a batch of 1")
	case c.Restart > 0:
		return nil, fmt.Errorf("replicas=%d and restart=%d: want one of them", replicas, c.Restart)
	case c.AverageFrom >= 0:
		return nil, errors.New("replicas: the weights are a mean already: want --average 0")
	}
	r := &Replicas{cfg: c, games: games, touched: make([][]int32, replicas)}
	var weights []*optimiser.Weights
	for range replicas {
		one := c
		one.Model, one.Workers = c.Model.Clone(), 1
		l, err := New(one)
		if err != nil {
			return nil, err
		}
		r.all, weights = append(r.all, l), append(weights, l.weights)
	}
	var err error
	if r.weights, err = optimiser.NewWeights(c.Model, c.Steps, c.Frozen); err != nil {
		return nil, err
	}
	r.round = optimiser.NewRound(r.weights, weights)
	return r, nil
}

// Bytes is the memory of all weights and of what is kept beside them.
func (r *Replicas) Bytes() int64 {
	sum := r.weights.Bytes()
	for _, l := range r.all {
		sum += l.Bytes()
	}
	return sum
}

// Advance implements [online.Learner].
func (r *Replicas) Advance(ctx context.Context, from, to int) error {
	for e := from; e < to; e += len(r.all) * r.games {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var learning sync.WaitGroup
		workers := min(max(1, r.cfg.Workers), len(r.all))
		for w := range workers {
			learning.Go(func() {
				for k := w; k < len(r.all); k += workers {
					first := e + k*r.games
					r.learn(k, min(first, to), min(first+r.games, to))
				}
			})
		}
		learning.Wait()
		r.round.End(r.touched)
		for _, l := range r.all {
			r.tally.Add(l.tally)
			l.tally = online.Tally{}
		}
	}
	return online.CheckWeights(r.weights.Model, &r.tally, r.cfg.Alpha)
}

// learn has one replica learn from its games of a round.
func (r *Replicas) learn(replica, from, to int) {
	l, touched := r.all[replica], r.touched[replica][:0]
	dense := int32(len(l.weights.Model.Weights))
	for number := from; number < to; number++ {
		game := &l.games[0]
		l.play(number, l.games)
		l.end(number, game)
		touched = append(touched, game.indices...)
		for _, t := range game.terms {
			if t.Index >= dense {
				touched = append(touched, t.Index-dense)
			}
		}
	}
	r.touched[replica] = touched
}

// Model implements [online.Learner].
func (r *Replicas) Model() *models.Linear { return r.weights.Model }

// Tally implements [online.Learner].
func (r *Replicas) Tally() online.Tally { return r.tally }

// Check reports weights that are no finite numbers any more, those of tables included,
// as a [online.DivergedError].
func (r *Replicas) Check() error {
	return online.CheckTables(r.weights.Model, &r.tally, r.cfg.Alpha)
}

// Snapshot implements [online.Learner].
func (r *Replicas) Snapshot(w io.Writer) error {
	if err := r.Check(); err != nil {
		return err
	}
	e := online.NewEncoder(w)
	e.Tally(r.tally)
	r.weights.Encode(e)
	return e.Err()
}

// Restore implements [online.Learner].
func (r *Replicas) Restore(from io.Reader) error {
	d := online.NewDecoder(from)
	r.tally = d.Tally()
	r.weights.Decode(d)
	r.round.Begin()
	return d.Err()
}
