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

// A Coordinator runs jobs on the workers of a hub. It implements [work.Executor].
type Coordinator struct {
	Link *Link
	// About one unit in Check is computed twice, and the two results are compared. 0 means none.
	Check int
	// Window is the maximum number of units on the hub at a time. 0 means 4096.
	Window int

	runs atomic.Int64
}

// Runs returns the number of runs so far.
func (c *Coordinator) Runs() int { return int(c.runs.Load()) }

var _ work.Executor = (*Coordinator)(nil)

// surveyEvery is the interval between checks for units that the hub has lost or that no worker
// could compute.
const surveyEvery = 2 * time.Second

// Run implements [work.Executor]. If no worker can compute a unit, the units that depend on it are
// not computed either. The error lists up to three units that no worker could compute.
func (c *Coordinator) Run(ctx context.Context, r work.Run) error {
	if r.Audit == nil || r.Audit.Check == nil {
		panic("cluster: the job has no audit")
	}
	c.runs.Add(1)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d := &run{
		Link: c.Link, r: r, job: r.Job.Name(), class: class(work.ThisBuild()), window: cmp.Or(c.Window, 4096),
		stop: stop, state: map[int]unitState{}, dead: map[int]string{}, changed: make(chan struct{}, 1), began: time.Now(),
		check: c.Check, first: map[int]report{}, wrong: map[string]int{},
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

var errFinished = errors.New("cluster: run finished")

type unitState int

const (
	waiting unitState = iota
	published
	storing // the result is being stored
	stored
	givenUpState // given up
)

// A run is one run of a job.
type run struct {
	*Link
	r          work.Run
	job, class string
	window     int
	later      sync.WaitGroup // waits for the units that repeatLater publishes
	check      int            // one unit in check is computed twice; 0 means none
	broken     atomic.Bool    // whether two results of a unit differ
	failed     atomic.Bool    // whether the store rejected a result
	stop       context.CancelCauseFunc
	began      time.Time
	changed    chan struct{} // signals that units were finished
	moved      time.Time     // last time that a unit changed its state

	mu    sync.Mutex
	state map[int]unitState
	left  []int // waiting units, in order
	out   int   // number of units that are published or being stored
	done  int   // number of units whose result is stored
	dead  map[int]string
	first map[int]report // units whose result is stored or is waiting for a second result
	wrong map[string]int // number of malformed results, by worker
}

// open posts the job and retries units that were given up before. It asks the hub to redeliver the
// results that an earlier coordinator received but did not store. It also withdraws the units that
// the earlier coordinator published, because units lost by the hub would otherwise be computed
// after them.
func (d *run) open(ctx context.Context) error {
	if err := d.retry(ctx, "make the streams", d.Ensure); err != nil {
		return err
	}
	if err := d.post(ctx, d.r.Job, d.r.Files); err != nil {
		return err
	}
	var done map[int]bool
	err := d.retry(ctx, "reset the job", func(ctx context.Context) (err error) {
		queue := workSubject(d.class, d.job, allUnits)
		err = errors.Join(d.purge(ctx, deadStream, deadSubject(d.job, allUnits)), d.purge(ctx, workStream, queue), d.deleteConsumer(ctx))
		if err != nil {
			return err
		}
		done, err = d.units(ctx, doneStream, doneSubject(d.job, allUnits))
		return err
	})
	for unit := range done {
		if _, ours := d.state[unit]; ours {
			d.mark(unit, published)
		}
	}
	return err
}

// close withdraws the job from the hub, no matter how the run ended. Results remain on the hub if
// the store failed, and the job remains if a unit needs investigation. Files remain until they
// expire.
func (d *run) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*deadline)
	defer cancel()
	var err error
	if len(d.dead) == 0 && !d.broken.Load() {
		err = d.remove(ctx, jobBucket, d.job)
	}
	// The units that are running are stopped after the purge, when no further unit can start.
	err = errors.Join(err, d.purge(ctx, workStream, workSubject(d.class, d.job, allUnits)))
	err = errors.Join(err, d.nc.Publish(stopSubject(d.job), nil), d.remove(ctx, signBucket, jobSign+d.job))
	if !d.failed.Load() {
		err = errors.Join(err, d.purge(ctx, doneStream, doneSubject(d.job, allUnits)), d.deleteConsumer(ctx))
	}
	if err != nil {
		d.Log.Warn("could not remove all data of the job; the hub will delete the rest later", "job", Short(d.job), "error", err)
	}
}

// mark records the state of a unit and reports whether it changed.
func (d *run) mark(unit int, s unitState) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.state[unit]
	if was == s || was == stored {
		return false
	}
	d.state[unit], d.moved = s, time.Now()
	open := func(s unitState) bool { return s == published || s == storing }
	switch {
	case open(s) && !open(was):
		d.out++
	case !open(s) && open(was):
		d.out--
	}
	if was == givenUpState {
		delete(d.dead, unit)
	}
	if s == stored {
		d.done++
	}
	return true
}

// completed marks a unit as stored and reports it. It may be called concurrently.
func (d *run) completed(unit int) {
	if !d.mark(unit, stored) {
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
	default: // the publisher has already been woken
	}
}
