package work

import (
	"context"
	"slices"
	"sync"
	"time"
)

// queue hands out the parts of one run.
type queue[W, P any] struct {
	Run
	crew *Crew[W, P]
	ctx  context.Context
	stop context.CancelCauseFunc

	mu      sync.Mutex
	changed sync.Cond
	left    []int        // units neither there nor claimed by us
	dealing *opened[P]   // the unit whose parts are handed out
	open    map[int]bool // units claimed and not yet kept
	asked   time.Time    // when nothing was found to begin
	closing sync.WaitGroup
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

// tick wakes those who wait for other processes, or to be ready.
func (q *queue[W, P]) tick(ended <-chan struct{}) {
	t := time.NewTicker(poll)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			q.wake()
		case <-q.Again:
			q.mu.Lock()
			q.asked = time.Time{}
			q.changed.Broadcast()
			q.mu.Unlock()
		case <-ended:
			return
		}
	}
}

// work is the life of a worker.
func (q *queue[W, P]) work(worker W) {
	for {
		o, part := q.next()
		if o == nil {
			return
		}
		p, err := q.crew.Do(q.ctx, worker, o.unit, part)
		if err == nil {
			err = q.ctx.Err() // a search that was stopped says so by no error
		}
		q.deliver(o, part, p, err)
	}
}

// next is the next part to work out; nil where nothing is left for this crew.
func (q *queue[W, P]) next() (o *opened[P], part int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ctx.Err() == nil {
		if o := q.dealing; o != nil {
			part = o.dealt
			if o.dealt++; o.dealt == len(o.parts) {
				q.dealing = nil
			}
			return o, part
		}
		if len(q.open) < q.Open && time.Since(q.asked) > poll/2 {
			begun, err := q.begin()
			switch {
			case err != nil:
				q.stop(err)
				return nil, 0
			case begun:
				continue
			}
			q.asked = time.Now()
		}
		if len(q.left) == 0 {
			return nil, 0
		}
		q.changed.Wait()
	}
	return nil, 0
}

// begin claims the first unit that can be had, and strikes out those that are
// there by now.
func (q *queue[W, P]) begin() (begun bool, err error) {
	for i := 0; i < len(q.left); {
		unit := q.left[i]
		if there, err := q.Store.Has(unit); err != nil {
			return false, err
		} else if there {
			q.strike(i)
			q.tell(unit, false)
			continue
		}
		if q.Ready != nil && !q.Ready(unit) {
			return false, nil
		}
		ours, err := q.Store.Claim(q.ctx, unit)
		if err != nil {
			return false, err
		}
		if !ours {
			i++
			continue
		}
		// Somebody may have finished it since we asked.
		if there, err := q.Store.Has(unit); err != nil || there {
			q.Store.Release(unit)
			if err != nil {
				return false, err
			}
			continue
		}
		q.strike(i)
		q.open[unit] = true
		q.dealing = &opened[P]{unit: unit, parts: make([]P, q.crew.Parts(unit))}
		return true, nil
	}
	return false, nil
}

// strike takes the unit at i, mostly the first, from those that are left.
func (q *queue[W, P]) strike(i int) {
	if i == 0 {
		q.left = q.left[1:]
		return
	}
	q.left = slices.Delete(q.left, i, i+1)
}

func (q *queue[W, P]) tell(unit int, here bool) {
	if q.There != nil {
		q.There(unit, here)
	}
}

// deliver takes a part that a worker has finished.
func (q *queue[W, P]) deliver(o *opened[P], part int, p P, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		q.stop(err) // the first one counts
		return
	}
	if q.Part != nil {
		q.Part(o.unit)
	}
	o.parts[part] = p
	if o.finished++; o.finished == len(o.parts) {
		q.closing.Go(func() { q.keep(o) })
	}
}

// keep puts a unit whose parts are all finished into the store.
func (q *queue[W, P]) keep(o *opened[P]) {
	result, err := q.crew.Join(o.unit, o.parts)
	if err == nil {
		err = q.Store.Put(o.unit, result)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	defer q.changed.Broadcast()
	if err != nil {
		q.stop(err)
		return
	}
	delete(q.open, o.unit)
	q.asked = time.Time{}
	q.tell(o.unit, true)
}
