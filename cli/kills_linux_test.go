package cli_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKills: three processes share a folder, and are killed at random and begun
// again, until so many have died. What they leave and print is what one process
// does that nobody disturbs, and they begin no unit that it does not, and none twice
// but for those of a process that was killed. 3 kills a command, 30 with PLYFIT_LONG=1.
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
			t.Setenv(unitsEnv, filepath.Join(t.TempDir(), "whole"))
			begun := time.Now()
			first := begin(t, strings.ReplaceAll(command, "DIR", whole))
			if <-first.ended; first.ProcessState.ExitCode() != 0 {
				t.Fatalf("exit code %d, %s", first.ProcessState.ExitCode(), &first.err)
			}
			printed := first.out.String()
			units := readUnits(t)
			random := rand.New(rand.NewPCG(uint64(seed), 16))
			kills, runs, all, again := 0, 0, 0, 0
			for alone := time.Since(begun); kills < want; runs++ {
				if runs == 10*want {
					t.Fatalf("%d kills in %d runs: want %d", kills, runs, want)
				}
				dir := t.TempDir()
				t.Setenv(unitsEnv, filepath.Join(t.TempDir(), "several"))
				dead := killed(t, strings.ReplaceAll(command, "DIR", dir), random, alone, want-kills, func(p *process) { p.ends(t, printed, dir, whole) })
				kills += len(dead)
				sameFiles(t, whole, dir, c.result)
				several := readUnits(t)
				if c.name != "match" && c.name != "tournament" { // whose units are made to measure
					several.compare(t, units)
				}
				again += several.again(t, dead)
				all += len(several)
			}
			t.Logf("%d kills in %d runs, %v; %d units, %d of them begun again", kills, runs, time.Since(begun).Round(time.Millisecond), all, again)
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

// begunUnits are the processes that began each unit.
type begunUnits map[string][]int

// readUnits reads what the commands noted since the test has named their file.
func readUnits(t *testing.T) begunUnits {
	t.Helper()
	text, err := os.ReadFile(os.Getenv(unitsEnv))
	if err != nil {
		t.Fatal(err)
	}
	begun := begunUnits{}
	for line := range strings.Lines(string(text)) {
		pid, unit, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.Atoi(pid)
		if !ok || err != nil {
			t.Fatalf("%q: want PID, RUN, UNIT", line)
		}
		begun[unit] = append(begun[unit], n)
	}
	return begun
}

// compare fails unless the units are those that one process begins, each of them once.
func (b begunUnits) compare(t *testing.T, alone begunUnits) {
	t.Helper()
	for unit, by := range alone {
		if len(by) != 1 || len(b[unit]) == 0 {
			t.Errorf("%s: one process begins it %d times, three %d times", unit, len(by), len(b[unit]))
		}
	}
	for unit := range b {
		if len(alone[unit]) == 0 {
			t.Errorf("%s: one process does not begin it", unit)
		}
	}
}

// again is how often a unit was begun that had been before. It fails unless at most one
// of those who began a unit was not killed.
func (b begunUnits) again(t *testing.T, dead []int) (n int) {
	t.Helper()
	for unit, by := range b {
		living := 0
		for _, pid := range by {
			if !slices.Contains(dead, pid) {
				living++
			}
		}
		if living > 1 {
			t.Errorf("%s: begun by %v, of whom %v were killed", unit, by, dead)
		}
		n += len(by) - 1
	}
	return n
}
