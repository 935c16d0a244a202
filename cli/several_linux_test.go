package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// workers are the commands that keep what they have finished, in IN beside DIR a
// data set and a table of positions. result are the files that do not depend on
// times, and so have to be the same however often the command was disturbed.
// Several processes may share the work of some.
var workers = []struct {
	name, command string
	lease         string // pattern of the leases below DIR
	result        []string
	shared        bool
}{
	{"selfplay", "selfplay connect4 -o DIR/data --games 100 --games-per-shard 4 --agent alphabeta:depth=3,ties=random --quiet", "data/.*.lease", []string{"data/dataset.json", "data/shard-00024.parquet"}, true},
	{"relabel", "dataset relabel IN/data -o DIR/data --agent alphabeta:depth=4 --quiet", "data/.*.lease", []string{"data/dataset.json", "data/shard-00002.parquet"}, true},
	{"import", "dataset import connect4 IN/table.csv -o DIR/data", "data/.*.lease", []string{"data/dataset.json", "data/shard-00000.parquet"}, true},
	{"match", "match connect4 alphabeta:depth=3,ties=random random --pairs 200 -o DIR/pairs.jsonl --records DIR/games.txt --quiet", ".pairs.*.lease", []string{"pairs.jsonl", "games.txt"}, true},
	{"tournament", "tournament connect4 alphabeta:depth=3,ties=random random greedy --pairs 60 -o DIR/cup --quiet", "cup/.*.lease", []string{"cup/match-01-02.jsonl", "cup/match-02-03.jsonl"}, true},
	{"study", "study pacman --quick -o DIR/study --quiet", "study/.*.lease", []string{"study/cells/test/pacman.jsonl", "study/report.md"}, true},
	{"learn", "learn tictactoe --games 200 --rounds 1 --pairs 10 -o DIR/run --quiet", "run/.*.lease", []string{"run/data/dataset.json", "run/model.json", "run/match.json"}, false},
	{"train", "train connect4 -o DIR/model.json --games 2000 --curve-every 500 --curve-pairs 10 --checkpoint-every 10ms --quiet", "model.train/.*.lease", []string{"model.json"}, false},
}

// process is a command under way.
type process struct {
	*exec.Cmd
	out, err bytes.Buffer
	ended    chan struct{} // closed when all that it had to say is in out and err
}

func begin(t *testing.T, command string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command("plyfit", strings.Fields(command)...), ended: make(chan struct{})}
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.Wait(); close(p.ended) }()
	return p
}

// refused checks that a process ended with 2 and one line that names owner.
func (p *process) refused(t *testing.T, owner string) {
	t.Helper()
	<-p.ended
	if code := p.ProcessState.ExitCode(); code != 2 || p.out.String() != "" {
		t.Errorf("exit code %d, want 2; standard output %q", code, &p.out)
	}
	if text := p.err.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, owner+" ") || !strings.Contains(text, "at work there") {
		t.Errorf("standard error %q, want one line that names %s", text, owner)
	}
}

// ends checks that a process ended well and printed, of dir, what another printed
// of whole.
func (p *process) ends(t *testing.T, want, dir, whole string) {
	t.Helper()
	<-p.ended
	if got := strings.ReplaceAll(p.out.String(), dir, whole); p.ProcessState.ExitCode() != 0 || got != want {
		t.Errorf("exit code %d, %s, prints\n%s\nalone\n%s", p.ProcessState.ExitCode(), &p.err, got, want)
	}
}

// catch begins the command in a folder of its own and stops it with the signal
// while it holds its lease; one that was too fast begins again.
func catch(t *testing.T, command, lease string, with syscall.Signal) (dir string, p *process) {
	t.Helper()
	for range 50 {
		dir = t.TempDir()
		p = begin(t, strings.ReplaceAll(command, "DIR", dir))
		for caught := false; ; {
			select {
			case <-p.ended:
			default:
				if held, _ := filepath.Glob(filepath.Join(dir, lease)); len(held) == 0 {
					time.Sleep(100 * time.Microsecond)
					continue
				}
				p.Process.Signal(with)
				if with == syscall.SIGKILL {
					<-p.ended
				}
				// It may have given the lease up just before.
				held, _ := filepath.Glob(filepath.Join(dir, lease))
				caught = len(held) > 0
			}
			if caught {
				return dir, p
			}
			break
		}
		p.Process.Signal(syscall.SIGCONT)
		<-p.ended
	}
	t.Fatalf("%s: was never caught at work", command)
	return "", nil
}

// sources makes the folder IN of the commands.
func sources(t *testing.T) (in string) {
	t.Helper()
	in = t.TempDir()
	must(t, "selfplay", "connect4", "-o", filepath.Join(in, "data"), "--games", "60", "--games-per-shard", "20", "--agent", "random", "--quiet")
	var table strings.Builder
	table.WriteString("position,result,episode\n")
	for i := range 20000 {
		fmt.Fprintf(&table, "%d%d%d%d,%d,%d\n", 1+i%7, 1+i/7%7, 1+i/49%7, 1+i/343%7, i%2, i/10)
	}
	if err := os.WriteFile(filepath.Join(in, "table.csv"), []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return in
}

// sameFiles compares the results of a command in two folders, and looks for
// what should not be there any more.
func sameFiles(t *testing.T, want, got string, result []string) {
	t.Helper()
	for _, name := range result {
		a, errA := os.ReadFile(filepath.Join(want, name))
		b, errB := os.ReadFile(filepath.Join(got, name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from that of the undisturbed run (%v, %v)", name, errA, errB)
		}
	}
	filepath.WalkDir(got, func(path string, e fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, ".lease") || strings.HasSuffix(path, ".tmp") {
			t.Errorf("left behind: %s, %v", path, err)
		}
		return nil
	})
}

// TestSeveral: while one process works on a folder, others share the work, or are
// refused in one line that names it, and it ends as if nobody had come. Of three
// that begin at once all do, or at least one does, the work. One that is killed is
// followed at once.
func TestSeveral(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for seconds")
	}
	in := sources(t)
	for _, c := range workers {
		t.Run(c.name, func(t *testing.T) {
			command := strings.ReplaceAll(c.command, "IN", in)
			whole := t.TempDir()
			want := must(t, strings.Fields(strings.ReplaceAll(command, "DIR", whole))...)

			dir, owner := catch(t, command, c.lease, syscall.SIGSTOP)
			name := fmt.Sprintf("process %d", owner.Process.Pid)
			second, third := begin(t, strings.ReplaceAll(command, "DIR", dir)), begin(t, strings.ReplaceAll(command, "DIR", dir))
			if !c.shared {
				second.refused(t, name)
				third.refused(t, name)
			}
			owner.Process.Signal(syscall.SIGCONT)
			if c.shared {
				second.ends(t, want, dir, whole)
				third.ends(t, want, dir, whole)
			}
			<-owner.ended
			if got := strings.ReplaceAll(owner.out.String(), dir, whole); owner.ProcessState.ExitCode() != 0 || got != want {
				t.Errorf("the first: exit code %d, %s, prints\n%s\nalone\n%s", owner.ProcessState.ExitCode(), &owner.err, got, want)
			}
			sameFiles(t, whole, dir, c.result)

			dir = t.TempDir()
			var three []*process
			for range 3 {
				three = append(three, begin(t, strings.ReplaceAll(command, "DIR", dir)))
			}
			worked := 0
			for _, p := range three {
				if c.shared {
					p.ends(t, want, dir, whole)
					worked++
					continue
				}
				if <-p.ended; p.ProcessState.ExitCode() != 0 {
					p.refused(t, "process")
				} else if worked++; strings.ReplaceAll(p.out.String(), dir, whole) != want {
					t.Errorf("one of three prints\n%s\nalone\n%s", &p.out, want)
				}
			}
			if worked == 0 {
				t.Error("none of three did the work")
			}
			sameFiles(t, whole, dir, c.result)

			dir, _ = catch(t, command, c.lease, syscall.SIGKILL)
			if got := must(t, strings.Fields(strings.ReplaceAll(command, "DIR", dir))...); strings.ReplaceAll(got, dir, whole) != want {
				t.Errorf("after a kill it prints\n%s\nalone\n%s", got, want)
			}
			sameFiles(t, whole, dir, c.result)
		})
	}
}

// TestElsewhere: a lease that a process of another machine keeps alive is
// respected by every command. How a silent one is taken over, after half a
// minute, is tested where leases are made.
func TestElsewhere(t *testing.T) {
	in := sources(t)
	for _, c := range workers {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, strings.Replace(c.lease, ".*.lease", ".plyfit.000001.lease", 1))
			if c.name == "match" {
				path = filepath.Join(dir, ".pairs.jsonl.000001.lease")
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(map[string]any{"machine": "0123456789ab", "host": "faraway", "pid": 77, "start": 5, "since": "2026-01-02T03:04:05Z"})
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.Write(append(text, '\n')); err != nil {
				t.Fatal(err)
			}
			p := begin(t, strings.NewReplacer("DIR", dir, "IN", in).Replace(c.command))
			for n, ended := 0, false; !ended; n++ {
				select {
				case <-p.ended:
					ended = true
				case <-time.After(20 * time.Millisecond):
					f.WriteAt([]byte{" \n"[n%2]}, int64(len(text)))
				}
			}
			p.refused(t, "process 77 on faraway")
			entries, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(entries) != 1 {
				t.Errorf("%v, %v, want the lease alone", entries, err)
			}
		})
	}
}
