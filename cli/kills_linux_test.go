package cli_test

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKills: three processes share a folder, and are killed at random and begun
// again, until so many have died. What they leave and print is what one process
// does that nobody disturbs. 3 kills a command, 30 with PLYFIT_LONG=1.
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
			command := strings.ReplaceAll(c.command, "IN", in)
			whole := t.TempDir()
			begun := time.Now()
			printed := must(t, strings.Fields(strings.ReplaceAll(command, "DIR", whole))...)
			random := rand.New(rand.NewPCG(uint64(seed), 16))
			kills, runs := 0, 0
			for alone := time.Since(begun); kills < want; runs++ {
				if runs == 10*want {
					t.Fatalf("%d kills in %d runs: want %d", kills, runs, want)
				}
				dir := t.TempDir()
				dead := killed(t, strings.ReplaceAll(command, "DIR", dir), random, alone, want-kills, func(p *process) { p.ends(t, printed, dir, whole) })
				kills += len(dead)
				forget(t, dir, dead)
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

// forget takes away the lease of one that died when all was done but for its own end:
// whoever comes then finds nothing to do, and so no reason to look for the dead.
func forget(t *testing.T, dir string, dead []int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".lease") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var owner struct{ Pid int }
		if json.Unmarshal(text, &owner) == nil && slices.Contains(dead, owner.Pid) {
			t.Logf("%s is left of process %d, which was killed", filepath.Base(path), owner.Pid)
			return os.Remove(path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
