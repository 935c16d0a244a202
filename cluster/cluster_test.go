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

// trial is the description of a job of the kind "trial", whose units sleep.
type trial struct {
	Bytes  int           `json:"bytes"`  // size of a result
	Sleep  time.Duration `json:"sleep"`  // duration of a unit
	Fails  int           `json:"fails"`  // number of the unit that always returns an error; -1 means none
	Panics int           `json:"panics"` // number of the unit that always panics; -1 means none
}

var healthy = trial{Bytes: 100, Fails: -1, Panics: -1}

// unit returns the result of a unit.
func (t trial) unit(seed uint64, unit int) []byte {
	text := fmt.Sprintf("unit %d of seed %d;", unit, seed)
	return []byte(strings.Repeat(text, t.Bytes/len(text)+1))[:max(t.Bytes, 1)]
}

// trials returns the kind of these jobs. The callback begun is called with each unit that is
// started.
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

// audit returns an audit that checks only the part of a result, at its start, that is independent
// of the seed.
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

// memoryStore stores results in memory.
type memoryStore struct {
	mu      sync.Mutex
	results map[int][]byte
	put     func(unit int) error // called before a result is stored; may be nil
}

func newShelf() *memoryStore { return &memoryStore{results: map[int][]byte{}} }

func (s *memoryStore) keep(unit int, result []byte) error {
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

// check fails the test unless the store contains the correct results of all units except those in
// out, and nothing else.
func (s *memoryStore) check(t *testing.T, job *work.Job, rest trial, units int, out ...int) {
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

// trialRun returns a run of units [0, n) of a trial, and its empty store.
func trialRun(seed uint64, t trial, n int) (work.Run, *memoryStore) {
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

// lines collects the lines of a log.
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

// startHub starts a hub on a free port of the loopback address.
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

// startWorker runs a worker until the test ends or stop is called.
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

// TestRun checks that all results are stored, that each unit is reported once, and that nothing
// remains on the hub, both for small results and for results that are too large for a message.
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
			reports := map[int]int{}
			r.There = func(unit int) { reports[unit]++ }
			log := &lines{}
			coordinator := &cluster.Coordinator{Link: dial(t, h.URL(), log), Window: 100}
			vectors.Check(coordinator.Run(context.Background(), r))
			s.check(t, r.Job, c.rest, c.units)
			if len(reports) != c.units {
				t.Errorf("%d units were reported, want %d", len(reports), c.units)
			}
			for unit, n := range reports {
				if n != 1 {
					t.Errorf("unit %d: reported %d times", unit, n)
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
