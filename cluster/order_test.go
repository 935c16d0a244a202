package cluster_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"plyfit/cluster"
	"plyfit/cluster/hub"
	"plyfit/internal/vectors"
)

// TestOrder checks that a restarted command starts its units in order, even if a killed command has
// left later units on the hub. A sequential test waits for the first units.
func TestOrder(t *testing.T) {
	const units, first = 12, 3
	h := startHub(t, hub.Options{})
	rest := trial{Bytes: 10, Fails: -1, Panics: -1}
	text := vectors.Must(json.Marshal(rest))
	dir := folder(t.TempDir())
	for unit := range first {
		vectors.Check(os.WriteFile(dir.path(unit), nil, 0o600))
	}
	p := start(t, "trial-coordinator", nil, "-url", h.URL(), "-dir", string(dir), "-seed", "5", "-units", strconv.Itoa(units), "-rest", string(text))
	link := dial(t, h.URL(), &lines{})
	awaitQueued(t, link, units-first)
	p.kill()
	r, s := trialRun(5, rest, units)
	ended := make(chan error, 1)
	go func() { ended <- (&cluster.Coordinator{Link: link}).Run(context.Background(), r) }()
	time.Sleep(500 * time.Millisecond) // a worker that was already running would start the remaining units immediately
	var mu sync.Mutex
	var begun []int
	startWorker(t, h.URL(), &cluster.Worker{Workers: 1, Kinds: trials(func(unit int) {
		mu.Lock()
		defer mu.Unlock()
		begun = append(begun, unit)
	})})
	vectors.Check(<-ended)
	s.check(t, r.Job, rest, units)
	mu.Lock()
	defer mu.Unlock()
	if !slices.IsSorted(begun) || len(begun) != units {
		t.Errorf("units were begun in the order %v", begun)
	}
}
