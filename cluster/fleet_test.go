package cluster_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"plyfit/internal/vectors"
)

// A fleet is a hub, three workers and a coordinator for trials. Tests kill and restart these
// processes.
type fleet struct {
	t       testing.TB
	at      string // address of the hub
	dir     string
	rest    trial
	units   int
	seed    uint64
	hub     *process
	workers []*process
	command *process
}

func newFleet(t testing.TB, rest trial, units int) *fleet {
	f := &fleet{t: t, at: freePort(t), dir: t.TempDir(), rest: rest, units: units, workers: make([]*process, 3)}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for i := range f.workers {
		f.startWorker(i) // started before the hub, which creates the key that both use
	}
	f.startHub()
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
	vectors.Check(os.MkdirAll(f.results(), 0o700))
	rest := vectors.Must(json.Marshal(f.rest))
	f.command = start(f.t, "trial-coordinator", nil, "-url", "nats://"+f.at, "-dir", f.results(),
		"-seed", fmt.Sprint(f.seed), "-units", fmt.Sprint(f.units), "-rest", string(rest))
}

// check fails the test unless the directory contains exactly the results of the trial.
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

// await waits for the given number of new results, or for the end of the command.
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
	await(func() bool { return !f.command.running() || there() >= before+results })
}
