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

// Lease is the default time without a heartbeat after which a unit is given to another worker.
const Lease = 30 * time.Second

// mostTries is the maximum number of times that a unit is started. A unit that has not succeeded by
// then has killed its workers or returned errors.
const mostTries = 3

// A Worker computes units for a hub.
type Worker struct {
	Link    *Link
	Kinds   work.Kinds
	Workers int // number of units computed in parallel, at least 1
	// Lease is only used by the first worker of a build on a hub; later workers use the same lease.
	// 0 means [Lease].
	Lease time.Duration

	name   string
	lease  time.Duration
	build  work.Build
	began  time.Time
	jobs   *openJobs
	retry  sync.Mutex // held by a unit that is being retried
	busy   atomic.Int64
	done   atomic.Int64
	failed atomic.Int64

	declined map[string]bool // jobs of other builds that have been logged; used only by onAnnouncement

	mu       sync.Mutex
	consumer jetstream.Consumer
}

// Run computes units until ctx ends, and then hands back its unfinished units to the hub. It
// returns an error only if the hub refuses the worker.
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
	// Announcements are not read from the heartbeat bucket, because the cost would be quadratic in
	// the number of workers.
	w.declined = map[string]bool{}
	signs, err := w.Link.nc.Subscribe(signSubject("*"), w.onAnnouncement)
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
	all.Go(func() { w.sendHeartbeats(ctx) })
	all.Wait()
	if w.Link.nc.IsClosed() {
		return w.Link.closed()
	}
	leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), deadline)
	defer cancel()
	_ = w.Link.remove(leave, signBucket, w.signKey())
	w.Link.Log.Info("worker stopped", "worker", w.name, "units", w.done.Load())
	return nil
}

// queue returns the consumer that all workers of this build share, creating it if the hub has none.
// The parameter old is a consumer that has failed, or nil.
func (w *Worker) queue(ctx context.Context, old jetstream.Consumer) (jetstream.Consumer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.consumer != old && w.consumer != nil {
		return w.consumer, nil
	}
	config := jetstream.ConsumerConfig{
		Durable: class(w.build), FilterSubject: fmt.Sprintf("plyfit.work.%s.>", class(w.build)),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: cmp.Or(w.Lease, Lease), MaxDeliver: -1, MaxAckPending: -1, InactiveThreshold: retention,
	}
	err := w.Link.retry(ctx, "wait for units", func(ctx context.Context) (err error) {
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
					_ = w.Link.requeue(context.WithoutCancel(ctx), m)
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

// next returns the next unit, or nil if none has arrived yet.
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

// sendHeartbeats publishes the worker's heartbeats.
func (w *Worker) sendHeartbeats(ctx context.Context) {
	tick := time.NewTicker(heartbeatTimeout / 6)
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

// onAnnouncement receives the announcements of running jobs. It logs each job of another build
// once. Units of other builds have different subjects, so the worker never receives them.
func (w *Worker) onAnnouncement(m *nats.Msg) {
	j, ok := readJobSign(strings.TrimPrefix(m.Subject, signSubject("")), m.Data)
	if !ok || j.Build == w.build || w.declined[j.Job] {
		return
	}
	if len(w.declined) >= mostDeclined {
		clear(w.declined)
	}
	w.declined[j.Job] = true
	w.Link.Log.Warn("job declined, because it belongs to a different build", "job", Short(j.Job), "program", j.Build.Program, "arithmetic", j.Build.Arithmetic,
		"this_program", w.build.Program, "this_arithmetic", w.build.Arithmetic)
}

const mostDeclined = 1000

func (w *Worker) signKey() string { return workerSign + workerKey(w.name) }
