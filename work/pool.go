package work

import (
	"context"
	"slices"
	"sync"
)

// Task says how the units of a job are computed by workers of type W, in parts of type P.
type Task[W, P any] struct {
	Parts func(unit int) int // how many, at least 1
	// Do computes one part. An error ends the job; it says which part failed.
	Do func(ctx context.Context, worker W, unit, part int) (P, error)
	// Join makes the result of a unit of all its parts, in their order.
	Join func(unit int, parts []P) ([]byte, error)
}

// Pool are workers of this process, each of which does one part at a time.
type Pool[W, P any] struct {
	Task[W, P]
	Workers []W // at least one
}

// Run is one run of a pool or an [Executor].
type Run struct {
	// Job is what the units follow from, where other processes can do it; nil: it
	// stays here, whatever the context says. Files are the files of the job.
	Job   *Job
	Files Files
	// Audit is what results of other processes have to pass. It is set where Job is.
	Audit *Audit

	Units []int // that are missing; they are begun in this order
	// Put keeps the whole result of a unit. Several goroutines call it.
	Put func(unit int, result []byte) error
	// Ready reports whether a unit, and so those after it, may be begun now; nil: they may. It is
	// asked again when a unit was put. The first unit that is missing is ready.
	Ready func(unit int) bool
	// Part is called with each part that is finished here, and There of each unit that
	// was put. One call at a time; nil: neither is reported.
	Part  func(unit int)
	There func(unit int)
}

// Audit says how results that other processes hand in are checked before they are put.
type Audit struct {
	// MostBytes is how large the result of a unit may be. A larger one is refused
	// before it is in memory.
	MostBytes int64
	// Check finds a result that does not have the form of the unit's: the error says
	// what is wrong. Several goroutines call it.
	Check func(ctx context.Context, unit int, result []byte) error
}

// Run works until all units are put. The first error ends it; so does ctx, with its
// cause. Where ctx is one of [WithExecutor] and r has a Job, others do the work.
func (p *Pool[W, P]) Run(ctx context.Context, r Run) error {
	if e := ExecutorOf(ctx); e != nil && r.Job != nil {
		return e.Run(ctx, r)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	q := &queue[W, P]{Run: r, task: p.Task, ctx: ctx, left: slices.Clone(r.Units)}
	q.changed.L = &q.mu
	defer context.AfterFunc(ctx, q.wake)()
	var workers sync.WaitGroup
	for _, w := range p.Workers {
		workers.Go(func() {
			if err := q.work(w); err != nil {
				stop(err) // the first one counts
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// queue hands out the parts of one run.
type queue[W, P any] struct {
	Run
	task Task[W, P]
	ctx  context.Context

	mu      sync.Mutex
	changed sync.Cond
	left    []int      // units that are not begun
	dealing *opened[P] // the unit whose parts are handed out
}

// opened is a unit under way.
type opened[P any] struct {
	unit     int
	parts    []P
	dealt    int // parts handed out
	finished int
}

func (q *queue[W, P]) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}

// work is the life of a worker.
func (q *queue[W, P]) work(worker W) error {
	for {
		o, part := q.next()
		if o == nil {
			return nil
		}
		p, err := q.task.Do(q.ctx, worker, o.unit, part)
		if err == nil {
			err = q.ctx.Err() // a search that was stopped says so by no error
		}
		if err == nil {
			err = q.deliver(o, part, p)
		}
		if err != nil {
			return err
		}
	}
}

// next is the next part to compute; nil where nothing is left to hand out.
func (q *queue[W, P]) next() (o *opened[P], part int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ctx.Err() == nil {
		switch o := q.dealing; {
		case o != nil:
			part = o.dealt
			if o.dealt++; o.dealt == len(o.parts) {
				q.dealing = nil
			}
			return o, part
		case len(q.left) == 0:
			return nil, 0
		case q.Ready == nil || q.Ready(q.left[0]):
			q.dealing = &opened[P]{unit: q.left[0], parts: make([]P, q.task.Parts(q.left[0]))}
			q.left = q.left[1:]
		default:
			q.changed.Wait()
		}
	}
	return nil, 0
}

// deliver takes a part that a worker has finished. Who finishes the last one puts the unit.
func (q *queue[W, P]) deliver(o *opened[P], part int, p P) error {
	q.mu.Lock()
	if q.Part != nil {
		q.Part(o.unit)
	}
	o.parts[part] = p
	o.finished++
	whole := o.finished == len(o.parts)
	q.mu.Unlock()
	if !whole {
		return nil
	}
	result, err := q.task.Join(o.unit, o.parts)
	if err == nil {
		err = q.Put(o.unit, result)
	}
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.There != nil {
		q.There(o.unit)
	}
	q.changed.Broadcast()
	return nil
}
