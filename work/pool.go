package work

import (
	"context"
	"slices"
	"sync"
)

// A Task defines how workers of type W compute the units of a job. Each unit consists of parts of
// type P.
type Task[W, P any] struct {
	Parts func(unit int) int // number of parts in a unit, at least 1
	// Do computes one part. An error ends the run and should identify the part that failed.
	Do func(ctx context.Context, worker W, unit, part int) (P, error)
	// Join combines the parts of a unit, in order, into the unit's result.
	Join func(unit int, parts []P) ([]byte, error)
}

// A Pool is a set of workers in this process. Each worker computes one part at a time.
type Pool[W, P any] struct {
	Task[W, P]
	Workers []W // at least one
}

// A Run specifies the units that a [Pool] or an [Executor] computes.
type Run struct {
	// Job describes the units to other processes. If it is nil, the units are always computed in
	// this process. Files provides the files of the job.
	Job   *Job
	Files Files
	// Audit validates results from other processes. An [Executor] requires it.
	Audit *Audit

	Units []int // missing units, in the order in which they are to be started
	// Put stores the result of a unit. It must be safe for concurrent use.
	Put func(unit int, result []byte) error
	// Ready reports whether a unit may be started now. If a unit is not ready, no later unit is
	// started either. Ready is called again whenever a unit has been stored. The first missing unit
	// must therefore always be ready. If Ready is nil, all units are ready.
	Ready func(unit int) bool
	// Part is called whenever this process has computed a part, and There whenever a unit has been
	// stored. Calls are serialised. Either function may be nil.
	Part  func(unit int)
	There func(unit int)
}

// Audit specifies how results from other processes are checked before they are stored.
type Audit struct {
	// MostBytes is the maximum size of a unit's result. A larger result is rejected before it is
	// read into memory.
	MostBytes int64
	// Check returns an error if result is not a valid result of the unit. It must be safe for
	// concurrent use.
	Check func(ctx context.Context, unit int, result []byte) error
}

// Run computes all units and stores their results. It returns the first error, or the cause of ctx
// if ctx is done. If ctx has an [Executor] and r has a Job, the executor computes the units
// instead.
func (p *Pool[W, P]) Run(ctx context.Context, r Run) error {
	if e := ExecutorOf(ctx); e != nil && r.Job != nil {
		return e.Run(ctx, r)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	q := &queue[W, P]{Run: r, task: p.Task, ctx: ctx, pending: slices.Clone(r.Units)}
	q.changed.L = &q.mu
	defer context.AfterFunc(ctx, q.wake)()
	var workers sync.WaitGroup
	for _, w := range p.Workers {
		workers.Go(func() {
			if err := q.work(w); err != nil {
				stop(err) // only the first call sets the cause
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// A queue distributes the parts of one run to the workers.
type queue[W, P any] struct {
	Run
	task Task[W, P]
	ctx  context.Context

	mu      sync.Mutex
	changed sync.Cond
	pending []int        // units that have not been started
	current *openUnit[P] // unit whose parts are being distributed, or nil
}

// An openUnit is a unit that has been started but not stored.
type openUnit[P any] struct {
	unit     int
	parts    []P
	started  int // number of parts assigned to workers
	finished int // number of parts computed
}

func (q *queue[W, P]) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}

// work computes parts until there are none left or an error occurs.
func (q *queue[W, P]) work(worker W) error {
	for {
		o, part := q.next()
		if o == nil {
			return nil
		}
		p, err := q.task.Do(q.ctx, worker, o.unit, part)
		if err == nil {
			err = q.ctx.Err() // a cancelled search may return without an error
		}
		if err == nil {
			err = q.deliver(o, part, p)
		}
		if err != nil {
			return err
		}
	}
}

// next returns the next part to compute. It waits if the next unit is not ready, and returns nil if
// no parts are left or the run has ended.
func (q *queue[W, P]) next() (o *openUnit[P], part int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ctx.Err() == nil {
		switch o := q.current; {
		case o != nil:
			part = o.started
			if o.started++; o.started == len(o.parts) {
				q.current = nil
			}
			return o, part
		case len(q.pending) == 0:
			return nil, 0
		case q.Ready == nil || q.Ready(q.pending[0]):
			q.current = &openUnit[P]{unit: q.pending[0], parts: make([]P, q.task.Parts(q.pending[0]))}
			q.pending = q.pending[1:]
		default:
			q.changed.Wait()
		}
	}
	return nil, 0
}

// deliver stores the result of a part. If the part completes its unit, deliver also joins the parts
// and stores the unit's result.
func (q *queue[W, P]) deliver(o *openUnit[P], part int, p P) error {
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
