package work

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Store is where the results of a job's units are kept. Several goroutines call it.
type Store interface {
	// Has reports whether the whole result of a unit is there, whoever made it.
	Has(unit int) (bool, error)
	// Claim reports whether the unit is this process's to work out. It is not
	// while another living process has it.
	Claim(ctx context.Context, unit int) (bool, error)
	// Put keeps the result of a unit that this process has claimed: whole or not
	// at all. It gives the claim up once others see that the unit is there.
	Put(unit int, result []byte) error
	// Release gives up the claim on a unit that was not finished.
	Release(unit int)
}

// Task says how the units of a job are worked out by workers of type W, in parts
// of type P.
type Task[W, P any] struct {
	Parts func(unit int) int // how many, at least 1
	// Do works out one part. An error ends the job; it says which part failed.
	Do func(ctx context.Context, worker W, unit, part int) (P, error)
	// Join makes the result of a unit of all its parts, in their order.
	Join func(unit int, parts []P) ([]byte, error)
}

// Crew are workers, each of which does one part at a time.
type Crew[W, P any] struct {
	Task[W, P]
	Workers []W // at least one
}

// Run is one run of a crew.
type Run struct {
	// Job is what the units follow from, where other processes can do it; nil: it
	// stays here, whatever the context says. Files are the files of the job.
	Job   *Job
	Files Files
	// Audit is what results of other processes have to pass. It is set where Job is.
	Audit *Audit
	// Name tells runs apart that have no Job.
	Name string

	Store Store
	Units []int // that may be missing; they are begun in this order
	// Open is the most units under way here. The next one is begun when nothing of
	// the last is left to hand out. 0: 2, so that no worker waits for the last
	// part of a unit.
	Open int
	// Ready reports whether a unit, and so those after it, may be begun now; nil:
	// they may. It is asked again when a unit was finished, at a word on Again, and
	// now and then.
	Ready func(unit int) bool
	Again <-chan struct{} // nil: nobody says when
	// Part is told of each part that is finished here, and There of each unit that
	// is there, with whether it was worked out here. One call at a time; nil:
	// nobody.
	Part  func(unit int)
	There func(unit int, here bool)
}

// Audit says how results that other processes hand in are looked at before the store
// gets them: nobody's result is believed because it came. Its functions are called by
// several goroutines, whose order means nothing.
type Audit struct {
	// MostBytes is how large the result of a unit may be. A larger one is refused
	// before it is in memory.
	MostBytes int64
	// Check tells of a result that cannot be the unit's, as far as that is seen in
	// much less time than it takes to work it out: the error says what is wrong.
	Check func(ctx context.Context, unit int, result []byte) error
	// Forget takes results of this run back from the store, since one who handed them
	// in was found to lie. The run ends with an error then. nil: the results go with
	// the run.
	Forget func(units []int) error
}

// poll is how often the store is asked for what other processes have finished or
// given up.
const poll = 100 * time.Millisecond

// Run works until the store has all units, those that other processes work out
// included. The first error ends it; so does ctx, with its cause. Where ctx is one
// of [WithElsewhere] and r has a Job, others do the work.
func (c *Crew[W, P]) Run(ctx context.Context, r Run) error {
	if e := ElsewhereOf(ctx); e != nil && r.Job != nil {
		return e.Run(ctx, r)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if r.Open == 0 {
		r.Open = 2
	}
	q := &queue[W, P]{Run: r, crew: c, ctx: ctx, stop: stop, left: slices.Clone(r.Units), open: map[int]bool{}}
	q.changed.L = &q.mu
	defer context.AfterFunc(ctx, q.wake)()
	ended := make(chan struct{})
	var ticking, workers sync.WaitGroup
	ticking.Go(func() { q.tick(ended) })
	for _, w := range c.Workers {
		workers.Go(func() { q.work(w) })
	}
	workers.Wait()
	q.closing.Wait()
	close(ended)
	ticking.Wait()
	for unit := range q.open {
		r.Store.Release(unit)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
