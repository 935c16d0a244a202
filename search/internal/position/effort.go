package position

import (
	"context"
	"time"

	"plyfit/work"
)

// Effort counts the work of a search and stops it at its limits.
type Effort struct {
	Nodes       int64
	Estimates   int64 // number of leaf values and stored values that are not exact
	Least       int   // smallest number of decisions from any visited node to the horizon
	Evaluations int64 // number of evaluated leaves

	Untimed bool // Elapsed will not be called, so the start time is not needed

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

// Visit counts a node and reports whether the search may continue.
func (e *Effort) Visit() bool {
	e.Nodes++
	return e.Nodes < e.meter.next || !e.meter.check(e.Nodes)
}

// Visits counts n nodes that other code has visited. It returns the number of nodes after which it
// must be called again, or 0 if the search must stop.
func (e *Effort) Visits(n int64) int64 {
	e.Nodes += n
	if e.meter.stopped || e.Nodes >= e.meter.next && e.meter.check(e.Nodes) {
		return 0
	}
	return e.meter.next - e.Nodes
}

// Stopped reports whether a limit has stopped the search.
func (e *Effort) Stopped() bool { return e.meter.stopped }

// Fail stops the search because code on which it depends returned the error err. If the context has
// ended, Fail treats this as an ordinary limit and does not record err.
func (e *Effort) Fail(err error) {
	e.meter.stopped, e.meter.next = true, 0
	if e.meter.ctx.Err() == nil {
		e.fault = err
	}
}

// Fault returns the error recorded by Fail, or nil.
func (e *Effort) Fault() error { return e.fault }

// Elapsed returns the time since the search began.
func (e *Effort) Elapsed() time.Duration { return time.Since(e.meter.started) }

// Context returns the context with which the search was started.
func (e *Effort) Context() context.Context { return e.meter.ctx }

// At arranges for wake to be called once n nodes have been visited.
func (e *Effort) At(n int64, wake func()) {
	e.meter.alarm, e.meter.wake = n, wake
	e.meter.schedule()
}

// Resume continues a stopped search. The clock and the context still apply, but the node count
// restarts.
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

// Nested starts a secondary search with its own limits. The function back ends that search,
// restores the counters and limits of the main search, and returns the number of nodes that the
// secondary search visited.
func (e *Effort) Nested() (back func() int64) {
	nodes, meter := e.Nodes, e.meter
	e.Resume()
	return func() int64 {
		took := e.Nodes - nodes
		e.Nodes, e.meter = nodes, meter
		return took
	}
}

// Reach records a visit to a node that is depth decisions away from the horizon.
func (e *Effort) Reach(depth int) { e.Least = min(e.Least, depth) }

// A meter stops a search at its limits. It reads the clock roughly once per pause, however long a
// node takes. To do so, it adapts the number of nodes between readings to the speed of the search.
type meter struct {
	ctx      context.Context
	started  time.Time
	deadline time.Time // zero if there is none
	nodes    int64     // limit; 0 means none
	watched  bool      // there is a deadline or a context that can end

	alarm int64  // number of nodes at which to call wake once
	wake  func() // nil if there is nothing to call

	next    int64 // number of nodes at which to check again
	step    int64
	last    time.Time
	stopped bool
}

const (
	pause    = 200 * time.Microsecond
	maxStep  = 1 << 14
	noLimits = int64(1)<<62 - 1
)

// check tests the limits after n nodes, where n >= m.next. It reports whether the search must stop.
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

// schedule brings the next check forward to the node limit or the alarm, whichever comes first.
func (m *meter) schedule() {
	if m.nodes > 0 {
		m.next = min(m.next, m.nodes)
	}
	if m.wake != nil {
		m.next = min(m.next, m.alarm)
	}
}
