package cli_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKills: three processes share a folder, and are killed at random and begun
// again, until so many have died. What they leave and print is what one process
// does that runs undisturbed. 3 kills a command, 30 with PLYFIT_LONG=1.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for seconds")
	}
	want := 3
	if os.Getenv("PLYFIT_LONG") != "" {
		want = 30
	}
	in := sources(t)
	for seed, c := range workers {
		if !c.shared || c.name == "import" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			// Deeper searches make a match of several units, which take some 100 ms.
			command := strings.NewReplacer("IN", in, "depth=3", "depth=7", "depth=4", "depth=7").Replace(c.command)
			whole := t.TempDir()
			begun := time.Now()
			first := begin(t, strings.ReplaceAll(command, "DIR", whole))
			if <-first.ended; first.ProcessState.ExitCode() != 0 {
				t.Fatalf("exit code %d, %s", first.ProcessState.ExitCode(), &first.err)
			}
			printed := first.out.String()
			random := rand.New(rand.NewPCG(uint64(seed), 16))
			kills, runs := 0, 0
			for alone := time.Since(begun); kills < want; runs++ {
				if runs == 10*want {
					t.Fatalf("%d kills in %d runs: want %d", kills, runs, want)
				}
				dir := t.TempDir()
				dead := killed(t, strings.ReplaceAll(command, "DIR", dir), random, alone, want-kills, func(p *process) { p.ends(t, printed, dir, whole) })
				kills += len(dead)
				sameFiles(t, whole, dir, c.result)
			}
			t.Logf("%d kills in %d runs, %v", kills, runs, time.Since(begun).Round(time.Millisecond))
		})
	}
}

// killed has three processes do a command that takes one of them so long, and kills
// and replaces one now and then, at most as often as said, and not after the
// first has ended. It returns those that died at work; ends is told of the others.
func killed(t *testing.T, command string, random *rand.Rand, alone time.Duration, most int, ends func(*process)) (dead []int) {
	t.Helper()
	living := []*process{begin(t, command), begin(t, command), begin(t, command)}
	for len(dead) < most {
		victim := random.IntN(len(living))
		p := living[victim]
		time.Sleep(time.Duration(random.Int64N(int64(alone/2) + 1)))
		if slices.ContainsFunc(living, (*process).done) {
			break
		}
		p.Process.Kill()
		<-p.ended
		if p.ProcessState.Exited() { // it had just ended
			break
		}
		dead = append(dead, p.Process.Pid)
		living[victim] = begin(t, command)
	}
	for _, p := range living {
		ends(p)
	}
	return dead
}

// done reports whether a process has ended.
func (p *process) done() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}
