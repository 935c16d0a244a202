package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"plyfit/internal/proc"
	"plyfit/internal/text"
)

const (
	// keepers are how many results go into the store at a time.
	keepers = 8
	// handful is how many results are asked for at a time.
	handful = 64
	// keepWait is after how long a result that was not kept is offered again.
	keepWait = time.Minute
)

// results is the consumer of the job's results, created anew if the hub has lost it.
func (d *desk) results(ctx context.Context) (c jetstream.Consumer, err error) {
	config := jetstream.ConsumerConfig{
		Durable: d.job, FilterSubject: doneSubject(d.job, every), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: keepWait, MaxAckPending: -1, InactiveThreshold: forgotten,
	}
	err = d.insist(ctx, "wait for results", func(ctx context.Context) error {
		c, err = d.js.CreateOrUpdateConsumer(ctx, doneStream, config)
		return err
	})
	return c, err
}

func (d *desk) deleteConsumer(ctx context.Context) error {
	return d.call(ctx, func(ctx context.Context) error {
		err := d.js.DeleteConsumer(ctx, doneStream, d.job)
		if lost(err) {
			return nil
		}
		return err
	})
}

// drain moves results from the hub to the store.
func (d *desk) drain(ctx context.Context) error {
	messages := make(chan jetstream.Msg)
	var all sync.WaitGroup
	defer all.Wait()
	defer close(messages)
	for range keepers {
		all.Go(func() {
			for m := range messages {
				if err := d.keep(ctx, m); err != nil {
					d.stop(err)
				}
			}
		})
	}
	for ctx.Err() == nil {
		c, err := d.results(ctx)
		if err != nil {
			return err
		}
		for err == nil && ctx.Err() == nil {
			err = d.fetch(ctx, c, messages)
		}
	}
	return nil
}

// fetch receives some results. An error means that the consumer may be lost.
func (d *desk) fetch(ctx context.Context, c jetstream.Consumer, messages chan<- jetstream.Msg) error {
	wait, cancel := context.WithTimeout(ctx, surveyEvery)
	defer cancel()
	some, err := c.Fetch(handful, jetstream.FetchContext(wait))
	if err != nil {
		return err
	}
	for m := range some.Messages() {
		select {
		case messages <- m:
		case <-ctx.Done():
			return nil
		}
	}
	if err := some.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// keep stores a result before acknowledging it to the hub. An error is the store's.
func (d *desk) keep(ctx context.Context, m jetstream.Msg) error {
	_, unit, ok := unitOf(m.Subject())
	if !ok {
		return m.Term()
	}
	d.mu.Lock()
	state, ours := d.state[unit]
	d.mu.Unlock()
	by := claimOf(m)
	switch {
	case !ours: // of a former run
		d.dismiss(ctx, m)
		return nil
	case state == there: // the same once more, as it should be
		d.dismiss(ctx, m)
		_, err := d.wantsSecond(unit, by)
		return err
	case state == keeping || ctx.Err() != nil:
		return nil
	}
	d.mark(unit, keeping)
	defer d.mark(unit, published) // unless it is there by then
	result, err := d.receive(ctx, d.job, unit, m, d.r.Audit.MostBytes)
	if err == nil {
		if err = d.r.Audit.Check(ctx, unit, result); err != nil {
			err = fmt.Errorf("%w: %w", errWrong, err)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, errWrong):
		d.dismiss(ctx, m)
		return d.refuse(ctx, unit, by.worker, err)
	case err != nil:
		d.Log.Warn("a result cannot be read; its unit begins again", "job", Short(d.job), "unit", unit, "error", err)
		d.dismiss(ctx, m)
		return nil
	}
	again, err := d.wantsSecond(unit, by)
	switch {
	case again:
		d.Log.Debug("unit is computed again", "job", Short(d.job), "unit", unit)
		d.repeatLater(ctx, unit)
	case err == nil:
		if err := d.r.Put(unit, result); err != nil {
			d.failed.Store(true)
			return err
		}
		d.arrived(unit)
	}
	d.dismiss(ctx, m)
	return err
}

// dismiss removes a result from the hub. If this fails, the result is delivered again.
func (d *desk) dismiss(ctx context.Context, m jetstream.Msg) {
	_ = m.Ack()
	d.discard(ctx, m.Headers())
}

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
