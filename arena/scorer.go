package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"plyfit/internal/disk"
	"plyfit/search"
	"plyfit/work"
)

// A scorer counts the pairs of a match in order, even if they finish in a different order. Results
// and files are therefore independent of the number of workers.
type scorer struct {
	*match
	out  *journal                // nil if nothing is written
	stop context.CancelCauseFunc // stops the workers

	mu      sync.Mutex
	tally   *tally
	waiting map[int]played // finished pairs that wait for an earlier one
}

// played is a finished pair that has not been counted.
type played struct {
	record PairRecord
	line   []byte // line in the record file; nil if nothing is written
}

func (m *match) run(ctx context.Context) (res Result, err error) {
	s := &scorer{match: m, tally: newTally(m.cfg, m.layout), waiting: map[int]played{}}
	if work.ExecutorOf(ctx) != nil { // report an error before creating any file
		if _, _, err := m.pack(1); err != nil {
			return Result{}, err
		}
	}
	if m.cfg.Out != "" {
		s.out, err = openJournal(m.cfg.Out, headerOf(m.cfg), s.add)
		if err != nil {
			return Result{}, err
		}
		defer s.out.release()
		defer func() { err = cmp.Or(err, s.out.Close()) }()
	}
	if s.cfg.Interrupted != nil {
		reported := make(chan struct{})
		stop := context.AfterFunc(ctx, func() {
			defer close(reported)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.cfg.Interrupted(s.tally.result())
		})
		defer func() {
			if !stop() {
				<-reported
			}
		}()
	}
	if !s.done() {
		err = s.play(ctx)
	}
	return s.tally.result(), err
}

func (s *scorer) next() int { return s.tally.pairs }

// done reports whether all pairs have been counted or the test has decided.
func (s *scorer) done() bool { return s.next() >= s.cfg.Pairs || s.tally.over() }

// add counts the next pair.
func (s *scorer) add(r *PairRecord) error {
	if what := s.layout.fits(r); what != "" {
		return errors.New(what)
	}
	if s.done() {
		return nil
	}
	s.tally.add(r)
	if s.cfg.Progress != nil {
		s.cfg.Progress(s.tally.progress())
	}
	return nil
}

// take writes and counts finished pairs in order. Pairs that finish before an earlier one are kept
// until it is their turn.
func (s *scorer) take(pairs []PairRecord) error {
	back := make([]played, len(pairs))
	for i, r := range pairs {
		back[i].record = r
		if s.out != nil {
			var err error
			if back[i].line, err = disk.SealedLine(&r); err != nil {
				return err
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range back {
		if p.record.Pair >= s.next() {
			s.waiting[p.record.Pair] = p
		}
	}
	for !s.done() {
		p, there := s.waiting[s.next()]
		if !there {
			return nil
		}
		delete(s.waiting, p.record.Pair)
		if s.out != nil {
			if err := s.out.Append(p.line); err != nil {
				return err
			}
		}
		if err := s.add(&p.record); err != nil {
			return err
		}
	}
	if s.tally.over() {
		s.stop(errDecided)
	}
	return nil
}

// errDecided is the cancellation cause for workers that are stopped because the test has decided.
var errDecided = errors.New("arena: the test has decided")

func (s *scorer) play(ctx context.Context) error {
	ctx, s.stop = context.WithCancelCause(ctx)
	defer s.stop(nil)
	play := s.playHere
	if work.ExecutorOf(ctx) != nil {
		play = s.playElsewhere
	}
	err := play(ctx)
	if s.done() { // errors in pairs that are no longer needed are ignored
		return nil
	}
	return err
}

func (s *scorer) playHere(ctx context.Context) error {
	pool := &work.Pool[*worker, PairRecord]{Task: work.Task[*worker, PairRecord]{
		Parts: func(int) int { return 1 },
		Do:    func(ctx context.Context, w *worker, pair, _ int) (PairRecord, error) { return w.pair(ctx, pair) },
		// The pairs are not encoded here, because that would take longer than a short game.
		Join: func(_ int, pairs []PairRecord) ([]byte, error) { return nil, s.take(pairs) },
	}}
	for range s.cfg.Workers {
		w := newWorker(s.match)
		defer w.close()
		pool.Workers = append(pool.Workers, w)
	}
	// Agents that cannot start are reported before the match begins.
	for side := range pool.Workers[0].agents {
		if s.cfg.Referee != nil || side == sideNature && s.cfg.Nature == nil {
			continue
		}
		if a, err := pool.Workers[0].agent(side); err == nil {
			if err := search.Start(ctx, a); err != nil {
				return fmt.Errorf("agent %s: %w", s.entrant(side).Name, err)
			}
		}
	}
	const eachAhead = 8  // per worker
	const most = 1 << 16 // number of pairs listed at a time, because a complete list might not fit into memory
	for !s.done() {
		r := work.Run{Put: func(int, []byte) error { return nil }, Ready: s.ready(1, eachAhead*s.cfg.Workers)}
		for pair := s.next(); pair < min(s.cfg.Pairs, s.next()+most); pair++ {
			r.Units = append(r.Units, pair)
		}
		if err := pool.Run(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// mostAhead is the maximum number of units beyond the last counted pair in a match without a test.
// Their results wait in memory for the slowest pair.
const mostAhead = 2048

// ready returns a function that reports whether a unit with the given number of pairs may start. In
// a match with a test, the parameter ahead is the maximum number of units between the last counted
// pair and a unit that starts.
func (s *scorer) ready(pairs, ahead int) func(unit int) bool {
	if s.tally.cfg.SPRT == nil {
		ahead = mostAhead
	}
	return func(unit int) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return unit < s.next()/pairs+ahead
	}
}
