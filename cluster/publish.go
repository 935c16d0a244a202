package cluster

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ask is how often the run is polled for whether more units may begin.
const ask = 100 * time.Millisecond

// batch is the number of units published before waiting for acknowledgements.
const batch = 256

// publish publishes ready units in order while the window has room.
func (d *desk) publish(ctx context.Context) error {
	tick := time.NewTicker(ask)
	defer tick.Stop()
	for {
		for {
			units := d.next()
			if len(units) == 0 {
				break
			}
			if err := d.offer(ctx, units); err != nil {
				return err
			}
		}
		d.mu.Lock()
		over := d.done+len(d.dead) == len(d.r.Units)
		d.mu.Unlock()
		if over {
			return errFinished
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.changed:
		case <-tick.C:
		}
	}
}

func (d *desk) next() (units []int) {
	for len(d.left) > 0 && len(units) < batch {
		unit := d.left[0]
		d.mu.Lock()
		state, full := d.state[unit], d.out+len(units) >= d.window
		d.mu.Unlock()
		if state != waiting { // its result was on the hub
			d.left = d.left[1:]
			continue
		}
		if full || d.r.Ready != nil && !d.r.Ready(unit) {
			break
		}
		d.left = d.left[1:]
		units = append(units, unit)
	}
	return units
}

// offer publishes units. A unit already on the hub counts as published; survey finds those that
// failed.
func (d *desk) offer(ctx context.Context, units []int) error {
	if err := d.insist(ctx, "reach the hub", func(ctx context.Context) error {
		_, err := d.js.Stream(ctx, workStream)
		return err
	}); err != nil {
		return err
	}
	answers := make([]jetstream.PubAckFuture, 0, len(units))
	for _, unit := range units {
		d.mark(unit, published)
		answer, err := d.js.PublishMsgAsync(d.message(unit))
		if err == nil {
			answers = append(answers, answer)
		}
	}
	late := time.NewTimer(deadline)
	defer late.Stop()
	for _, answer := range answers {
		select {
		case <-answer.Ok():
		case <-answer.Err():
		case <-late.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}
