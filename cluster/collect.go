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
	// storeWorkers is the number of results stored in parallel.
	storeWorkers = 8
	// fetchBatch is the number of results fetched at a time.
	fetchBatch = 64
	// keepWait is the time after which the hub redelivers a result that was not acknowledged.
	keepWait = time.Minute
)

// results returns the consumer of the job's results, recreating it if the hub has lost it.
func (d *run) results(ctx context.Context) (c jetstream.Consumer, err error) {
	config := jetstream.ConsumerConfig{
		Durable: d.job, FilterSubject: doneSubject(d.job, allUnits), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: keepWait, MaxAckPending: -1, InactiveThreshold: retention,
	}
	err = d.retry(ctx, "wait for results", func(ctx context.Context) error {
		c, err = d.js.CreateOrUpdateConsumer(ctx, doneStream, config)
		return err
	})
	return c, err
}

func (d *run) deleteConsumer(ctx context.Context) error {
	return d.call(ctx, func(ctx context.Context) error {
		err := d.js.DeleteConsumer(ctx, doneStream, d.job)
		if lost(err) {
			return nil
		}
		return err
	})
}

// drain moves results from the hub to the store.
func (d *run) drain(ctx context.Context) error {
	messages := make(chan jetstream.Msg)
	var all sync.WaitGroup
	defer all.Wait()
	defer close(messages)
	for range storeWorkers {
		all.Go(func() {
			for m := range messages {
				if err := d.storeResult(ctx, m); err != nil {
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
func (d *run) fetch(ctx context.Context, c jetstream.Consumer, messages chan<- jetstream.Msg) error {
	wait, cancel := context.WithTimeout(ctx, surveyEvery)
	defer cancel()
	some, err := c.Fetch(fetchBatch, jetstream.FetchContext(wait))
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

// storeResult stores a result before acknowledging it to the hub. It returns an error if the store
// fails or the run must end.
func (d *run) storeResult(ctx context.Context, m jetstream.Msg) error {
	_, unit, ok := unitOf(m.Subject())
	if !ok {
		return m.Term()
	}
	d.mu.Lock()
	state, ours := d.state[unit]
	d.mu.Unlock()
	h := m.Headers()
	by := report{cmp.Or(text.Printable(h.Get(hostHeader)), "without a name"), text.Printable(h.Get(digestHeader))}
	switch {
	case !ours: // of an earlier run
		d.dismiss(ctx, m)
		return nil
	case state == stored: // another result of a finished unit
		d.dismiss(ctx, m)
		_, err := d.needsSecond(unit, by)
		return err
	case state == storing || ctx.Err() != nil:
		return nil
	}
	d.mark(unit, storing)
	defer d.mark(unit, published) // no effect if the unit is done by then
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
		d.Log.Warn("cannot read a result; publishing the unit again", "job", Short(d.job), "unit", unit, "error", err)
		d.dismiss(ctx, m)
		return nil
	}
	again, err := d.needsSecond(unit, by)
	switch {
	case again:
		d.Log.Debug("computing the unit a second time", "job", Short(d.job), "unit", unit)
		d.repeatLater(ctx, unit)
	case err == nil:
		if err := d.r.Put(unit, result); err != nil {
			d.failed.Store(true)
			return err
		}
		d.completed(unit)
	}
	d.dismiss(ctx, m)
	return err
}

// dismiss removes a result from the hub. If this fails, the hub delivers the result again.
func (d *run) dismiss(ctx context.Context, m jetstream.Msg) {
	_ = m.Ack()
	d.discard(ctx, m.Headers())
}

// mostWrong is the number of malformed results from one worker after which the job ends. Without
// this limit, a broken worker could take all units.
const mostWrong = 3

// A report identifies a result by the worker that returned it and by its digest.
type report struct {
	worker string // name that the worker gave itself
	digest string // SHA-256 of the result
}

// message returns the message that publishes a unit. If a worker has already computed the unit, the
// message asks that worker to leave the unit to another.
func (d *run) message(unit int) *nats.Msg {
	m := nats.NewMsg(workSubject(d.class, d.job, unit))
	d.mu.Lock()
	defer d.mu.Unlock()
	if by, again := d.first[unit]; again {
		m.Header.Set(excludedHeader, by.worker)
	}
	return m
}

// needsSecond reports whether a result has to wait for a second result of its unit. Whether a unit
// is computed twice is decided at random when its first result arrives. needsSecond returns an
// error if two results differ.
func (d *run) needsSecond(unit int, by report) (bool, error) {
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
	return false, proc.Failure(fmt.Errorf("job %s: unit %d has two different results; worker %s computed a result with the SHA-256 %.12s, "+
		"and worker %s one with %.12s; run %s on a third machine to find out which machine is faulty; "+
		"stop the faulty machine and start again in a new directory, because other results of that machine have been stored",
		Short(d.job), unit, first.worker, first.digest, by.worker, by.digest, d.repeat(unit)))
}

// repeatLater publishes a unit again after a result has arrived. It retries for a limited time,
// because the hub accepts the unit only after the first worker's acknowledgement has arrived.
func (d *run) repeatLater(ctx context.Context, unit int) {
	d.later.Go(func() {
		for end := time.Now().Add(deadline); time.Now().Before(end) && ctx.Err() == nil; pause(ctx, 20*time.Millisecond) {
			err := d.call(ctx, func(ctx context.Context) error {
				_, err := d.js.PublishMsg(ctx, d.message(unit))
				return err
			})
			if !occupied(err) {
				return // if this failed, survey will find that the unit is missing
			}
		}
	})
}

// refuse reports a malformed result and publishes the unit again. If a worker returns several
// malformed results, the job ends.
func (d *run) refuse(ctx context.Context, unit int, worker string, why error) error {
	d.mu.Lock()
	d.wrong[worker]++
	n := d.wrong[worker]
	d.mu.Unlock()
	d.Log.Error("result rejected; publishing the unit again", "job", Short(d.job), "unit", unit, "worker", worker, "error", why)
	if n >= mostWrong {
		return proc.Failure(fmt.Errorf("job %s: worker %s has returned %d invalid results, the last one for unit %d: %w; stop that worker and run the command again to resume", Short(d.job), worker, n, unit, why))
	}
	d.repeatLater(ctx, unit)
	return nil
}
