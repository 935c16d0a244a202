package reliability

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var kills = flag.Int("kills", 90, "SIGKILLs for each work under -long, a ninth of that for the import, which holds its lease for moments: 1,000 in all")

// TestKills kills every kind of work (SIGKILL) at random moments and starts it
// again, and once it gets to its end compares its answer and its files with
// those of a run that nobody disturbed; then it begins anew in another folder.
// Only kills of a process that held its lease count: it was at work.
func TestKills(t *testing.T) {
	wanted := 1
	if *long {
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
			dir, killed, early, finished := t.TempDir(), 0, 0, 0
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
					if held, _ := filepath.Glob(filepath.Join(dir, w.lease)); len(held) > 0 {
						killed++
					} else {
						early++
					}
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
				dir = t.TempDir()
			}
			t.Logf("%s: %d kills at work and %d before or after it, %d runs came to their end with the bytes of an undisturbed one", w.name, killed, early, finished)
		})
	}
}
