package cluster

import (
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// holding keeps a unit assigned to this worker while it is computed, by three heartbeats a lease.
// If its job is no longer posted, the worker missed the stop message.
type holding struct {
	lease time.Duration
	end   func() // the heartbeats

	mu    sync.Mutex
	since time.Time // the last sign of life
	late  bool      // there was none for a lease
}

func hold(m jetstream.Msg, lease time.Duration, posted func() bool, over func()) *holding {
	stop, ended := make(chan struct{}), make(chan struct{})
	h := &holding{lease: lease, since: time.Now(), end: sync.OnceFunc(func() { close(stop); <-ended })}
	go func() {
		defer close(ended)
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		missed := 0
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				h.sign()
				_ = m.InProgress() // a worker that has lost the hub says so elsewhere
				if missed++; posted() {
					missed = 0
				}
				if missed == 2 { // nor was it put up again by its coordinator
					over()
				}
			}
		}
	}()
	return h
}

func (h *holding) sign() {
	h.mu.Lock()
	defer h.mu.Unlock()
	// The monotonic clock may stop while a machine sleeps; the wall clock does not.
	now := time.Now().Round(0)
	if now.Sub(h.since.Round(0)) > h.lease {
		h.late = true
	}
	h.since = now
}

// lapsed reports whether the lease may have expired.
func (h *holding) lapsed() bool {
	h.sign()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.late
}
