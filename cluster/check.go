package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"plyfit/internal/proc"
	"plyfit/internal/text"
)

// mostWrong is how many malformed results a worker may return before the job ends: a broken worker
// would otherwise take all units.
const mostWrong = 3

// claim is a result as a worker returned it.
type claim struct {
	worker string // as it calls itself
	digest string // of the result, SHA-256
}

func claimOf(m jetstream.Msg) claim {
	h := m.Headers()
	return claim{cmp.Or(text.Printable(h.Get(hostHeader)), "without a name"), text.Printable(h.Get(digestHeader))}
}

// message returns the message that publishes a unit. A worker that has computed it leaves it to another.
func (d *desk) message(unit int) *nats.Msg {
	m := nats.NewMsg(workSubject(d.class, d.job, unit))
	d.mu.Lock()
	defer d.mu.Unlock()
	if by, again := d.first[unit]; again {
		m.Header.Set(besidesHeader, by.worker)
	}
	return m
}

// wantsSecond reports whether a result has to wait for a second one of its unit. Which units are
// computed twice is drawn when the first result arrives. Two results that differ are an error.
func (d *desk) wantsSecond(unit int, by claim) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	first, again := d.first[unit]
	switch {
	case !again:
		d.first[unit] = by
		return d.check > 0 && rand.IntN(d.check) == 0, nil
	case first.digest == by.digest:
		return false, nil
	}
	d.broken.Store(true)
	return false, proc.Failure(fmt.Errorf("job %s: unit %d has two results: worker %s computed one with the SHA-256 %.12s, "+
		"worker %s one with %.12s: one of the two machines is faulty, and %s on a third tells which; "+
		"stop it and begin again in a new folder, since other results of it were kept",
		Short(d.job), unit, first.worker, first.digest, by.worker, by.digest, d.repeat(unit)))
}

// repeatLater publishes a completed unit again. It retries because the hub refuses the unit until
// the first worker's acknowledgement arrives.
func (d *desk) repeatLater(ctx context.Context, unit int) {
	d.later.Go(func() {
		for end := time.Now().Add(deadline); time.Now().Before(end) && ctx.Err() == nil; pause(ctx, 20*time.Millisecond) {
			err := d.call(ctx, func(ctx context.Context) error {
				_, err := d.js.PublishMsg(ctx, d.message(unit))
				return err
			})
			if !occupied(err) {
				return // what the hub has not got is found missing when it is looked over
			}
		}
	})
}

// refuse reports a malformed result. The unit begins again; a worker that returns several ends the
// job.
func (d *desk) refuse(ctx context.Context, unit int, worker string, why error) error {
	d.mu.Lock()
	d.wrong[worker]++
	n := d.wrong[worker]
	d.mu.Unlock()
	d.Log.Error("result refused; its unit begins again", "job", Short(d.job), "unit", unit, "worker", worker, "error", why)
	if n >= mostWrong {
		return proc.Failure(fmt.Errorf("job %s: worker %s has handed in %d results that cannot be right, the last of them for unit %d: %w: stop it; the same command goes on", Short(d.job), worker, n, unit, why))
	}
	d.repeatLater(ctx, unit)
	return nil
}
