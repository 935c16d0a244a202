package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// noise returns random rows, each with a position, that compress badly.
func noise() string {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		fmt.Fprintf(&b, "%d%d%d%d,1,%x\n", 1+rng.IntN(7), 1+rng.IntN(7), 1+rng.IntN(7), 1+rng.IntN(7), rng.Uint64())
	}
	return b.String()
}

// writers lists commands that write to DISK, with the prefixes of the files that may exist after a
// run on a full disk.
var writers = []struct{ command, files string }{
	{"selfplay connect4 -o DISK/data --games 400 --games-per-shard 32 --agent random --quiet", "dataset.json shard-"},
	{"dataset relabel data -o DISK/data --agent alphabeta:depth=1 --quiet", "dataset.json"},
	{"learn tictactoe -o DISK/run --games 3000 --rounds 1 --quiet", "config.json log.jsonl dataset.json shard-"},
	{"match connect4 random random --pairs 2000 -o DISK/pairs.jsonl --quiet", "pairs.jsonl"},
	{"tournament connect4 random greedy --pairs 2000 -o DISK/cup --quiet", "match-01-02.jsonl"},
	{"dataset export data -o DISK/table.csv", ""},
	{"model export connect4/handwritten --format c -o DISK/eval.c", ""},
	{"model export connect4/handwritten --format go -o DISK/eval.go", ""},
	{"model export 2048/tables --format py -o DISK/eval.py", ""},
	{"fit data -o DISK/model.json", ""},
	{"fit data -o model.json --report DISK/fit.html", ""},
	{"dataset import connect4 table.csv -o DISK/data", "dataset.json"},
	{"study thrashing --quick --pairs 200 -o DISK/study --quiet", "thrashing"},
	{"match connect4 random random --pairs 200 --records DISK/games.txt --quiet", ""},
	{"train othello -o DISK/model.json --features othello/2-tuples --games 50 --curve-every 1 --curve-pairs 0 --checkpoint-every 1ms --quiet", "model.train checkpoint log.jsonl"},
}

// writable writes the input files of writers to a temporary working directory.
func writable(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "selfplay", "connect4", "-o", "data", "--games", "250", "--agent", "random", "--quiet")
	vectors.Check(os.WriteFile("table.csv", []byte("position,result,episode\n"+noise()), 0o644))
}

// tells reports whether a command prints its result before it writes an additional file.
func tells(command string) bool { return strings.Contains(command, "--records") }

// TestFullDisk runs the commands in writers on a full disk. Each must exit with code 1 and print
// one line, and the names of the files left behind must have the prefixes listed there.
func TestFullDisk(t *testing.T) {
	writable(t)
	for _, c := range writers {
		t.Run(c.command, func(t *testing.T) {
			disk := t.TempDir()
			size := "size=32k"
			if c.files == "" {
				size = "size=4k" // the folder itself needs a page
			}
			if err := syscall.Mount("none", disk, "tmpfs", 0, size); err != nil {
				t.Skipf("cannot mount a small disk: %v", err)
			}
			defer syscall.Unmount(disk, 0)
			if c.files == "" {
				vectors.Check(os.WriteFile(filepath.Join(disk, "rest"), make([]byte, 4096), 0o644))
			}
			code, stdout, stderr := run("", strings.Fields(strings.ReplaceAll(c.command, "DISK", disk))...)
			if code != 1 || stdout != "" && !tells(c.command) {
				t.Errorf("exit code %d, want 1; standard output %q", code, stdout)
			}
			if !strings.HasPrefix(stderr, "plyfit: ") || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "no space left") {
				t.Errorf("standard error %q, want one line that says so", stderr)
			}
			err := filepath.WalkDir(disk, func(path string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() || e.Name() == "rest" {
					return err
				}
				for _, allowed := range strings.Fields(c.files) {
					if strings.HasPrefix(e.Name(), allowed) {
						return nil
					}
				}
				t.Errorf("%s was left", path)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFitMemory fits 167,277 weights to 30,000 positions on disk, with about 75 terms each.
// PLYFIT_LONG raises the number to 10 million positions, which takes 20 minutes and 7 GB of
// temporary files. PLYFIT_GAMES sets a different number of games, which have 56 positions each. The
// fit may use at most 500 MB, because its memory use does not grow with the data.
func TestFitMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("plays and fits for seconds")
	}
	games := "540"
	if vectors.Long() {
		games = "178000"
	}
	if n := os.Getenv("PLYFIT_GAMES"); n != "" {
		games = n
	}
	t.Chdir(t.TempDir())
	must(t, "selfplay", "othello", "-o", "data", "--games", games, "--games-per-shard", "1024", "--agent", "random", "--quiet")
	args := strings.Fields("fit data -o model.json --features othello/patterns --json --method lbfgs --steps 5")
	cmd := exec.Command("plyfit", args...)
	cmd.Stderr = os.Stderr
	// On Linux, a child's peak memory starts at its parent's peak, so the parent's peak is reset.
	debug.FreeOSMemory()
	vectors.Check(os.WriteFile("/proc/self/clear_refs", []byte("5"), 0))
	start := time.Now()
	out := vectors.Must(cmd.Output())
	took := time.Since(start)
	// The unit on Linux is kilobytes.
	megabytes := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss / 1024
	_, rows, _ := strings.Cut(string(out), `"rows":`)
	rows, _, _ = strings.Cut(rows, ",")
	n, err := strconv.Atoi(rows)
	if err != nil || n < 20000 {
		t.Fatalf("fitted to %q rows: %v", rows, err)
	}
	t.Logf("%d training rows, %d MB at most, %.0f s", n, megabytes, took.Seconds())
	if megabytes > 500 {
		t.Errorf("%d MB, want at most 500", megabytes)
	}
}

// TestReadOnly runs commands that write files in a read-only folder. Each command must exit with
// code 2 and print one line that contains the folder's name. Complete files in the folder must
// remain readable.
func TestReadOnly(t *testing.T) {
	writable(t)
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("cannot mount a disk: %v", err)
	}
	defer syscall.Unmount(disk, 0)
	complete := []string{
		"selfplay connect4 -o DISK/whole --games 60 --agent random --quiet",
		"dataset verify DISK/whole",
		"dataset info DISK/whole",
		"fit DISK/whole -o model.json",
	}
	in := func(command string) []string { return strings.Fields(strings.ReplaceAll(command, "DISK", disk)) }
	var before []string
	for _, c := range complete {
		before = append(before, must(t, in(c)...))
	}
	must(t, in("match connect4 random random --pairs 4 -o DISK/old.jsonl --quiet")...)
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot make the disk read-only: %v", err)
	}
	for i, c := range complete {
		if got := must(t, in(c)...); got != before[i] {
			t.Errorf("%s: read-only it prints\n%s\nbefore\n%s", c, got, before[i])
		}
	}
	commands := []string{
		"selfplay connect4 -o DISK/whole --games 90 --agent random --quiet",
		"match connect4 random random --pairs 8 -o DISK/old.jsonl --quiet",
		"train tictactoe -o model.json --run DISK/run --games 20 --curve-pairs 0 --quiet",
	}
	for _, w := range writers {
		commands = append(commands, w.command)
	}
	for _, c := range commands {
		code, stdout, stderr := run("", in(c)...)
		if code != 2 || stdout != "" && !tells(c) || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, disk) || !strings.Contains(stderr, "read-only") {
			t.Errorf("%s: exit code %d, standard output %q, standard error %q: want 2 and one line that names the place", c, code, stdout, stderr)
		}
	}
}
