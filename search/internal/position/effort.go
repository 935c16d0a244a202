package position

import (
	"context"
	"time"

	"plyfit/work"
)

// Effort is what a search has spent, and what stops it.
type Effort struct {
	Nodes       int64
	Estimates   int64 // leaves, or remembered values, that were not certain
	Least       int   // decisions that were left before the horizon, where fewest were
	Evaluations int64 // leaves that were evaluated

	Untimed bool // no one will ask for Elapsed

	meter meter
	fault error
}

func (e *Effort) start(ctx context.Context, limit time.Duration, nodes int64) {
	e.Nodes, e.Estimates, e.Evaluations, e.fault = 0, 0, 0, nil
	m := &e.meter
	*m = meter{ctx: ctx, nodes: nodes, step: 16, next: noLimits, watched: limit > 0 || ctx.Done() != nil}
	if m.watched || !e.Untimed {
		m.started = time.Now()
		m.last = m.started
	}
	if limit > 0 {
		m.deadline = m.started.Add(limit)
	}
	if m.watched {
		m.next = m.step
	}
	m.schedule()
}

// Visit counts a node; false: the search has to stop.
func (e *Effort) Visit() bool {
	e.Nodes++
	return e.Nodes < e.meter.next || !e.meter.check(e.Nodes)
}

// Visits counts n nodes that someone else visited. It returns after how many more he
// is to tell of them, 0 where the search has to stop.
func (e *Effort) Visits(n int64) int64 {
	e.Nodes += n
	if e.meter.stopped || e.Nodes >= e.meter.next && e.meter.check(e.Nodes) {
		return 0
	}
	return e.meter.next - e.Nodes
}

// Stopped reports whether a limit has stopped the search.
func (e *Effort) Stopped() bool { return e.meter.stopped }

// Fail stops the search since someone whom it asked has no answer. Where its context has
// ended, that is a limit like any other, and no fault.
func (e *Effort) Fail(err error) {
	e.meter.stopped, e.meter.next = true, 0
	if e.meter.ctx.Err() == nil {
		e.fault = err
	}
}

// Fault is why a search failed, nil where it did not.
func (e *Effort) Fault() error { return e.fault }

// Elapsed is the time since the search began.
func (e *Effort) Elapsed() time.Duration { return time.Since(e.meter.started) }

// Context is what the search was started with.
func (e *Effort) Context() context.Context { return e.meter.ctx }

// At has wake called when n nodes have been visited.
func (e *Effort) At(n int64, wake func()) {
	e.meter.alarm, e.meter.wake = n, wake
	e.meter.schedule()
}

// Resume continues a stopped search: clock and context still count, the node limit restarts.
func (e *Effort) Resume() {
	m := &e.meter
	m.stopped, m.wake, m.next = false, nil, noLimits
	if m.nodes > 0 {
		m.nodes += e.Nodes
		m.next = m.nodes
	}
	if m.watched {
		m.next = e.Nodes
	}
}

// Aside begins a search beside the one at hand, under limits of its own. back ends
// it, as if it had not been, and returns how many nodes it visited.
func (e *Effort) Aside() (back func() int64) {
	nodes, meter := e.Nodes, e.meter
	e.Resume()
	return func() int64 {
		took := e.Nodes - nodes
		e.Nodes, e.meter = nodes, meter
		return took
	}
}

// Reach notes that a node is depth decisions before the horizon.
func (e *Effort) Reach(depth int) {
	if depth < e.Least {
		e.Least = depth
	}
}

// meter stops a search at its limits. It reads the clock about every pause of time, however long a
// node takes: the number of nodes between two readings follows the search's pace.
type meter struct {
	ctx      context.Context
	started  time.Time
	deadline time.Time // zero: none
	nodes    int64     // limit; 0: none
	watched  bool      // whether there is a clock or a context to heed

	alarm int64  // the number of nodes at which to call wake, once
	wake  func() // nil: never

	next    int64 // the number of nodes at which to check again
	step    int64
	last    time.Time
	stopped bool
}

const (
	pause    = 200 * time.Microsecond
	maxStep  = 1 << 14
	noLimits = int64(1)<<62 - 1
)

// check is called at n >= m.next visited nodes; it reports whether the search must stop.
func (m *meter) check(n int64) bool {
	if m.stopped {
		return true
	}
	if m.wake != nil && n >= m.alarm {
		wake := m.wake
		m.wake = nil
		wake()
	}
	if m.nodes > 0 && n >= m.nodes {
		m.stopped = true
		return true
	}
	m.next = noLimits
	if m.watched {
		work.Yield()
		now := time.Now()
		if m.ctx.Err() != nil || !m.deadline.IsZero() && !now.Before(m.deadline) {
			m.stopped = true
			return true
		}
		switch took := now.Sub(m.last); {
		case took > pause && m.step > 1:
			m.step = max(1, m.step*int64(pause)/int64(took))
		case took < pause/2 && m.step < maxStep:
			m.step *= 2
		}
		m.last = now
		m.next = n + m.step
	}
	m.schedule()
	return false
}

// schedule brings the next check forward to the limit of nodes and to the alarm.
func (m *meter) schedule() {
	if m.nodes > 0 {
		m.next = min(m.next, m.nodes)
	}
	if m.wake != nil {
		m.next = min(m.next, m.alarm)
	}
}
