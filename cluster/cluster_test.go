package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"plyfit/cluster"
	"plyfit/cluster/hub"
	"plyfit/internal/vectors"
	"plyfit/work"
)

// trial is the rest of a job of the kind "trial": units of slept time.
type trial struct {
	Bytes  int           `json:"bytes"`  // of a result
	Sleep  time.Duration `json:"sleep"`  // of a unit
	Fails  int           `json:"fails"`  // unit that always ends with an error, -1: none
	Panics int           `json:"panics"` // unit that panics, -1: none
}

var healthy = trial{Bytes: 100, Fails: -1, Panics: -1}

// trialUnit is the result of a unit of a trial.
func (t trial) unit(seed uint64, unit int) []byte {
	text := fmt.Sprintf("unit %d of seed %d;", unit, seed)
	return []byte(strings.Repeat(text, t.Bytes/len(text)+1))[:max(t.Bytes, 1)]
}

// trials is the kind of such jobs; begun is called with each unit that is begun.
func trials(begun func(unit int)) work.Kinds {
	return work.Kinds{{Name: "trial", Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
		var t trial
		if err := job.Decode(&t); err != nil {
			return nil, err
		}
		for name, digest := range job.Files {
			if _, err := files.Read(digest); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		return work.NewUnits(work.Task[struct{}, []byte]{
			Parts: func(int) int { return 1 },
			Do: func(ctx context.Context, _ struct{}, unit, _ int) ([]byte, error) {
				if begun != nil {
					begun(unit)
				}
				switch unit {
				case t.Fails:
					return nil, errors.New("no luck")
				case t.Panics:
					panic("bang")
				}
				select {
				case <-time.After(t.Sleep):
				case <-ctx.Done():
				}
				return t.unit(job.Seed, unit), nil
			},
			Join: func(_ int, parts [][]byte) ([]byte, error) { return parts[0], nil },
		}, make([]struct{}, workers), nil), nil
	}}}
}

// audit sees a result that does not begin as its unit's does, whatever the seed.
func (t trial) audit() *work.Audit {
	return &work.Audit{
		MostBytes: int64(max(t.Bytes, 1)),
		Check: func(_ context.Context, unit int, result []byte) error {
			if want := fmt.Appendf(nil, "unit %d of seed", unit); !bytes.HasPrefix(result, want[:min(len(want), t.Bytes)]) {
				return fmt.Errorf("it begins with %.20q: want %q", result, want)
			}
			return nil
		},
	}
}

// shelf keeps results in memory.
type shelf struct {
	mu      sync.Mutex
	results map[int][]byte
	put     func(unit int) error // nil: all is well
}

func newShelf() *shelf { return &shelf{results: map[int][]byte{}} }

func (s *shelf) keep(unit int, result []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.put != nil {
		if err := s.put(unit); err != nil {
			return err
		}
	}
	s.results[unit] = append([]byte(nil), result...)
	return nil
}

// check fails unless the shelf has the right results of the units, but for those left out.
func (s *shelf) check(t *testing.T, job *work.Job, rest trial, units int, out ...int) {
	t.Helper()
	without := map[int]bool{}
	for _, unit := range out {
		without[unit] = true
	}
	if len(s.results) != units-len(out) {
		t.Errorf("%d results, want %d", len(s.results), units-len(out))
	}
	for unit := range units {
		got, there := s.results[unit]
		if there == without[unit] || there && string(got) != string(rest.unit(job.Seed, unit)) {
			t.Errorf("unit %d: there %v, %d bytes", unit, there, len(got))
		}
	}
}

// trialRun is a run of units [0, n) of a trial that its store lacks.
func trialRun(seed uint64, t trial, n int) (work.Run, *shelf) {
	s := newShelf()
	files := work.Memory{}
	digest := files.Add([]byte("a model"))
	r := work.Run{Put: s.keep, Files: files, Job: &work.Job{
		Kind: "trial", Seed: seed, To: n, UnitSize: 1, Files: map[string]string{"model": digest}, Rest: t,
	}, Audit: t.audit()}
	for unit := range n {
		r.Units = append(r.Units, unit)
	}
	return r, s
}

// lines are the lines of a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *lines) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// startHub is a hub on a free port of the loopback address.
func startHub(t testing.TB, o hub.Options) *hub.Hub {
	t.Helper()
	if o.Store == "" {
		o.Store = t.TempDir()
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	h := vectors.Must(hub.Start(o, new(lines).logger()))
	t.Cleanup(h.Close)
	return h
}

func dial(t testing.TB, url string, log *lines) *cluster.Link {
	t.Helper()
	return dialAs(t, cluster.Access{URL: url}, log)
}

func dialAs(t testing.TB, a cluster.Access, log *lines) *cluster.Link {
	t.Helper()
	l := vectors.Must(cluster.Dial(context.Background(), a, 10*time.Second, log.logger()))
	t.Cleanup(l.Close)
	return l
}

// startWorker runs a worker until the test ends, or stop is called.
func startWorker(t testing.TB, url string, w *cluster.Worker) (stop func()) {
	t.Helper()
	log := &lines{}
	w.Link = dialAs(t, cluster.Access{URL: url}, log)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("worker: %v", err)
		}
		if t.Failed() {
			t.Logf("log of a worker:\n%s", log)
		}
	})
	t.Cleanup(stop)
	return stop
}

// TestRun: all units come back, small ones and such that are larger than a message, and
// each is informed of once.
func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		rest  trial
		units int
	}{
		"small": {healthy, 300},
		"large": {trial{Bytes: 9 << 20, Fails: -1, Panics: -1}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			h := startHub(t, hub.Options{})
			for range 3 {
				startWorker(t, h.URL(), &cluster.Worker{Kinds: trials(nil), Workers: 2})
			}
			r, s := trialRun(7, c.rest, c.units)
			told := map[int]int{}
			r.There = func(unit int) { told[unit]++ }
			log := &lines{}
			coordinator := &cluster.Coordinator{Link: dial(t, h.URL(), log), Window: 100}
			vectors.Check(coordinator.Run(context.Background(), r))
			s.check(t, r.Job, c.rest, c.units)
			if len(told) != c.units {
				t.Errorf("told of %d units, want %d", len(told), c.units)
			}
			for unit, n := range told {
				if n != 1 {
					t.Errorf("unit %d: told of %d times", unit, n)
				}
			}
			status, err := cluster.ReadStatus(context.Background(), h.Link)
			if err != nil || status.Queued+status.Results+status.Dead != 0 || len(status.Jobs) != 0 {
				text, _ := json.Marshal(status)
				t.Errorf("left on the hub: %s, %v", text, err)
			}
		})
	}
}
