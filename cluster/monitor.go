package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"plyfit/internal/list"
	"plyfit/internal/proc"
	"plyfit/internal/text"
	"plyfit/work"
)

// noWorkerWarning is the time without a worker after which the coordinator logs a warning.
const noWorkerWarning = 10 * time.Second

// watch checks the hub regularly and restores what it has lost.
func (d *run) watch(ctx context.Context) error {
	tick := time.NewTicker(surveyEvery)
	defer tick.Stop()
	var missing map[int]bool
	lastSeen := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := d.post(ctx, d.r.Job, d.r.Files); err != nil {
			return err
		}
		var err error
		if missing, err = d.survey(ctx, missing); err != nil {
			return err
		}
		if err := d.sign(ctx); err != nil {
			return err
		}
		if time.Since(lastSeen) > noWorkerWarning {
			if b := work.ThisBuild(); !d.hasWorker(ctx, "") {
				d.Log.Warn("no worker of this build is running; start plyfit worker", "program", b.Program, "arithmetic", b.Arithmetic)
			}
			lastSeen = time.Now().Add(logInterval - noWorkerWarning)
		}
	}
}

// survey compares the units that the run is waiting for with the units on the hub, and returns the
// missing ones. If units are missing twice in a row, it publishes all unfinished units again.
func (d *run) survey(ctx context.Context, before map[int]bool) (missing map[int]bool, err error) {
	var queued, done map[int]bool
	reasons := map[int]string{}
	// A unit leaves the queue only after its result is on the hub, so the queue must be read first.
	if err := d.retry(ctx, "check the hub", func(ctx context.Context) (err error) {
		if queued, err = d.units(ctx, workStream, workSubject(d.class, d.job, allUnits)); err != nil {
			return err
		}
		if done, err = d.units(ctx, doneStream, doneSubject(d.job, allUnits)); err != nil {
			return err
		}
		dead, err := d.units(ctx, deadStream, deadSubject(d.job, allUnits))
		for unit := range dead {
			if reasons[unit], err = d.reason(ctx, unit); err != nil {
				return err
			}
		}
		return err
	}); err != nil {
		return nil, ignoreEnd(ctx, err)
	}
	d.recordGivenUp(reasons)
	missing = map[int]bool{}
	var undone []int
	lost := 0
	d.mu.Lock()
	for unit, state := range d.state {
		if state != published || done[unit] {
			continue
		}
		undone = append(undone, unit)
		switch {
		case queued[unit]:
		case before[unit]:
			lost++
		default:
			missing[unit] = true
		}
	}
	d.mu.Unlock()
	if lost > 0 {
		slices.Sort(undone)
		d.Log.Warn("the hub has lost units; publishing them again", "job", Short(d.job), "units", lost)
		return nil, ignoreEnd(ctx, d.republish(ctx, undone))
	}
	return missing, d.withdraw(ctx, queued)
}

// republish publishes all given units again, in order. If only the lost ones were published, they
// would come last, and a sequential test that is waiting for one of them would first compute a
// whole window of later units. As a result, the few units that are already running are computed
// twice.
func (d *run) republish(ctx context.Context, units []int) error {
	if err := d.purge(ctx, workStream, workSubject(d.class, d.job, allUnits)); err != nil {
		return nil // retry at the next survey
	}
	for some := range slices.Chunk(units, batch) {
		if err := d.offer(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// withdraw removes two kinds of queued units: those that are already complete, because they were
// published twice, and those that are not part of the run.
func (d *run) withdraw(ctx context.Context, queued map[int]bool) error {
	for unit := range queued {
		d.mu.Lock()
		state, ours := d.state[unit]
		d.mu.Unlock()
		if ours && state != stored {
			continue
		}
		if err := d.purge(ctx, workStream, workSubject(d.class, d.job, unit)); err != nil {
			return nil // retry at the next survey
		}
	}
	return nil
}

func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// reason returns the reason why a unit was given up, or "" if there is none.
func (d *run) reason(ctx context.Context, unit int) (string, error) {
	s, err := d.js.Stream(ctx, deadStream)
	if err != nil {
		return "", err
	}
	m, err := s.GetLastMsgForSubject(ctx, deadSubject(d.job, unit))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return text.Printable(string(m.Data)), nil
}

// recordGivenUp gives up units for which workers have published a reason. It ends the run if no
// unit has been in progress for a while, because the others depend on units that were given up.
func (d *run) recordGivenUp(letters map[int]string) {
	for unit, why := range letters {
		d.mu.Lock()
		state, ours := d.state[unit]
		known := d.dead[unit]
		d.mu.Unlock()
		if !ours || state == stored || known != "" || why == "" {
			continue
		}
		d.mark(unit, givenUpState)
		d.mu.Lock()
		d.dead[unit] = why
		d.mu.Unlock()
		d.Log.Error("unit abandoned", "job", Short(d.job), "unit", unit, "seed", d.r.Job.Seed, "error", why, "repeat", d.repeat(unit))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.dead) > 0 && d.out == 0 && time.Since(d.moved) > 2*surveyEvery {
		d.stop(errFinished)
	}
}

func (d *run) repeat(unit int) string {
	return fmt.Sprintf("plyfit cluster repeat %s %d", Short(d.job), unit)
}

// givenUp returns an error that names the units that no worker could compute, or nil if there are
// none.
func (d *run) givenUp() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.dead) == 0 {
		return nil
	}
	texts := list.Map(slices.Sorted(maps.Keys(d.dead)), func(unit int) string {
		return fmt.Sprintf("unit %d (seed %d): %s; to repeat the unit, run %s", unit, d.r.Job.Seed, d.dead[unit], d.repeat(unit))
	})
	const most = 3
	if more := len(texts) - most; more > 0 {
		texts = append(texts[:most], fmt.Sprintf("and %d more", more))
	}
	return proc.Failure(fmt.Errorf("job %s: %d of %d units cannot be computed: %s", Short(d.job), len(d.dead), len(d.r.Units), strings.Join(texts, "; ")))
}
