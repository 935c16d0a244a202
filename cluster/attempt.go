package cluster

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"plyfit/work"
)

// do computes a received unit and publishes the result.
func (w *Worker) do(ctx context.Context, m jetstream.Msg) {
	job, unit, ok := unitOf(m.Subject())
	if !ok {
		_ = m.Term()
		return
	}
	log := w.Link.Log.With("job", Short(job), "unit", unit)
	n := tries(m)
	if n > mostTries {
		if err := w.Link.giveUp(ctx, m, job, unit, fmt.Sprintf("killed its worker %d times", mostTries)); err == nil {
			log.Error("unit abandoned, because its workers died while computing it", "tries", mostTries)
		}
		return
	}
	if m.Headers().Get(excludedHeader) == w.name && w.Link.hasWorker(ctx, w.name) {
		_ = w.Link.requeue(ctx, m) // for another worker
		pause(ctx, passPause)
		return
	}
	posted := func() bool { return w.Link.isPosted(ctx, job) }
	held := startHeartbeat(m, w.lease, posted, func() { w.jobs.drop(job, nil, errStopped) })
	defer held.end()
	if n > 1 {
		// The unit may have killed its worker. Units are retried one at a time, so that no other
		// retry is blamed if this process dies.
		if !w.retry.TryLock() {
			_ = w.Link.requeue(ctx, m)
			pause(ctx, time.Second)
			return
		}
		defer w.retry.Unlock()
		pause(ctx, grace)
		if there, _ := w.Link.units(ctx, doneStream, doneSubject(job, unit)); there[unit] {
			_ = m.Ack() // only the acknowledgement was lost
			return
		}
		log.Warn("retrying unit", "try", n)
	}
	w.busy.Add(1)
	start := time.Now()
	result, err := w.result(ctx, job, unit)
	w.busy.Add(-1)
	switch {
	case ctx.Err() != nil:
		_ = w.Link.requeue(context.WithoutCancel(ctx), m)
	case errors.Is(err, errNotPosted) || errors.Is(err, errStopped):
		log.Info("unit dropped", "reason", err)
		_ = m.Ack() // the coordinator publishes the unit again if needed
	case err != nil:
		w.fail(ctx, m, job, unit, n, err)
	default:
		w.submit(ctx, m, held, job, unit, result, time.Since(start))
	}
}

const (
	// passPause is the time that a worker waits after leaving a unit to another worker.
	passPause = 250 * time.Millisecond
	// grace is the time that a retry waits while this process hands back the other retries that it
	// received at the same time. Otherwise, they would count as started if this retry killed the
	// process.
	grace = 100 * time.Millisecond
)

// submit delivers the result of a unit, unless the job ended while this process was suspended.
func (w *Worker) submit(ctx context.Context, m jetstream.Msg, held *heartbeat, job string, unit int, result []byte, took time.Duration) {
	log := w.Link.Log.With("job", Short(job), "unit", unit)
	if held.sign() {
		// This process was suspended, and another worker may have finished the unit and the job.
		if _, _, _, err := w.Link.posted(ctx, job); errors.Is(err, errNotPosted) {
			log.Info("result dropped, because the job has ended")
			_ = m.Ack()
			return
		}
	}
	switch err := w.Link.deliver(ctx, job, unit, w.name, result); {
	case err == nil:
		w.done.Add(1)
		log.Info("unit done", "seconds", took.Round(time.Millisecond).Seconds(), "bytes", len(result))
	case errors.Is(err, errOccupied):
		log.Info("unit has already been computed by another worker")
	default: // the connection is closed, and the process ends
		return
	}
	_ = m.Ack()
}

// fail makes a unit that returned an error available again after a second. After the last try, the
// unit is abandoned.
func (w *Worker) fail(ctx context.Context, m jetstream.Msg, job string, unit, n int, err error) {
	w.failed.Add(1)
	w.Link.Log.Error("unit failed", "job", Short(job), "unit", unit, "try", n, "error", err)
	if n < mostTries {
		_ = m.NakWithDelay(time.Second)
		return
	}
	_ = w.Link.giveUp(ctx, m, job, unit, fmt.Sprintf("%v (on %s)", err, w.name))
}

// result computes a unit. It converts a panic to an error, so that the other workers of the process
// can continue.
func (w *Worker) result(ctx context.Context, job string, unit int) (result []byte, err error) {
	o, units, err := w.jobs.open(ctx, job)
	if err != nil {
		return nil, err
	}
	defer w.jobs.leave(o)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v at %s", p, origin(debug.Stack()))
		}
	}()
	result, err = units.Unit(o.ctx, unit)
	if o.ctx.Err() != nil {
		return nil, context.Cause(o.ctx)
	}
	return result, err
}

// origin returns the location of a panic: the file and line of the call to panic or of the
// operation that failed, or "an unknown place".
func origin(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+3 < len(lines) {
			place, _, _ := strings.Cut(strings.TrimSpace(lines[i+3]), " +0x")
			return place
		}
	}
	return "an unknown place"
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Repeat computes one unit of a posted job in this process, as a worker would.
func Repeat(ctx context.Context, l *Link, kinds work.Kinds, jobPrefix string, unit int) (result []byte, err error) {
	name, err := l.named(ctx, jobPrefix)
	if err != nil {
		return nil, err
	}
	w := &Worker{Link: l, Kinds: kinds, Workers: 1, build: work.ThisBuild()}
	w.jobs = newOpenJobs(w)
	defer w.jobs.close()
	o, units, err := w.jobs.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer w.jobs.leave(o)
	return units.Unit(o.ctx, unit) // panics are not recovered here, so that the user can see them
}

// A heartbeat keeps a unit assigned to this worker while the unit is computed. It sends three
// heartbeats per lease. If the job is not posted at two heartbeats in a row, the worker has missed
// the stop message, and the callback is called.
type heartbeat struct {
	lease time.Duration
	end   func() // stops the heartbeats

	mu    sync.Mutex
	since time.Time // time of the last heartbeat
	late  bool      // whether there has been a gap longer than the lease
}

func startHeartbeat(m jetstream.Msg, lease time.Duration, posted func() bool, over func()) *heartbeat {
	stop, ended := make(chan struct{}), make(chan struct{})
	h := &heartbeat{lease: lease, since: time.Now(), end: sync.OnceFunc(func() { close(stop); <-ended })}
	go func() {
		defer close(ended)
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		missed := 0
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				h.sign()
				_ = m.InProgress() // a lost hub is reported elsewhere
				if missed++; posted() {
					missed = 0
				}
				if missed == 2 { // the job is gone, and its coordinator has not posted it again
					over()
				}
			}
		}
	}()
	return h
}

// sign records a heartbeat. It reports whether the lease may have expired.
func (h *heartbeat) sign() (late bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	// The monotonic clock may stop while a machine sleeps. The wall clock does not.
	now := time.Now().Round(0)
	if now.Sub(h.since.Round(0)) > h.lease {
		h.late = true
	}
	h.since = now
	return h.late
}
