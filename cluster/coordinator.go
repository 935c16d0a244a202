package cluster

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"plyfit/work"
)

type Coordinator struct {
	Link *Link
	// Check has one unit in so many computed twice, and the results compared; 0: none is.
	Check int
	// Window is the most units that lie on the hub at a time; 0: 4096.
	Window int

	runs atomic.Int64
}

// Runs is the number of runs so far.
func (c *Coordinator) Runs() int { return int(c.runs.Load()) }

var _ work.Executor = (*Coordinator)(nil)

// surveyEvery is how often the hub is checked for units that it has lost, or that no worker could
// compute.
const surveyEvery = 2 * time.Second

// Run implements [work.Executor]. Units that no worker can compute delay only those that depend on
// them; the error names them.
func (c *Coordinator) Run(ctx context.Context, r work.Run) error {
	if r.Audit == nil || r.Audit.Check == nil {
		panic("cluster: a job without an audit")
	}
	c.runs.Add(1)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d := &desk{
		Link: c.Link, r: r, job: r.Job.Name(), class: class(work.ThisBuild()), window: cmp.Or(c.Window, 4096),
		stop: stop, state: map[int]unitState{}, dead: map[int]string{}, changed: make(chan struct{}, 1), began: time.Now(),
		check: c.Check, first: map[int]claim{}, wrong: map[string]int{},
	}
	for _, unit := range r.Units {
		d.state[unit] = waiting
	}
	d.left = r.Units
	if err := d.open(ctx); err != nil {
		return err
	}
	defer d.close()
	var all sync.WaitGroup
	for _, f := range []func(context.Context) error{d.publish, d.drain, d.watch} {
		all.Go(func() {
			if err := f(ctx); err != nil {
				stop(err)
			}
		})
	}
	all.Wait()
	d.later.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errFinished) {
		return err
	}
	return d.givenUp()
}

var errFinished = errors.New("cluster: nothing is left to do")

type unitState int

const (
	waiting unitState = iota
	published
	keeping // its result is on the way into the store
	there
	given // up
)

type desk struct {
	*Link
	r          work.Run
	job, class string
	window     int
	later      sync.WaitGroup // what keepers of results leave to others
	check      int            // one unit in so many is computed twice; 0: none
	broken     atomic.Bool    // two results of a unit differ
	failed     atomic.Bool    // the store refused a result
	stop       context.CancelCauseFunc
	began      time.Time
	changed    chan struct{} // a word that units were finished
	moved      time.Time     // when a unit was last published or kept

	mu    sync.Mutex
	state map[int]unitState
	left  []int // waiting, in order
	out   int   // published or keeping
	done  int   // there
	dead  map[int]string
	first map[int]claim  // of units whose result is in the store, or waits for a second one
	wrong map[string]int // results of a wrong form, by worker
}

// open posts the job, retries units given up before, and has results received by a killed
// coordinator delivered again. It withdraws the units that coordinator had published: lost ones
// would otherwise come after them.
func (d *desk) open(ctx context.Context) error {
	if err := d.insist(ctx, "make the streams", d.Ensure); err != nil {
		return err
	}
	if err := d.post(ctx, d.r.Job, d.r.Files); err != nil {
		return err
	}
	var done map[int]bool
	err := d.insist(ctx, "begin anew", func(ctx context.Context) (err error) {
		queue := workSubject(d.class, d.job, every)
		err = errors.Join(d.purge(ctx, deadStream, deadSubject(d.job, every)), d.purge(ctx, workStream, queue), d.deleteConsumer(ctx))
		if err != nil {
			return err
		}
		done, err = d.units(ctx, doneStream, doneSubject(d.job, every))
		return err
	})
	for unit := range done {
		if _, ours := d.state[unit]; ours {
			d.mark(unit, published)
		}
	}
	return err
}

// close withdraws what is left, however the run ended. The hub keeps results that the store could
// not take, and the job if a unit needs investigation.
func (d *desk) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*deadline)
	defer cancel()
	var err error
	if len(d.dead) == 0 && !d.broken.Load() {
		err = d.remove(ctx, jobBucket, d.job)
	}
	// Once no unit can begin any more, running ones are stopped.
	err = errors.Join(err, d.purge(ctx, workStream, workSubject(d.class, d.job, every)))
	err = errors.Join(err, d.nc.Publish(stopSubject(d.job), nil), d.remove(ctx, signBucket, jobSign+d.job))
	if !d.failed.Load() {
		err = errors.Join(err, d.purge(ctx, doneStream, doneSubject(d.job, every)), d.deleteConsumer(ctx))
	}
	if err != nil {
		d.Log.Warn("not all is withdrawn; the hub forgets it in time", "job", Short(d.job), "error", err)
	}
}

// mark records a unit's state and reports whether it changed.
func (d *desk) mark(unit int, s unitState) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.state[unit]
	if was == s || was == there {
		return false
	}
	d.state[unit], d.moved = s, time.Now()
	open := func(s unitState) bool { return s == published || s == keeping }
	switch {
	case open(s) && !open(was):
		d.out++
	case !open(s) && open(was):
		d.out--
	}
	if was == given {
		delete(d.dead, unit)
	}
	if s == there {
		d.done++
	}
	return true
}

// arrived reports a completed unit; one call at a time.
func (d *desk) arrived(unit int) {
	if !d.mark(unit, there) {
		return
	}
	d.mu.Lock()
	if d.r.There != nil {
		d.r.There(unit)
	}
	if d.done+len(d.dead) == len(d.r.Units) {
		d.stop(errFinished)
	}
	d.mu.Unlock()
	select {
	case d.changed <- struct{}{}:
	default: // the publisher is awake
	}
}
