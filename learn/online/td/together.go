package td

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"plyfit/learn/online"
)

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
