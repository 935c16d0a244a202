package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"plyfit/cluster"
	"plyfit/cluster/hub"
	"plyfit/internal/vectors"
)

// TestFailing checks that a unit that always returns an error or panics is tried three times, and
// is reported with its seed and the command that repeats it. The other units must be computed.
func TestFailing(t *testing.T) {
	t.Parallel() // mostly waits
	for name, rest := range map[string]trial{
		"no luck":     {Bytes: 100, Fails: 5, Panics: -1},
		"panic: bang": {Bytes: 100, Fails: -1, Panics: 5},
	} {
		h := startHub(t, hub.Options{})
		begun := make(chan int, 100)
		startWorker(t, h.URL(), &cluster.Worker{Workers: 2, Kinds: trials(func(unit int) {
			if unit == 5 {
				begun <- unit
			}
		})})
		r, s := trialRun(11, rest, 20)
		log := &lines{}
		link := dial(t, h.URL(), log)
		err := (&cluster.Coordinator{Link: link}).Run(context.Background(), r)
		command := fmt.Sprintf("plyfit cluster repeat %.12s 5", r.Job.Name())
		for _, want := range []string{"1 of 20 units", "unit 5 (seed 11)", name, command} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q in it", err, want)
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %v", err)
		}
		s.check(t, r.Job, rest, 20, 5)
		if len(begun) != 3 {
			t.Errorf("%s: begun %d times, want 3", name, len(begun))
		}
		if rest.Fails == 5 {
			if _, err := cluster.Repeat(context.Background(), link, trials(nil), r.Job.Name()[:12], 5); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("repeated: %v, want %s", err, name)
			}
		}
		if size, err := cluster.Repeat(context.Background(), link, trials(nil), r.Job.Name()[:12], 6); err != nil || len(size) != rest.Bytes {
			t.Errorf("unit 6, repeated: %d bytes, %v", len(size), err)
		}
	}
}

// TestPoison checks that a unit that kills its worker is abandoned after three workers have died.
// The other units of these workers must still be computed.
func TestPoison(t *testing.T) {
	f := newFleet(t, trial{Bytes: 100, Sleep: 20 * time.Millisecond, Fails: -1, Panics: -1}, 60)
	for _, w := range f.workers {
		w.kill()
	}
	poisoned := func(i int) {
		f.workers[i] = start(t, "trial-worker", nil, "-url", "nats://"+f.at, "-begun", filepath.Join(f.dir, "begun"), "-poison", "17", "-workers", "4")
	}
	for i := range f.workers {
		poisoned(i)
	}
	f.startCoordinator()
	deaths := 0
	for end := time.Now().Add(time.Minute); f.command.running() && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		for i, w := range f.workers {
			if !w.running() {
				deaths++
				poisoned(i)
			}
		}
	}
	code, log := f.command.wait(t, time.Second)
	if code != 1 || !strings.Contains(log, "1 of 60 units") || !strings.Contains(log, "unit 17 (seed 0): killed its worker 3 times") {
		t.Errorf("exit code %d, %s", code, log)
	}
	if begun := startedUnits(t, filepath.Join(f.dir, "begun")); deaths != 3 || begun["17"] != 3 {
		t.Errorf("%d workers died, and the unit was begun %d times; want 3", deaths, begun["17"])
	}
}

// TestFrozen checks that a worker that was suspended for longer than its lease does no harm,
// whether it resumes during the job or after it.
func TestFrozen(t *testing.T) {
	f := newFleet(t, trial{Bytes: 100, Sleep: 100 * time.Millisecond, Fails: -1, Panics: -1}, 200)
	f.startCoordinator()
	frozen := f.workers[0]
	await(func() bool { return strings.Contains(frozen.errors.String(), "unit done") })
	time.Sleep(f.rest.Sleep / 2) // the worker probably holds a unit now
	frozen.signal(syscall.SIGSTOP)
	twice := func() bool {
		return slices.Max(slices.Collect(maps.Values(startedUnits(t, filepath.Join(f.dir, "begun"))))) > 1
	}
	if await(func() bool { return twice() || !f.command.running() }); !twice() { // the worker held no unit, so try again
		TestFrozen(t)
		return
	}
	frozen.signal(syscall.SIGCONT)
	f.await(10)
	frozen.signal(syscall.SIGSTOP)
	if code, log := f.command.wait(t, time.Minute); code != 0 {
		t.Fatalf("exit code %d\n%s", code, log)
	}
	f.check()
	frozen.signal(syscall.SIGCONT)
	f.seed = 1 // another job, on which the resumed worker also works
	f.units = 60
	f.startCoordinator()
	if code, log := f.command.wait(t, time.Minute); code != 0 {
		t.Fatalf("exit code %d\n%s", code, log)
	}
	f.check()
	if again := len(startedUnits(t, filepath.Join(f.dir, "begun"))); again != 200 {
		t.Errorf("%d different units begun, want 200", again)
	}
	frozen.signal(syscall.SIGTERM)
	_, log := frozen.wait(t, 10*time.Second)
	late := slices.ContainsFunc([]string{"already been computed by another worker", "job has ended", "job is not posted"}, func(what string) bool { return strings.Contains(log, what) })
	if !late || strings.Count(log, "unit done") < 10 {
		t.Errorf("want a unit that someone else has done or wants no more, and others: %s", log)
	}
	status, err := cluster.ReadStatus(context.Background(), dial(t, "nats://"+f.at, &lines{}))
	// The resumed worker's result may remain until it expires.
	if err != nil || status.Queued+status.Dead != 0 || status.Results > 2 {
		t.Errorf("left on the hub: %+v, %v", status, err)
	}
}

// TestStoreFails checks that a run ends with its store's error if the store fails. The results stay
// on the hub and are not computed again.
func TestStoreFails(t *testing.T) {
	h := startHub(t, hub.Options{})
	begun := make(chan int, 100)
	startWorker(t, h.URL(), &cluster.Worker{Workers: 2, Kinds: trials(func(unit int) { begun <- unit })})
	r, s := trialRun(3, healthy, 20)
	full := errors.New("no space left on device")
	var rest sync.Once
	s.put = func(int) error {
		if len(s.results) == 5 {
			rest.Do(func() { await(func() bool { return len(begun) == 20 }) }) // wait until the other units are started
			return full
		}
		return nil
	}
	c := &cluster.Coordinator{Link: dial(t, h.URL(), &lines{})}
	if err := c.Run(context.Background(), r); !errors.Is(err, full) {
		t.Fatalf("%v, want %v", err, full)
	}
	s.put = nil
	r.Units = slices.DeleteFunc(r.Units, func(unit int) bool { _, there := s.results[unit]; return there })
	vectors.Check(c.Run(context.Background(), r))
	s.check(t, r.Job, healthy, 20)
	if len(begun) != 20 {
		t.Errorf("%d units begun, want 20", len(begun))
	}
}

// TestWithdrawn checks that a cancelled run withdraws units that have not been started, and that
// workers stop computing their current units.
func TestWithdrawn(t *testing.T) {
	h := startHub(t, hub.Options{})
	begun := make(chan int, 1000)
	startWorker(t, h.URL(), &cluster.Worker{Workers: 2, Kinds: trials(func(unit int) { begun <- unit })})
	r, _ := trialRun(3, trial{Bytes: 10, Sleep: time.Hour, Fails: -1, Panics: -1}, 500)
	enough := errors.New("enough")
	ctx, stop := context.WithCancelCause(context.Background())
	go func() { <-begun; <-begun; stop(enough) }()
	c := &cluster.Coordinator{Link: dial(t, h.URL(), &lines{})}
	if err := c.Run(ctx, r); !errors.Is(err, enough) {
		t.Fatalf("%v, want %v", err, enough)
	}
	quick, s := trialRun(4, healthy, 5)
	vectors.Check(c.Run(context.Background(), quick))
	s.check(t, quick.Job, healthy, 5)
	if len(begun) != 5 {
		t.Errorf("%d units begun after the end of a job, want those of the next, 5", len(begun))
	}
}

// TestReady checks that units are published in order and only when they are ready.
func TestReady(t *testing.T) {
	h := startHub(t, hub.Options{})
	var ready, begun []int
	startWorker(t, h.URL(), &cluster.Worker{Workers: 1, Kinds: trials(func(unit int) { begun = append(begun, unit) })})
	r, s := trialRun(3, healthy, 30)
	counted := 0
	r.There = func(int) { counted++ }
	most := 0
	r.Ready = func(unit int) bool {
		ok := unit < 3*(len(s.results)/3+1)
		if ok {
			ready = append(ready, unit)
			most = max(most, unit-len(s.results))
		}
		return ok
	}
	vectors.Check((&cluster.Coordinator{Link: dial(t, h.URL(), &lines{})}).Run(context.Background(), r))
	s.check(t, r.Job, healthy, 30)
	if most > 2 || counted != 30 {
		t.Errorf("%d units ahead of those that are there, %d told of", most, counted)
	}
	for i := range begun {
		if begun[i] != i || ready[i] != i {
			t.Fatalf("begun %v, ready %v: want the order of the units", begun, ready)
		}
	}
}
