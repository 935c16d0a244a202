package arena

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"plyfit/search"
)

// match is one run of Run.
type match struct {
	cfg    Config
	layout layout
}

func newMatch(cfg Config) (*match, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	m := &match{cfg: cfg}
	s, _, err := m.start(0)
	if err != nil {
		return nil, err
	}
	if m.layout, err = layoutOf(&m.cfg, s); err != nil {
		return nil, err
	}
	if err := m.cfg.choose(m.layout); err != nil {
		return nil, err
	}
	for i := range cfg.Openings.Positions {
		s, text, err := m.start(i)
		switch {
		case err != nil:
			return nil, fmt.Errorf("opening %d: %w", i+1, err)
		case s.Turn() < 0 && len(s.Moves(nil)) == 0:
			return nil, fmt.Errorf("opening %d: the game is over at %s: want a position to play from", i+1, text)
		}
		if l, _ := layoutOf(&m.cfg, s); len(l.seats) != len(m.layout.seats) {
			return nil, fmt.Errorf("opening %d: %d players, want %d as in the first", i+1, l.shape.Players, m.layout.shape.Players)
		}
	}
	return m, nil
}

func (m *match) entrant(side int) search.Factory {
	switch side {
	case sideA:
		return m.cfg.A
	case sideB:
		return m.cfg.B
	}
	return *m.cfg.Nature
}

func (m *match) run(ctx context.Context) (res Result, err error) {
	t := newTally(m.cfg, m.layout)
	var out *journal
	if m.cfg.Out != "" {
		out, err = openJournal(ctx, m.cfg.Out, headerOf(m.cfg), func(r *PairRecord) error {
			if what := m.layout.fits(r); what != "" {
				return errors.New(what)
			}
			if r.Pair < m.cfg.Pairs && !t.over() {
				t.add(r)
				t.resumed++
				m.tell(t)
			}
			return nil
		})
		if err != nil {
			return Result{}, err
		}
		defer func() {
			if cerr := out.close(); err == nil {
				err = cerr
			}
		}()
	}
	err = m.playOn(ctx, t, out)
	return t.result(), err
}

func (m *match) tell(t *tally) {
	if m.cfg.Progress != nil {
		m.cfg.Progress(t.progress())
	}
}

// finished is what a worker hands over.
type finished struct {
	pair   int
	record PairRecord
	err    error
}

// playOn plays the pairs that are missing. Workers may finish them in any
// order, but they are counted, tested and written in theirs, so that neither a
// result nor a file tells how many workers there were.
func (m *match) playOn(ctx context.Context, t *tally, out *journal) error {
	if t.pairs >= m.cfg.Pairs || t.over() {
		return nil
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	jobs, done := make(chan int), make(chan finished)
	var workers sync.WaitGroup
	for range m.cfg.Workers {
		workers.Go(func() {
			w := newWorker(m)
			defer w.close()
			for k := range jobs {
				r, err := w.pair(ctx, k)
				done <- finished{k, r, err}
			}
		})
	}
	// All workers have ended when playOn returns: nobody plays on behind the
	// caller's back.
	defer workers.Wait()
	defer close(jobs)

	q := queue{match: m, tally: t, out: out, stop: stop, next: t.pairs, waiting: map[int]PairRecord{}}
	for {
		feed := jobs
		if ctx.Err() != nil || !q.more() {
			feed = nil
			if q.running == 0 {
				break
			}
		}
		select {
		case feed <- q.next:
			q.next++
			q.running++
		case f := <-done:
			q.running--
			q.take(f)
		}
	}
	switch {
	case t.over(): // pairs that were under way are not wanted any more
		return nil
	case q.failed != nil:
		return q.failed
	case t.pairs < m.cfg.Pairs:
		return context.Cause(ctx)
	}
	return nil
}

// queue hands out pairs in their order, and counts them in it whatever the order
// they come back in.
type queue struct {
	*match
	tally   *tally
	out     *journal // nil: nothing is written
	stop    context.CancelCauseFunc
	next    int                // pair to hand out
	running int                // pairs handed out and not back yet
	waiting map[int]PairRecord // pairs that are back before one that precedes them
	failed  error              // the first error; nothing is counted after it
}

// aheadOfCount is by how many pairs a worker the others may run ahead of one that
// takes long, and so holds up the count.
const aheadOfCount = 8

// more reports whether the next pair is to be played now.
func (q *queue) more() bool {
	return q.failed == nil && !q.tally.over() && q.next < min(q.cfg.Pairs, q.tally.pairs+aheadOfCount*q.cfg.Workers)
}

// take takes a pair that is back, and counts all whose turn has come.
func (q *queue) take(f finished) {
	if f.err != nil {
		q.fail(f.err)
		return
	}
	q.waiting[f.pair] = f.record
	for q.failed == nil && !q.tally.over() {
		r, ok := q.waiting[q.tally.pairs]
		if !ok {
			return
		}
		delete(q.waiting, q.tally.pairs)
		q.count(&r)
	}
}

// count writes and counts the pair whose turn it is. Workers stop where the test has
// decided.
func (q *queue) count(r *PairRecord) {
	if q.out != nil {
		if err := q.out.append(r); err != nil {
			q.fail(err)
			return
		}
	}
	q.tally.add(r)
	q.tell(q.tally)
	if q.tally.over() {
		q.stop(nil)
	}
}

func (q *queue) fail(err error) {
	if q.failed == nil {
		q.failed = err
		q.stop(err)
	}
}
