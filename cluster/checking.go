package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"plyfit/internal/failure"
	"plyfit/work"
)

// mostWrong is how many results that cannot be right a worker may hand in before the job
// ends: a broken machine would take all units and do none.
const mostWrong = 3

// claim is a result as a worker has handed it in.
type claim struct {
	worker string // as it calls itself
	digest string // of the result, SHA-256
}

func claimOf(m jetstream.Msg) claim {
	h := m.Headers()
	return claim{cmp.Or(readable(h.Get(hostHeader)), "without a name"), readable(h.Get(digestHeader))}
}

// checks find broken machines: one unit in so many is computed again here, and results that
// come twice are compared.
type checks struct {
	every int // 0: none is computed again
	job   *work.Job
	kinds work.Kinds
	one   sync.Mutex // one unit at a time is computed here

	mu    sync.Mutex
	kept  map[int]claim  // of units in the store
	wrong map[string]int // results that cannot be right, by worker
	units work.Units     // nil: none was computed here yet
}

func newChecks(c *Coordinator, job *work.Job) *checks {
	return &checks{every: c.Check, job: job, kinds: c.Kinds, kept: map[int]claim{}, wrong: map[string]int{}}
}

// close ends what computes units here.
func (c *checks) close() {
	if c.units != nil {
		_ = c.units.Close()
	}
}

// compute is a unit's result, as this process computes it.
func (c *checks) compute(ctx context.Context, unit int, files work.Files) (result []byte, err error) {
	c.one.Lock()
	defer c.one.Unlock()
	if c.units == nil {
		job, _, err := work.ParseJob(c.job.Canonical())
		if err != nil {
			return nil, err
		}
		if c.units, err = c.kinds.Open(job, files, runtime.GOMAXPROCS(0)); err != nil {
			return nil, err
		}
	}
	return c.units.Unit(ctx, unit)
}

// compare looks at a result of a unit, and notes it if it is the first one.
func (d *desk) compare(unit int, by claim) {
	d.checks.mu.Lock()
	before, again := d.checks.kept[unit]
	if !again {
		d.checks.kept[unit] = by
	}
	d.checks.mu.Unlock()
	if again && before.digest != by.digest {
		d.stop(d.differ(unit, before, by))
	}
}

// differ is the error of two results of one unit. Which of them is wrong is not known.
func (d *desk) differ(unit int, a, b claim) error {
	return failure.Of(fmt.Errorf("job %s: unit %d has two results: SHA-256 %.12s from worker %s, %.12s from %s: one of the two machines is faulty, and what it handed in before may be wrong, too: take it away and begin again",
		Short(d.job), unit, a.digest, a.worker, b.digest, b.worker))
}

// chosen draws whether a unit is computed again, once its result is there.
func (d *desk) chosen() bool { return d.checks.every > 0 && rand.IntN(d.checks.every) == 0 }

// checkLater computes a unit again, and puts the result into the store if it is the same.
func (d *desk) checkLater(ctx context.Context, unit int, by claim) {
	d.later.Go(func() {
		result, err := d.checks.compute(ctx, unit, d.r.Files)
		host, _ := os.Hostname()
		switch ours := (claim{fmt.Sprintf("this process (%s/%d)", host, os.Getpid()), work.Digest(result)}); {
		case ctx.Err() != nil:
			return
		case err != nil:
			err = fmt.Errorf("unit %d, computed here to check it: %w", unit, err)
		case ours.digest != by.digest:
			err = d.differ(unit, by, ours)
		default:
			err = d.shelve(unit, result, by)
		}
		if err != nil {
			d.stop(err)
		}
	})
}

// repeatLater publishes a unit again. The worker that handed in a result may not have told
// the hub yet that it is done; until then the hub refuses the unit.
func (d *desk) repeatLater(ctx context.Context, unit int) {
	d.later.Go(func() {
		for end := time.Now().Add(deadline); time.Now().Before(end) && ctx.Err() == nil; pause(ctx, 20*time.Millisecond) {
			err := d.call(ctx, func(ctx context.Context) error {
				_, err := d.js.Publish(ctx, workSubject(d.class, d.job, unit), nil)
				return err
			})
			if !occupied(err) {
				return // what the hub has not got is found missing when it is looked over
			}
		}
	})
}

// refuse tells of a result that cannot be right. The unit begins again; a worker that hands
// in several such results ends the job.
func (d *desk) refuse(ctx context.Context, unit int, worker string, why error) error {
	d.checks.mu.Lock()
	d.checks.wrong[worker]++
	n := d.checks.wrong[worker]
	d.checks.mu.Unlock()
	d.Log.Error("result refused; its unit begins again", "job", Short(d.job), "unit", unit, "worker", worker, "error", why)
	if n >= mostWrong {
		return failure.Of(fmt.Errorf("job %s: worker %s has handed in %d results that cannot be right, the last of them for unit %d: %w: stop it; the same command goes on", Short(d.job), worker, n, unit, why))
	}
	d.repeatLater(ctx, unit)
	return nil
}
