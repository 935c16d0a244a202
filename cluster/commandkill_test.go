package cluster_test

import (
	"bytes"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// long reports whether the long forms of the tests are asked for.
func long() bool { return os.Getenv("PLYFIT_LONG") != "" }

// killed are commands with units that take some 100 ms, and the files in DIR that they
// are to leave.
var killed = []struct {
	name, command string
	results       []string
}{
	{"selfplay", "selfplay connect4 -o DIR/data --games 150 --games-per-shard 5 --agent alphabeta:depth=7,ties=random", []string{"data/*"}},
	{"match", "match connect4 alphabeta:depth=6,ties=random alphabeta:depth=5,ties=random --pairs 2000 --sprt 0,40 -o DIR/pairs.jsonl", []string{"pairs.jsonl"}},
	{"study", "study pacman --quick -o DIR/study", []string{"study/data/*.csv", "study/cells/*/*.jsonl", "study/report.md"}},
}

var killsFlag = flag.Int("kills", 34, "how often TestCommandKills kills each, with PLYFIT_LONG=1")

// TestCommandKills: commands end with the result of one process, though workers, the
// command itself and the hub are killed at random, and the hub's store is deleted.
// PLYFIT_LONG=1 kills each 34 times a command, or as often as -kills says.
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
			f := &commandFleet{
				t: t, at: freePort(t), store: t.TempDir(), random: rand.New(rand.NewPCG(uint64(seed), 17)),
				pace: time.Since(began) / 3, left: map[string]int{}, workers: make([]*process, 3),
			}
			for victim, n := range kills {
				f.left[victim] = n
			}
			f.startHub()
			for i := range f.workers {
				f.startWorker(i)
			}
			runs, all := 0, f.total()
			for f.total() > 0 {
				if runs++; runs > 2*all {
					t.Fatalf("%d kills are left after %d runs", f.total(), runs)
				}
				dir := t.TempDir()
				got := f.run(strings.ReplaceAll(c.command, "DIR", dir))
				if got := strings.ReplaceAll(got, dir, whole); got != want {
					t.Errorf("it prints\n%s\nalone\n%s", got, want)
				}
				compare(t, whole, dir, c.results)
				t.Logf("run %d: left to kill %v; the command was begun again %d times, for units given up %d times", runs, f.left, f.again, f.gaveUp)
			}
			t.Logf("%d kills (%v) in %d runs, %v", all, kills, runs, time.Since(began).Round(time.Second))
		})
	}
}

// commandFleet is a hub, three workers and a command, which are begun again when they
// were killed.
type commandFleet struct {
	t         *testing.T
	at, store string
	random    *rand.Rand
	pace      time.Duration // between two kills at most
	left      map[string]int
	hub       *process
	workers   []*process
	again     int // times that the command was begun again
	gaveUp    int // of them, as a unit had died with three workers
}

func (f *commandFleet) startHub() {
	f.hub = start(f.t, "plyfit", nil, "hub", "--listen", f.at, "--store", f.store)
}

func (f *commandFleet) startWorker(i int) {
	f.workers[i] = start(f.t, "plyfit", nil, "worker", "--cluster", "nats://"+f.at, "--workers", "1", "--lease", "1s")
}

func (f *commandFleet) startCommand(command string) *process {
	return start(f.t, "plyfit", nil, append(strings.Fields(command), "--quiet", "--cluster", "nats://"+f.at)...)
}

// total is how many kills are left.
func (f *commandFleet) total() (n int) {
	for _, k := range f.left {
		n += k
	}
	return n
}

// victim draws who is killed next, those who are left for most first; "" for nobody.
func (f *commandFleet) victim() string {
	var names []string
	for name, n := range f.left {
		for range n {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return names[f.random.IntN(len(names))]
}

// run has a command do its work while it and its helpers are killed, and returns what it
// prints in the end.
func (f *commandFleet) run(command string) (printed string) {
	f.t.Helper()
	p := f.startCommand(command)
	for {
		select {
		case <-p.ended:
			log := p.errors.String()
			if p.code == 0 {
				if f.again == 0 && strings.Contains(log, "no unit went to the cluster") {
					f.t.Error(log)
				}
				return p.out.String()
			}
			if !strings.Contains(log, "cannot be worked out") {
				f.t.Fatalf("exit code %d\n%s", p.code, log)
			}
			f.gaveUp++ // a unit has died with three workers
			f.again++
			p = f.startCommand(command)
			continue
		case <-time.After(time.Duration(f.random.Int64N(int64(f.pace) + 1))):
		}
		victim := f.victim()
		if victim == "" {
			f.rest(p)
			continue
		}
		if !p.running() {
			continue
		}
		f.left[victim]--
		switch victim {
		case "worker":
			i := f.random.IntN(len(f.workers))
			f.workers[i].kill()
			f.startWorker(i)
		case "command":
			p.kill()
			if p.code == 0 { // it had just ended
				f.left[victim]++
				continue
			}
			f.again++
			p = f.startCommand(command)
		default:
			f.hub.kill()
			if victim != "hub" {
				if err := os.RemoveAll(f.store); err != nil {
					f.t.Fatal(err)
				}
			}
			f.startHub()
		}
	}
}

// rest lets a command end in peace.
func (f *commandFleet) rest(p *process) {
	f.t.Helper()
	const most = 5 * time.Minute
	select {
	case <-p.ended:
		if log := p.errors.String(); p.code != 0 && !strings.Contains(log, "cannot be worked out") {
			f.t.Fatalf("in peace: exit code %d\n%s", p.code, log)
		}
	case <-time.After(most):
		p.signal(syscall.SIGQUIT) // for its goroutines
		<-p.ended
		status := start(f.t, "plyfit", nil, "cluster", "status", "--cluster", "nats://"+f.at)
		<-status.ended
		f.t.Errorf("in peace: not ended after %v:\n%s\nhub runs: %v\n%s%s", most, p.errors.String(), f.hub.running(), status.out.String(), status.errors.String())
		for i, w := range f.workers {
			f.t.Errorf("worker %d runs: %v\n%s", i, w.running(), w.errors.String())
		}
		f.t.FailNow()
	}
}

// compare fails unless the files of each pattern are the same in two folders, and there
// are some, and nothing is left behind by those who were killed.
func compare(t *testing.T, whole, dir string, patterns []string) {
	t.Helper()
	names := func(dir, pattern string) (names []string) {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
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
