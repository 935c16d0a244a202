package cluster_test

import (
	"bytes"
	"flag"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// long reports whether the long form of the tests is selected.
func long() bool { return os.Getenv("PLYFIT_LONG") != "" }

// killed lists commands whose units take about 100 ms, with the files in DIR that each command must
// produce.
var killed = []struct {
	name, command string
	results       []string
}{
	{"selfplay", "selfplay connect4 -o DIR/data --games 150 --games-per-shard 5 --agent alphabeta:depth=7,ties=random", []string{"data/*"}},
	{"match", "match connect4 alphabeta:depth=6,ties=random alphabeta:depth=5,ties=random --pairs 2000 --sprt 0,40 -o DIR/pairs.jsonl", []string{"pairs.jsonl"}},
	{"study", "study thrashing --quick --pairs 40 -o DIR/study", []string{"study/data/*.csv", "study/cells/*/*.jsonl", "study/report.md"}},
}

var killsFlag = flag.Int("kills", 34, "how often TestCommandKills kills each, with PLYFIT_LONG=1")

// TestCommandKills checks that commands produce the same result as a single process, even if
// workers, the command and the hub are killed at random, once each. With PLYFIT_LONG=1, they are
// killed 34 times each, or as often as -kills specifies, and the hub's store is deleted twice.
func TestCommandKills(t *testing.T) {
	kills := map[string]int{"worker": 1, "command": 1, "hub": 1}
	if n := *killsFlag; long() {
		kills = map[string]int{"worker": n, "command": n, "hub": n, "hub and its store": 2}
	}
	for seed, c := range killed {
		t.Run(c.name, func(t *testing.T) {
			whole := t.TempDir()
			began := time.Now()
			want := must(t, strings.Fields(strings.ReplaceAll(c.command, "DIR", whole)+" --quiet")...)
			pace := time.Since(began) / 3 // maximum time between two kills
			random := rand.New(rand.NewPCG(uint64(seed), 17))
			var victims []string
			for _, victim := range slices.Sorted(maps.Keys(kills)) {
				victims = append(victims, slices.Repeat([]string{victim}, kills[victim])...)
			}
			random.Shuffle(len(victims), func(i, j int) { victims[i], victims[j] = victims[j], victims[i] })

			at, store, dir := freePort(t), t.TempDir(), t.TempDir()
			starts := map[string]func() *process{
				"hub": func() *process { return start(t, "plyfit", nil, "hub", "--listen", at, "--store", store) },
				"worker": func() *process {
					return start(t, "plyfit", nil, "worker", "--cluster", "nats://"+at, "--workers", "1", "--lease", "1s")
				},
				"command": func() *process {
					return start(t, "plyfit", nil, append(strings.Fields(strings.ReplaceAll(c.command, "DIR", dir)), "--quiet", "--cluster", "nats://"+at)...)
				},
			}
			hub, workers := starts["hub"](), []*process{starts["worker"](), starts["worker"](), starts["worker"]()}
			command, again, runs := starts["command"](), 0, 0
			for over := false; !over; {
				var moment <-chan time.Time
				if len(victims) > 0 {
					moment = time.After(time.Duration(random.Int64N(int64(pace) + 1)))
				}
				select {
				case <-command.ended:
					switch log := command.errors.String(); {
					case command.code == 0:
						if again == 0 && strings.Contains(log, "the cluster was not used") {
							t.Error(log)
						}
						if got := strings.ReplaceAll(command.out.String(), dir, whole); got != want {
							t.Errorf("it prints\n%s\nalone\n%s", got, want)
						}
						compare(t, whole, dir, c.results)
						runs, dir, over = runs+1, t.TempDir(), len(victims) == 0
					case !strings.Contains(log, "cannot be computed"): // a unit was given up after three kills
						t.Fatalf("exit code %d\n%s", command.code, log)
					default:
						again++
					}
					if !over {
						command = starts["command"]()
					}
					continue
				case <-moment:
				}
				victim := victims[0]
				victims = victims[1:]
				switch victim {
				case "worker":
					i := random.IntN(len(workers))
					workers[i].kill()
					workers[i] = starts["worker"]()
				case "command":
					if command.kill(); command.code == 0 { // it had just ended
						victims = append(victims, victim)
						continue
					}
					again++
					command = starts["command"]()
				default:
					hub.kill()
					if victim != "hub" {
						vectors.Check(os.RemoveAll(store))
					}
					hub = starts["hub"]()
				}
			}
			t.Logf("%v killed in %d runs; the command was begun again %d times", kills, runs, again)
		})
	}
}

// compare fails the test unless files that match each pattern exist and are identical in both
// directories, and dir contains no lock files or temporary files.
func compare(t *testing.T, whole, dir string, patterns []string) {
	t.Helper()
	names := func(dir, pattern string) (names []string) {
		paths := vectors.Must(filepath.Glob(filepath.Join(dir, pattern)))
		for _, path := range paths {
			name, _ := strings.CutPrefix(path, dir)
			names = append(names, name)
		}
		return names
	}
	var want []string
	for _, pattern := range patterns {
		some := names(whole, pattern)
		if got := names(dir, pattern); len(some) == 0 || !slices.Equal(got, some) {
			t.Errorf("%s: files %q, want %q", pattern, got, some)
		}
		want = append(want, some...)
	}
	for _, name := range want {
		a, errA := os.ReadFile(filepath.Join(whole, name))
		b, errB := os.ReadFile(filepath.Join(dir, name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is another (%v, %v)", name, errA, errB)
		}
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, ".lock") || strings.HasSuffix(path, ".tmp") {
			t.Errorf("left behind: %s, %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
