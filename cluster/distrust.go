package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"plyfit/internal/failure"
	"plyfit/work"
)

const (
	// mostWrong is how many results that cannot be right a worker may hand in before the
	// job ends: one that sends nothing else takes all units and does none.
	mostWrong = 3
	// atHome is how many of the units that are checked go to another worker for one that
	// is worked out here: workers that lie alike do not find each other.
	atHome = 8
)

// claim is a result as somebody has handed it in.
type claim struct {
	worker string // as it calls itself; "": this process
	digest string // of the result, SHA-256
}

func claimOf(m jetstream.Msg) claim {
	h := m.Headers()
	return claim{cmp.Or(readable(h.Get(hostHeader)), "without a name"), readable(h.Get(digestHeader))}
}

// trust is what a run knows of those who hand in results.
type trust struct {
	check int
	job   *work.Job
	kinds work.Kinds

	mu      sync.Mutex
	first   map[int]claim   // of units that are to be worked out twice and were once
	kept    map[int]claim   // of units in the store
	wrong   map[string]int  // results that cannot be right, by worker
	workers map[string]bool // that have given signs of life
	met     time.Time       // when that was asked
	units   work.Units      // nil: none was worked out here yet
}

func newTrust(c *Coordinator, job *work.Job) *trust {
	return &trust{
		check: c.Check, job: job, kinds: c.Kinds,
		first: map[int]claim{}, kept: map[int]claim{}, wrong: map[string]int{}, workers: map[string]bool{},
	}
}

// close ends what works units out here.
func (t *trust) close() {
	if t.units != nil {
		_ = t.units.Close()
	}
}

// open makes the job again, as a worker does, to work out units here.
func (t *trust) open(files work.Files) (work.Units, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.units == nil {
		job, _, err := work.ParseJob(t.job.Canonical())
		if err != nil {
			return nil, err
		}
		if t.units, err = t.kinds.Open(job, files, runtime.GOMAXPROCS(0)); err != nil {
			return nil, err
		}
	}
	return t.units, nil
}

// vouch notes who a result in the store is of.
func (t *trust) vouch(unit int, by claim) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept[unit] = by
	delete(t.first, unit)
}

// besides is who has worked out a unit that is to be worked out by another; "": nobody.
func (t *trust) besides(unit int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.first[unit].worker
}

// lonely reports whether no worker but that one is known.
func (t *trust) lonely(worker string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for other := range t.workers {
		if other != worker {
			return false
		}
	}
	return true
}

// meet notes the workers of this build that have given signs of life.
func (d *desk) meet(ctx context.Context) {
	_, workers, err := d.signs(ctx)
	if err != nil {
		return // those known before may still be there
	}
	d.trust.mu.Lock()
	defer d.trust.mu.Unlock()
	clear(d.trust.workers)
	d.trust.met = time.Now()
	for _, w := range workers {
		if w.Build == work.ThisBuild() {
			d.trust.workers[w.Name] = true
		}
	}
}

// message is a unit as it is published.
func (d *desk) message(unit int) *nats.Msg {
	m := nats.NewMsg(workSubject(d.class, d.job, unit))
	if besides := d.trust.besides(unit); besides != "" {
		m.Header.Set(besidesHeader, besides)
	}
	return m
}

// wantsMore reports whether a result that looks right is not enough: its unit is one of
// those to be worked out twice, and was not, or the two results differ. Which units
// these are is drawn once the result is there, so that who works them out cannot know.
func (d *desk) wantsMore(ctx context.Context, unit int, by claim) bool {
	d.trust.mu.Lock()
	first, again := d.trust.first[unit]
	// The source is ChaCha8, seeded by the system: it cannot be foretold.
	chosen := !again && d.trust.check > 0 && rand.IntN(d.trust.check) == 0
	if chosen {
		d.trust.first[unit] = by
	}
	d.trust.mu.Unlock()
	switch {
	case again && first.digest == by.digest && first.worker != by.worker:
		return false
	case again:
		d.decide(ctx, unit, first, by)
		return true
	case chosen && (d.trust.lonely(by.worker) || rand.IntN(atHome) == 0):
		d.decide(ctx, unit, by)
		return true
	case chosen:
		d.mark(unit, published)
		d.Log.Debug("unit goes to another worker, too", "job", Short(d.job), "unit", unit)
		d.repeatLater(ctx, unit)
		return true
	}
	return false
}

// compare looks at another result of a unit that is in the store.
func (d *desk) compare(ctx context.Context, unit int, by claim) {
	d.trust.mu.Lock()
	kept, ours := d.trust.kept[unit]
	d.trust.mu.Unlock()
	if ours && kept.digest != by.digest {
		d.decide(ctx, unit, kept, by)
	}
}

// checkAlone works out here what waits for another worker where there is none any more. It
// hears of those who have come.
func (d *desk) checkAlone(ctx context.Context) {
	d.trust.mu.Lock()
	old := time.Since(d.trust.met) > lifeless/3
	idle := d.trust.check == 0 || len(d.trust.first) == 0 && !old
	d.trust.mu.Unlock()
	if idle {
		return
	}
	d.meet(ctx)
	d.trust.mu.Lock()
	first := map[int]claim{}
	for unit, by := range d.trust.first {
		first[unit] = by
	}
	d.trust.mu.Unlock()
	for unit, by := range first {
		d.mu.Lock()
		state := d.state[unit]
		d.mu.Unlock()
		if state == published && d.trust.lonely(by.worker) {
			d.decide(ctx, unit, by)
		}
	}
}

// decide works a unit out here and compares it with what others have handed in. If all
// are right it goes into the store.
func (d *desk) decide(ctx context.Context, unit int, claims ...claim) {
	d.mark(unit, keeping)
	d.Log.Debug("unit is checked here", "job", Short(d.job), "unit", unit, "claims", len(claims))
	d.later.Go(func() {
		units, err := d.trust.open(d.r.Files)
		var result []byte
		if err == nil {
			result, err = units.Unit(ctx, unit)
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			d.stop(fmt.Errorf("unit %d, worked out here to check it: %w", unit, err))
			return
		}
		right := work.Digest(result)
		for _, by := range claims {
			if by.digest != right {
				d.stop(&lieError{unit, by, right})
				return
			}
		}
		d.mu.Lock()
		done := d.state[unit] == there
		d.mu.Unlock()
		if done {
			return
		}
		if err := d.shelve(unit, result, claim{"", right}); err != nil {
			d.stop(err)
		}
	})
}

// repeatLater publishes a unit again whose result is there. He who handed it in may not
// have told the hub yet that he is done; until then it refuses the unit.
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

// refuse tells of a result that cannot be right. The unit begins again; one who hands in
// several such results ends the job.
func (d *desk) refuse(ctx context.Context, unit int, worker string, why error) error {
	d.trust.mu.Lock()
	d.trust.wrong[worker]++
	n := d.trust.wrong[worker]
	d.trust.mu.Unlock()
	d.Log.Error("result refused; its unit begins again", "job", Short(d.job), "unit", unit, "worker", worker, "error", why)
	if n >= mostWrong {
		return failure.Of(fmt.Errorf("job %s: worker %s has handed in %d results that cannot be right, the last of them for unit %d: %w: stop it; the same command goes on", Short(d.job), worker, n, unit, why))
	}
	d.repeatLater(ctx, unit)
	return nil
}

// lieError says that a result is not what the unit has.
type lieError struct {
	unit  int
	by    claim
	right string // digest of the result as it was worked out here
}

func (e *lieError) Error() string {
	return fmt.Sprintf("worker %s: its result of unit %d has the SHA-256 %.12s, worked out here it has %.12s", e.by.worker, e.unit, e.by.digest, e.right)
}

// castAway takes what a worker has handed in in this run back from the store, and is the
// error that the run ends with.
func (d *desk) castAway(lie *lieError) error {
	var units []int
	for unit, by := range d.trust.kept {
		if by.worker == lie.by.worker {
			units = append(units, unit)
		}
	}
	slices.Sort(units)
	return failure.Of(fmt.Errorf("job %s: %w; its %d other units are cast away: stop that worker; the same command goes on", Short(d.job), lie, len(units)))
}
