package search

import (
	"context"
	"time"
)

// effort is what a search has spent, and what stops it.
type effort struct {
	meter     meter
	nodes     int64
	estimates int64 // leaves, or remembered values, that were not certain
	least     int   // decisions that were left before the horizon, where fewest were
	stats     Stats
}

func (e *effort) start(ctx context.Context, limit time.Duration, nodes int64) {
	e.nodes, e.estimates, e.stats = 0, 0, Stats{}
	e.meter.start(ctx, limit, nodes)
}

// visit counts a node; false: the search has to stop.
func (e *effort) visit() bool {
	e.nodes++
	return e.nodes < e.meter.next || !e.meter.check(e.nodes)
}

// reach notes that a node is depth decisions before the horizon.
func (e *effort) reach(depth int) {
	if depth < e.least {
		e.least = depth
	}
}

// deepest is the horizon of a search without a limit of depth.
const deepest = 1 << 20

// deepen is iterative deepening (Slate and Atkin 1977): it calls iterate with the
// horizons first, first+step, ... up to last, until iterate says that deeper ones
// find the same, or that a limit stopped it (done is false). It reports whether any
// iteration was finished.
func deepen(first, last, step int, iterate func(depth int) (final, done bool)) (finished bool) {
	for depth := first; depth <= last; depth += step {
		final, done := iterate(depth)
		if !done {
			return finished
		}
		if finished = true; final {
			break
		}
	}
	return finished
}

// meter stops a search at its limits. The clock is read about every pause of
// time, however long a node takes: the number of nodes between two readings
// follows the pace of the search.
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

func (m *meter) start(ctx context.Context, limit time.Duration, nodes int64) {
	*m = meter{ctx: ctx, started: time.Now(), nodes: nodes, step: 16, next: noLimits}
	m.last = m.started
	if limit > 0 {
		m.deadline = m.started.Add(limit)
	}
	m.watched = limit > 0 || ctx.Done() != nil
	if m.watched {
		m.next = m.step
	}
	m.schedule()
}

// check is called when n nodes, at least m.next, have been visited; it reports
// whether the search is to stop.
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

// at has wake called when n nodes have been visited.
func (m *meter) at(n int64, wake func()) {
	m.alarm, m.wake = n, wake
	m.schedule()
}

// resume lets a search that has visited n nodes go on: the clock and the
// context keep their say, the limit of nodes begins anew.
func (m *meter) resume(n int64) {
	m.stopped, m.wake = false, nil
	m.next = noLimits
	if m.nodes > 0 {
		m.nodes += n
		m.next = m.nodes
	}
	if m.watched {
		m.next = n
	}
}
