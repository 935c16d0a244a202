package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"plyfit/work"
)

// Lease is the default time without a heartbeat after which a unit goes to another worker.
const Lease = 30 * time.Second

// mostTries is how often a unit is begun. One that has not ended by then has killed its workers, or
// was refused by them.
const mostTries = 3

type Worker struct {
	Link    *Link
	Kinds   work.Kinds
	Workers int // units at a time, at least 1
	// Lease is set by the first worker of a build on a hub; later ones keep to it. 0: [Lease].
	Lease time.Duration

	name   string
	lease  time.Duration
	build  work.Build
	began  time.Time
	jobs   *openJobs
	retry  sync.Mutex // held by the one unit at a time that has failed before
	busy   atomic.Int64
	done   atomic.Int64
	failed atomic.Int64

	declined map[string]bool // jobs of other builds, for hear alone

	mu       sync.Mutex
	consumer jetstream.Consumer
}

// Run works until ctx ends, then returns its unfinished units. It returns an error only if the hub
// refuses the worker.
func (w *Worker) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	host, _ := os.Hostname()
	w.name = fmt.Sprintf("%s/%d", host, os.Getpid())
	w.build, w.began = work.ThisBuild(), time.Now()
	w.jobs = newOpenJobs(w)
	defer w.jobs.close()
	if _, err := w.queue(ctx, nil); err != nil {
		return ignoreEnd(ctx, err)
	}
	// Not read from the bucket of heartbeats: with many workers that would be quadratic.
	w.declined = map[string]bool{}
	signs, err := w.Link.nc.Subscribe(signSubject("*"), w.hear)
	if err != nil {
		return err
	}
	defer signs.Unsubscribe()
	stops, err := w.Link.nc.Subscribe(stopSubject("*"), func(m *nats.Msg) {
		w.jobs.drop(strings.TrimPrefix(m.Subject, stopSubject("")), nil, errStopped)
	})
	if err != nil {
		return err
	}
	defer stops.Unsubscribe()
	w.Link.Log.Info("worker is ready", "worker", w.name, "program", w.build.Program, "arithmetic", w.build.Arithmetic, "workers", w.Workers)
	var all sync.WaitGroup
	for range max(1, w.Workers) {
		all.Go(func() {
			if err := w.work(ctx); err != nil {
				stop(err)
			}
		})
	}
	all.Go(func() { w.tell(ctx) })
	all.Wait()
	if w.Link.nc.IsClosed() {
		return w.Link.closed()
	}
	leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), deadline)
	defer cancel()
	_ = w.Link.remove(leave, signBucket, w.signKey())
	w.Link.Log.Info("worker leaves", "worker", w.name, "units", w.done.Load())
	return nil
}

// queue is the consumer that all workers of this build share. It is created anew if the hub has
// lost it; old is the one that fails.
func (w *Worker) queue(ctx context.Context, old jetstream.Consumer) (jetstream.Consumer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.consumer != old && w.consumer != nil {
		return w.consumer, nil
	}
	config := jetstream.ConsumerConfig{
		Durable: class(w.build), FilterSubject: fmt.Sprintf("plyfit.work.%s.>", class(w.build)),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: cmp.Or(w.Lease, Lease), MaxDeliver: -1, MaxAckPending: -1, InactiveThreshold: forgotten,
	}
	err := w.Link.insist(ctx, "wait for units", func(ctx context.Context) (err error) {
		if w.consumer, err = w.Link.js.Consumer(ctx, workStream, config.Durable); !lost(err) {
			return err
		}
		w.consumer, err = w.Link.js.CreateConsumer(ctx, workStream, config)
		return err
	})
	if err != nil {
		return nil, err
	}
	w.lease = w.consumer.CachedInfo().Config.AckWait
	return w.consumer, nil
}

func (w *Worker) work(ctx context.Context) error {
	var old jetstream.Consumer
	for ctx.Err() == nil {
		c, err := w.queue(ctx, old)
		if err != nil {
			return ignoreEnd(ctx, err)
		}
		for {
			m, err := w.next(ctx, c)
			if ctx.Err() != nil {
				if m != nil {
					_ = w.Link.handBack(context.WithoutCancel(ctx), m)
				}
				return nil
			}
			if err != nil {
				old = c
				break
			}
			if m != nil {
				w.do(ctx, m)
			}
		}
	}
	return nil
}

// next is the next unit; nil: none yet.
func (w *Worker) next(ctx context.Context, c jetstream.Consumer) (jetstream.Msg, error) {
	wait, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	some, err := c.Fetch(1, jetstream.FetchContext(wait))
	if err != nil {
		return nil, err
	}
	for m := range some.Messages() {
		return m, nil
	}
	if err := some.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) {
		return nil, err
	}
	return nil, nil
}

func (w *Worker) tell(ctx context.Context) {
	tick := time.NewTicker(lifeless / 6)
	defer tick.Stop()
	for {
		_ = w.Link.put(ctx, w.signKey(), WorkerSign{
			Name: w.name, Build: w.build, Workers: max(1, w.Workers), Busy: int(w.busy.Load()), Done: int(w.done.Load()),
			Failed: int(w.failed.Load()), Seconds: time.Since(w.began).Seconds(),
		})
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// hear receives the announcements of running jobs. Those of other builds are declined, once each: their units have
// subjects of their own.
func (w *Worker) hear(m *nats.Msg) {
	j, ok := readJobSign(strings.TrimPrefix(m.Subject, signSubject("")), m.Data)
	if !ok || j.Build == w.build || w.declined[j.Job] {
		return
	}
	if len(w.declined) >= mostDeclined {
		clear(w.declined)
	}
	w.declined[j.Job] = true
	w.Link.Log.Warn("job declined: it is of another build", "job", Short(j.Job), "program", j.Build.Program, "arithmetic", j.Build.Arithmetic,
		"this_program", w.build.Program, "this_arithmetic", w.build.Arithmetic)
}

const mostDeclined = 1000

func (w *Worker) signKey() string { return workerSign + workerKey(w.name) }
