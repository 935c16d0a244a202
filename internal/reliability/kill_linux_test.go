package reliability

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

var kills = flag.Int("kills", 90, "SIGKILLs for each work with PLYFIT_LONG, a ninth of that for the import, which holds its lock for moments: 1,000 in all")

// TestKills kills every kind of work (SIGKILL) at random moments and starts it
// again, and once it gets to its end compares its answer and its files with
// those of a run that nobody disturbed; then it begins anew in another folder.
// Only kills of a process that held its lock count: it was at work. What it has kept
// does not become less by one.
func TestKills(t *testing.T) {
	wanted := 1
	if vectors.Long() {
		wanted = *kills
	} else if testing.Short() {
		t.Skip("plays for seconds")
	}
	in := sources(t)
	for n, w := range works {
		t.Run(w.name, func(t *testing.T) {
			wanted := wanted
			if w.name == "import" {
				wanted = (wanted + 8) / 9
			}
			whole := t.TempDir()
			begun := time.Now()
			want := must(t, whole, w.in(whole, in))
			// A third of its time on average, so that it gets on; whatever the
			// machine is doing beside.
			span := time.Since(begun) * 2 / 3
			rng := rand.New(rand.NewPCG(uint64(n), 12))
			dir, killed, early, finished, kept := t.TempDir(), 0, 0, 0, int64(0)
			for killed < wanted || finished == 0 {
				var stdout, stderr bytes.Buffer
				c := plyfit(dir, w.in(dir, in))
				c.Stdout, c.Stderr = &stdout, &stderr
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan struct{})
				go func() { c.Wait(); close(ended) }()
				var timer <-chan time.Time
				if killed < wanted {
					timer = time.After(time.Duration(rng.Int64N(int64(span))))
				}
				select {
				case <-ended:
				case <-timer:
					c.Process.Kill()
					<-ended
				}
				if c.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
					if _, err := os.Stat(filepath.Join(dir, w.lock)); err == nil {
						killed++
					} else {
						early++
					}
					now := size(filepath.Join(dir, w.kept))
					if w.kept != "" && now < kept {
						t.Fatalf("after %d kills: %d bytes in %s, there were %d", killed, now, w.kept, kept)
					}
					kept = now
					continue
				}
				if code := c.ProcessState.ExitCode(); code != 0 {
					t.Fatalf("after %d kills: exit code %d: %s", killed, code, &stderr)
				}
				if got := strings.ReplaceAll(stdout.String(), dir, whole); got != want {
					t.Fatalf("after %d kills it prints\n%s\nundisturbed\n%s", killed, got, want)
				}
				if what := w.same(whole, dir); what != "" {
					t.Fatalf("after %d kills: %s", killed, what)
				}
				finished++
				dir, kept = t.TempDir(), 0
			}
			t.Logf("%s: %d kills at work and %d before or after it, %d runs came to their end with the bytes of an undisturbed one", w.name, killed, early, finished)
		})
	}
}

// size is how large the files of a pattern are together.
func size(pattern string) (sum int64) {
	files, _ := filepath.Glob(pattern)
	for _, path := range files {
		if info, err := os.Stat(path); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// TestHeld: while a process is at work, stopped here, the same command is refused with
// exit code 2 and one line that names it; the first ends as if no other had come.
func TestHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for seconds")
	}
	in := sources(t)
	for _, w := range works {
		if !vectors.Long() && strings.Contains(w.name, "strap") {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			whole, dir := t.TempDir(), t.TempDir()
			must(t, whole, w.in(whole, in))
			held := func() bool { // and has said by whom
				info, err := os.Stat(filepath.Join(dir, w.lock))
				return err == nil && info.Size() > 0
			}
			var c *exec.Cmd
			var ended chan error
			for caught := false; !caught; { // one that was too fast begins again
				dir = t.TempDir()
				c, ended = plyfit(dir, w.in(dir, in)), make(chan error, 1)
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				go func() { ended <- c.Wait() }()
				for len(ended) == 0 && !held() {
					time.Sleep(100 * time.Microsecond)
				}
				c.Process.Signal(syscall.SIGSTOP)
				caught = held()
				if !caught {
					c.Process.Signal(syscall.SIGCONT)
					<-ended
				}
			}
			second := run(t, dir, w.in(dir, in))
			c.Process.Signal(syscall.SIGCONT)
			if second.code != 2 || second.stdout != "" || strings.Count(second.stderr, "\n") != 1 || !strings.Contains(second.stderr, fmt.Sprintf("process %d on ", c.Process.Pid)) {
				t.Errorf("the second: %+v, want one line that names process %d", second, c.Process.Pid)
			}
			if err := <-ended; err != nil {
				t.Errorf("the first: %v", err)
			}
			if what := w.same(whole, dir); what != "" {
				t.Error(what)
			}
		})
	}
}
