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

var kills = flag.Int("kills", 90, "signals for each work with PLYFIT_LONG, a ninth of that for the import, which holds its lock for moments")

// TestKills interrupts every kind of work again and again, and resumes it each time. When a run
// completes, its output and files must equal those of an undisturbed run.
//
// First, the process is stopped while it holds its lock. The same command must then fail with one
// line that names the process. After that, the process is killed (SIGKILL) and interrupted (SIGINT)
// in turn, at random times. A signal counts only if the process held its lock, which shows that it
// was working. Saved work must not be lost.
func TestKills(t *testing.T) {
	wanted := 2
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
			whole, dir := t.TempDir(), t.TempDir()
			begun := time.Now()
			want := must(t, whole, w.in(whole, in))
			// The mean delay is a third of a whole run's time on this machine, so that the work
			// makes progress.
			span := time.Since(begun) * 2 / 3
			holder := w.stopped(t, dir, in)
			second := run(t, dir, w.in(dir, in))
			if second.code != 2 || second.stdout != "" || strings.Count(second.stderr, "\n") != 1 || !strings.Contains(second.stderr, fmt.Sprintf("process %d on ", holder.Process.Pid)) {
				t.Errorf("the second: %+v, want one line that names process %d", second, holder.Process.Pid)
			}
			holder.Process.Kill()
			holder.Wait()
			rng := rand.New(rand.NewPCG(uint64(n), 12))
			counted, early, finished, kept := 1, 0, 0, int64(0)
			for counted < wanted || finished == 0 {
				signal := syscall.SIGKILL
				if counted%2 == 1 {
					signal = syscall.SIGINT
				}
				var stdout, stderr bytes.Buffer
				c := plyfit(dir, w.in(dir, in))
				c.Stdout, c.Stderr = &stdout, &stderr
				vectors.Check(c.Start())
				ended := make(chan struct{})
				go func() { c.Wait(); close(ended) }()
				var timer <-chan time.Time
				if counted < wanted {
					timer = time.After(time.Duration(rng.Int64N(int64(span))))
				}
				select {
				case <-ended:
				case <-timer:
					c.Process.Signal(signal)
					<-ended
				}
				_, err := os.Stat(filepath.Join(dir, w.lock))
				killed, atWork := c.ProcessState.Sys().(syscall.WaitStatus).Signaled(), err == nil
				if c.ProcessState.ExitCode() == 130 {
					if said := stderr.String(); !strings.HasPrefix(said, "plyfit: interrupted") || strings.Count(said, "\n") != 1 {
						t.Errorf("interrupted: %q", said)
					}
					killed, atWork = true, true
				}
				if killed {
					if atWork {
						counted++
					} else {
						early++
					}
					now := size(filepath.Join(dir, w.kept))
					if w.kept != "" && now < kept {
						t.Fatalf("after %d signals: %d bytes in %s, there were %d", counted, now, w.kept, kept)
					}
					kept = now
					continue
				}
				if code := c.ProcessState.ExitCode(); code != 0 {
					t.Fatalf("after %d signals: exit code %d: %s", counted, code, &stderr)
				}
				if got := strings.ReplaceAll(stdout.String(), dir, whole); got != want {
					t.Fatalf("after %d signals it prints\n%s\nundisturbed\n%s", counted, got, want)
				}
				if what := w.same(whole, dir); what != "" {
					t.Fatalf("after %d signals: %s", counted, what)
				}
				finished++
				dir, kept = t.TempDir(), 0
			}
			t.Logf("%s: %d signals at work and %d before or after it, %d runs came to their end with the bytes of an undisturbed one", w.name, counted, early, finished)
		})
	}
}

// size returns the total size of all files that match a pattern.
func size(pattern string) (sum int64) {
	files, _ := filepath.Glob(pattern)
	for _, path := range files {
		if info, err := os.Stat(path); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// stopped starts the work in dir and stops it (SIGSTOP) while it holds its lock and the lock names
// its process. If the work ends too early, stopped starts it again in an empty folder.
func (w work) stopped(t *testing.T, dir, in string) *exec.Cmd {
	t.Helper()
	held := func() bool {
		info, err := os.Stat(filepath.Join(dir, w.lock))
		return err == nil && info.Size() > 0
	}
	for {
		c := plyfit(dir, w.in(dir, in))
		vectors.Check(c.Start())
		for !held() && !zombie(c.Process.Pid) {
			time.Sleep(100 * time.Microsecond)
		}
		c.Process.Signal(syscall.SIGSTOP)
		if held() {
			return c
		}
		c.Process.Kill()
		c.Wait()
		vectors.Check(os.RemoveAll(dir))
		vectors.Check(os.Mkdir(dir, 0o777))
	}
}

// zombie reports whether a process is a zombie.
func zombie(pid int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return bytes.Contains(stat, []byte(") Z "))
}
