package cluster_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/cluster/hub"
)

// TestLearn checks the run directories of learn when three workers compute regression's episodes
// and all matches. The models, matches and data must be identical to those of a single process.
// Training is done in the command's own process.
func TestLearn(t *testing.T) {
	commands := map[string]string{
		"2048":      "learn 2048:size=3 --learner regression --games 20 --pairs 2", // a small board has small tables
		"tictactoe": "learn tictactoe --rounds 2 --games 100 --pairs 4",
	}
	if long() {
		commands = map[string]string{"2048": "learn 2048 --games 200 --pairs 10", "tictactoe": "learn tictactoe --games 3000 --pairs 100"}
	}
	h := startHub(t, hub.Options{})
	var workers []*process
	for range 3 {
		workers = append(workers, start(t, "plyfit", nil, "worker", "--cluster", h.URL(), "--workers", "1"))
	}
	done := 0 // number of units of the previous commands
	for game, command := range commands {
		here, there := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "run")
		began := time.Now()
		must(t, append(strings.Fields(command), "-o", here, "--quiet")...)
		alone := time.Since(began)
		must(t, append(strings.Fields(command), "-o", there, "--quiet", "--cluster", h.URL())...)
		results := []string{"model.*", "match.json", "matches/*", "data/*"}
		compare(t, here, there, results)
		all := 0
		for _, w := range workers {
			all += strings.Count(w.errors.String(), "unit done")
		}
		if all == done {
			t.Errorf("%s: no unit went to the workers", game)
		}
		t.Logf("%s: %d units went to the workers; %.1f s, alone %.1f s", command, all-done, time.Since(began.Add(alone)).Seconds(), alone.Seconds())
		done = all
	}
}
