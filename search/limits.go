package search

import (
	"context"
	"fmt"
	"time"

	"plyfit/game"
	"plyfit/models"
)

// validate tells what is wrong with a Config for an agent of the kind named
// agent, whatever position it will be asked about.
func (c *Config) validate(agent string) error {
	switch {
	case c.Game == nil:
		return fmt.Errorf("%s: no game", agent)
	case c.Eval == nil:
		return fmt.Errorf("%s: no evaluation", agent)
	case c.Depth < 0:
		return fmt.Errorf("%s: depth=%d: want a positive number of decisions", agent, c.Depth)
	case c.Nodes < 0:
		return fmt.Errorf("%s: nodes=%d: want a positive number", agent, c.Nodes)
	case c.Time < 0:
		return fmt.Errorf("%s: time=%v: want a positive time", agent, c.Time)
	case c.Depth == 0 && c.Nodes == 0 && c.Time == 0:
		return fmt.Errorf("%s: no limit: want at least one of depth, nodes and time", agent)
	case c.Leaf != "" && c.Leaf != models.Decision && c.Leaf != models.Afterstate:
		return fmt.Errorf("%s: leaf=%s: want decision or afterstate", agent, c.Leaf)
	case c.Threads < 0:
		return fmt.Errorf("%s: threads=%d: want a positive number", agent, c.Threads)
	case c.Threads > 1 && c.Fork == nil && !knowsNothing(c.Eval):
		return fmt.Errorf("%s: threads=%d: want an evaluation that can be forked", agent, c.Threads)
	case c.Threads > 1 && c.Assume.Kind == AssumePolicy:
		return fmt.Errorf("%s: threads=%d: a policy is asked by one thread only", agent, c.Threads)
	case c.Observer != nil && c.Threads > 1:
		return fmt.Errorf("%s: an observer needs one thread, not %d", agent, c.Threads)
	case !(c.MinProb >= 0 && c.MinProb < 1):
		return fmt.Errorf("%s: a smallest probability of %v: want at least 0 and below 1", agent, c.MinProb)
	case c.Samples < 0:
		return fmt.Errorf("%s: %d samples: want a positive number", agent, c.Samples)
	case c.Assume.Kind == AssumePolicy && c.Assume.Policy == nil:
		return fmt.Errorf("%s: no policy to assume", agent)
	}
	return nil
}

func knowsNothing(e Evaluator) bool {
	_, ok := e.(zero)
	return ok
}

// twoSided tells whether a game of this shape can be searched with one number
// a position: one player, or two of whom one gets what the other loses. Else
// the error says so. One player planning against policies needs neither.
func twoSided(agent string, g *game.Game, sh game.Shape, policy bool) error {
	switch {
	case policy || sh.Players == 1:
		return nil
	case sh.Players > 2:
		return fmt.Errorf("%s: %s has %d players: want at most 2 (maxn takes more)", agent, g.Spec, sh.Players)
	case sh.Sum == game.General:
		return fmt.Errorf("%s: %s has a general sum: want a zero or constant sum (maxn takes any)", agent, g.Spec)
	}
	return nil
}

// meter stops a search at its limits. The clock is read about every pause of
// time, however long a node takes: the number of nodes between two readings
// follows the pace of the search.
type meter struct {
	ctx      context.Context
	started  time.Time
	deadline time.Time // zero: none
	nodes    int64     // limit; 0: none
	watched  bool      // whether there is a clock or a context to look at

	alarm int64  // the number of nodes at which to call wake, once
	wake  func() // nil: never

	next    int64 // the number of nodes at which to look again
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
	m.hurry()
}

// look is called when n nodes, at least m.next, have been visited; it tells
// whether the search is to stop.
func (m *meter) look(n int64) bool {
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
	m.hurry()
	return false
}

// hurry brings the next look forward to the limit of nodes and to the alarm.
func (m *meter) hurry() {
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
	m.hurry()
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
