package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"plyfit/search"
	"plyfit/work"
)

// match is one run of Run.
type match struct {
	cfg        Config
	layout     layout
	first, end int // the pairs to be played
}

func newMatch(cfg Config) (*match, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	m := &match{cfg: cfg}
	m.first, m.end = cfg.Slice.Range(cfg.Pairs)
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

// counting counts pairs in their order, whoever played them.
type counting struct {
	*match
	tally *tally
	out   *journal // nil: nothing is written

	cast    bool // units were taken back: nothing is counted any more
	opening bool // the file is read, with what was finished before
	mu      sync.Mutex
	waiting map[int]PairRecord // without a journal: pairs that are back before one that precedes them
	own     []int              // units that were finished here, and not yet counted
	news    []Progress         // not yet told
}

func (m *match) run(ctx context.Context) (res Result, err error) {
	c := &counting{match: m, tally: newTally(m.cfg, m.layout), waiting: map[int]PairRecord{}}
	if !m.cfg.Slice.Whole() {
		c.tally.cfg.SPRT = nil // which looks at all pairs from the first
	}
	if work.ElsewhereOf(ctx) != nil { // a refusal leaves nothing behind
		if _, _, err := m.pack(1); err != nil {
			return Result{}, err
		}
	}
	if m.cfg.Out != "" {
		c.opening = true
		if c.out, err = openJournal(ctx, m.cfg.Out, headerOf(m.cfg), m.job().Name(), c.add); err != nil {
			return Result{}, err
		}
		c.opening = false
		defer func() {
			if cerr := c.out.close(); err == nil {
				err = cerr
			}
		}()
	}
	c.tell()
	err = c.playOn(ctx)
	res = c.tally.result()
	if !m.cfg.Slice.Whole() {
		res.Notes = append(res.Notes, sliceNote(m.cfg.Slice, m.first, m.end, m.cfg.Pairs))
	}
	return res, err
}

// job is what the pairs follow from. Whoever works on a file of pairs does the same
// job.
func (m *match) job() *work.Job {
	h := headerOf(m.cfg)
	return &work.Job{Kind: kindMatch, World: h.Game, Agents: []string{h.A, h.B}, Seed: h.Seed, From: m.first, To: m.end, UnitSize: 1, Rest: h}
}

// next is the pair whose turn it is.
func (c *counting) next() int { return c.first + c.tally.pairs }

// reached reports whether the pairs before end are counted, or not wanted.
func (c *counting) reached(end int) bool { return c.next() >= min(end, c.end) || c.tally.over() }

// done reports whether all that is wanted is counted.
func (c *counting) done() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reached(c.end)
}

// add counts the pair whose turn it is.
func (c *counting) add(r *PairRecord) error {
	if what := c.layout.fits(r); what != "" {
		return errors.New(what)
	}
	if !c.reached(c.end) {
		if c.opening {
			c.tally.resumed++
		}
		c.tally.add(r)
		if c.cfg.Progress != nil {
			c.news = append(c.news, c.tally.progress())
		}
	}
	return nil
}

// tell tells of the pairs that were counted. Nobody waits for whoever is told.
func (c *counting) tell() {
	c.mu.Lock()
	news := c.news
	c.news = nil
	c.mu.Unlock()
	for _, p := range news {
		c.cfg.Progress(p)
	}
}

// errCounted ends the playing once the test has decided.
var errCounted = errors.New("arena: all that is wanted is counted")

// playOn plays the pairs that are missing. Workers, and other processes, may finish
// them in any order, but they are counted, tested and written in theirs, so that
// neither a result nor a file tells how many there were.
func (c *counting) playOn(ctx context.Context) error {
	if c.done() {
		return nil
	}
	crew := &work.Crew[*worker, PairRecord]{}
	for range c.cfg.Workers {
		w := newWorker(c.match)
		defer w.close()
		crew.Workers = append(crew.Workers, w)
	}
	elsewhere := work.ElsewhereOf(ctx) != nil
	var pairs pairUnits = &inMemory{c}
	switch {
	case c.out != nil:
		units, err := c.openUnits(ctx, crew.Workers[0])
		if err != nil || units == nil {
			return err
		}
		defer units.close()
		pairs = units
	case elsewhere:
		units, err := c.openLines(ctx, crew.Workers[0])
		if err != nil {
			return err
		}
		pairs = units
	}
	crew.Task = work.Task[*worker, PairRecord]{
		Parts: func(unit int) int { from, to := pairs.span(unit); return to - from },
		Do: func(ctx context.Context, w *worker, unit, part int) (PairRecord, error) {
			from, _ := pairs.span(unit)
			return pairs.play(ctx, w, from+part)
		},
		Join: pairs.join,
	}
	name := fmt.Sprintf("%.12s by %d pairs", c.job().Name(), pairs.size())
	r := work.Run{Name: name, Store: pairs, Open: c.cfg.Workers/pairs.size() + 2, Ready: func(int) bool { return c.mayRunAhead(pairs) }}
	if elsewhere {
		var err error
		if r.Job, r.Files, err = c.pack(pairs.size()); err != nil {
			return err
		}
		r.Ready = func(unit int) bool { return c.mayLend(pairs, unit) }
		r.Audit = c.audit(pairs)
	}
	for !c.done() {
		if err := c.playOnce(ctx, crew, pairs, r); err != nil {
			return err
		}
	}
	return nil
}

// playOnce plays and counts until all pairs are counted, or until one that was
// there has to be played again.
func (c *counting) playOnce(ctx context.Context, crew *work.Crew[*worker, PairRecord], pairs pairUnits, r work.Run) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	finished, counted, played := make(chan struct{}, 1), make(chan struct{}, 1), make(chan error, 1)
	for unit := pairs.unit(c.next()); unit <= pairs.unit(c.end-1); unit++ {
		r.Units = append(r.Units, unit)
	}
	r.Again = counted
	r.There = func(unit int, here bool) {
		if here {
			c.mu.Lock()
			c.own = append(c.own, unit)
			c.mu.Unlock()
		}
		select {
		case finished <- struct{}{}:
		default: // the counter is awake
		}
	}
	go func() { played <- crew.Run(ctx, r) }()
	tick := time.NewTicker(countEvery)
	defer tick.Stop()
	var err error
	for running := true; running; {
		select {
		case <-finished:
		case <-tick.C:
		case err = <-played:
			running = false
		}
		if cerr := pairs.count(context.WithoutCancel(ctx)); cerr != nil {
			stop(cerr)
		}
		c.tell()
		select {
		case counted <- struct{}{}:
		default:
		}
		if running && c.done() {
			stop(errCounted)
		}
	}
	c.mu.Lock()
	cast := c.cast
	c.mu.Unlock()
	switch {
	case cast:
		return err
	case c.done(): // pairs that were under way are not wanted any more
		return nil
	case err == nil && ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return err
}

// countEvery is how often a process looks for pairs that others have finished.
const countEvery = 100 * time.Millisecond

// aheadOfCount is by how many pairs a worker this process may run ahead of one that
// takes long, and so holds up the count.
const aheadOfCount = 8

// mayRunAhead reports whether another unit may be begun. Where there is a file
// and no test that may end the match, nothing is lost by it.
func (c *counting) mayRunAhead(pairs pairUnits) bool {
	if c.out != nil && c.tally.cfg.SPRT == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.own = slices.DeleteFunc(c.own, func(unit int) bool {
		_, to := pairs.span(unit)
		return c.reached(to)
	})
	return len(c.own) < 2 || len(c.own)*pairs.size() < aheadOfCount*c.cfg.Workers
}

// aheadElsewhere is how many units other processes may be ahead of the count: enough
// for as many processors, and what a test that decides throws away at most.
const aheadElsewhere = 512

// mayLend reports whether other processes may begin a unit.
func (c *counting) mayLend(pairs pairUnits, unit int) bool {
	if c.out != nil && c.tally.cfg.SPRT == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return unit < pairs.unit(c.next())+aheadElsewhere
}
