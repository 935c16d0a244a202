package cluster_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// long reports whether the long forms of the tests are asked for.
func long() bool { return os.Getenv("PLYFIT_LONG") != "" }

// fleet is a hub, three workers and a coordinator for trials, which are started again
// when they were killed.
type fleet struct {
	t       testing.TB
	at      string // where the hub listens
	dir     string
	rest    trial
	units   int
	seed    uint64
	hub     *process
	workers []*process
	command *process
	gaveUp  int // runs that gave units up
	runs    int
}

func newFleet(t testing.TB, rest trial, units int) *fleet {
	f := &fleet{t: t, at: freePort(t), dir: t.TempDir(), rest: rest, units: units, workers: make([]*process, 3)}
	f.startHub()
	for i := range f.workers {
		f.startWorker(i)
	}
	return f
}

func (f *fleet) store() string { return filepath.Join(f.dir, "hub") }

func (f *fleet) startHub() {
	f.hub = start(f.t, "plyfit", nil, "hub", "--listen", f.at, "--store", f.store())
}

func (f *fleet) startWorker(i int) {
	f.workers[i] = start(f.t, "trial-worker", nil, "-url", "nats://"+f.at, "-begun", filepath.Join(f.dir, "begun"))
}

func (f *fleet) results() string { return filepath.Join(f.dir, fmt.Sprint("results-", f.seed)) }

func (f *fleet) startCoordinator() {
	if err := os.MkdirAll(f.results(), 0o700); err != nil {
		f.t.Fatal(err)
	}
	rest, err := json.Marshal(f.rest)
	if err != nil {
		f.t.Fatal(err)
	}
	f.command = start(f.t, "trial-coordinator", nil, "-url", "nats://"+f.at, "-dir", f.results(),
		"-seed", fmt.Sprint(f.seed), "-units", fmt.Sprint(f.units), "-rest", string(rest))
	f.runs++
}

// check fails unless the results are those of the trial, and no others.
func (f *fleet) check() {
	f.t.Helper()
	files, err := os.ReadDir(f.results())
	if err != nil || len(files) != f.units {
		f.t.Fatalf("seed %d: %d results, %v; want %d", f.seed, len(files), err, f.units)
	}
	for unit := range f.units {
		got, err := os.ReadFile(folder(f.results()).path(unit))
		if err != nil || string(got) != string(f.rest.unit(f.seed, unit)) {
			f.t.Errorf("seed %d, unit %d: %v or a wrong result", f.seed, unit, err)
		}
	}
}

// await waits for so many new results, or for the end of the command.
func (f *fleet) await(results int) {
	f.t.Helper()
	there := func() int {
		files, err := os.ReadDir(f.results())
		if err != nil {
			f.t.Fatal(err)
		}
		return len(files)
	}
	before := there()
	for end := time.Now().Add(time.Minute); f.command.running() && there() < before+results; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("seed %d: %d results for a minute; hub:\n%s\ncoordinator:\n%s", f.seed, before, f.hub.errors.String(), f.command.errors.String())
		}
	}
}

// campaign kills until there were so many kills, while one job after the other is done;
// the last one is done in peace. Between two kills, some results come in: a busy machine
// takes longer for them.
func (f *fleet) campaign(kills, results int, kill func(r *rand.Rand)) {
	f.t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(kills)))
	killed := 0
	for f.seed = 1; killed < kills; f.seed++ {
		f.startCoordinator()
		for done := false; !done; {
			f.await(1 + r.IntN(2*results))
			switch {
			case f.command.running() && killed < kills:
				kill(r)
				killed++
			case f.command.running():
			case f.command.code == 0:
				done = true
			default:
				if log := f.command.errors.String(); strings.Contains(log, "cannot be worked out") {
					f.gaveUp++ // a unit was killed three times, by us
				} else if f.command.code > 0 {
					f.t.Fatalf("coordinator: exit code %d\n%s", f.command.code, log)
				}
				f.startCoordinator()
			}
		}
		f.check()
	}
	begun := 0
	for _, n := range startedUnits(f.t, filepath.Join(f.dir, "begun")) {
		begun += n
	}
	f.t.Logf("%d kills; %d jobs of %d units each, %d units begun for %d results; %d runs of the command, %d of which gave units up",
		killed, f.seed-1, f.units, begun, int(f.seed-1)*f.units, f.runs, f.gaveUp)
}

// TestKills: workers, coordinator and hub are killed at random; nothing is lost, doubled
// or wrong.
func TestKills(t *testing.T) {
	kills, lost := 6, 1
	if long() {
		kills, lost = 100, 5
	}
	rest := trial{Bytes: 1000, Sleep: 30 * time.Millisecond, Fails: -1, Panics: -1}
	for _, c := range []struct {
		name    string
		kills   int
		results int // on average between two kills
		kill    func(f *fleet, r *rand.Rand)
	}{
		{"worker", kills, 30, func(f *fleet, r *rand.Rand) {
			i := r.IntN(len(f.workers))
			f.workers[i].kill()
			f.startWorker(i)
		}},
		{"coordinator", kills, 30, func(f *fleet, r *rand.Rand) { f.command.kill() }},
		{"hub", kills, 30, func(f *fleet, r *rand.Rand) {
			f.hub.kill()
			f.startHub()
		}},
		{"hub and its store", lost, 60, func(f *fleet, r *rand.Rand) {
			f.hub.kill()
			if err := os.RemoveAll(f.store()); err != nil {
				f.t.Fatal(err)
			}
			f.startHub()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFleet(t, rest, 400)
			f.campaign(c.kills, c.results, func(r *rand.Rand) { c.kill(f, r) })
		})
	}
}
