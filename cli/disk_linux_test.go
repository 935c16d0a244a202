package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// noise are lines of positions that no compression makes small.
func noise() string {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		fmt.Fprintf(&b, "%d%d%d%d,1,%x\n", 1+rng.IntN(7), 1+rng.IntN(7), 1+rng.IntN(7), 1+rng.IntN(7), rng.Uint64())
	}
	return b.String()
}

// TestFullDisk has every command that writes meet a full disk: exit code 1, one
// line, and no file under its final name but whole ones.
func TestFullDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "selfplay", "connect4", "-o", "data", "--games", "250", "--agent", "random", "--quiet")
	if err := os.WriteFile("table.csv", []byte("position,result,episode\n"+noise()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command string
		files   string // what may stand there afterwards
	}{
		{"selfplay connect4 -o DISK/data --games 400 --games-per-shard 32 --agent random --quiet", "dataset.json shard-"},
		{"dataset relabel data -o DISK/data --agent alphabeta:depth=1 --quiet", "dataset.json"},
		{"learn tictactoe -o DISK/run --games 3000 --rounds 1 --quiet", "config.json log.jsonl dataset.json shard-"},
		{"match connect4 random random --pairs 2000 -o DISK/pairs.jsonl --quiet", "pairs.jsonl"},
		{"tournament connect4 random greedy --pairs 2000 -o DISK/cup --quiet", "match-01-02.jsonl"},
		{"book connect4 -o DISK/book.txt --plies 6 --judge alphabeta:depth=1 --quiet", ""},
		{"dataset export data -o DISK/table.csv", ""},
		{"model export connect4/handwritten --format c -o DISK/eval.c", ""},
		{"model export connect4/handwritten --format go -o DISK/eval.go", ""},
		{"fit data -o DISK/model.json", ""},
		{"fit data -o model.json --report DISK/fit.html", ""},
		{"dataset import connect4 table.csv -o DISK/data", "dataset.json"},
		{"study pacman --quick -o DISK/study --quiet", "pacman"},
		{"match connect4 random random --pairs 200 --records DISK/games.txt --quiet", ""},
		{"match connect4 random random --pairs 200 --plot DISK/plot.svg --quiet", ""},
		{"train othello -o DISK/model.json --features othello/2-tuples --games 50 --curve-every 1 --curve-pairs 0 --checkpoint-every 1ms --quiet", "model.train checkpoint log.jsonl"},
	} {
		t.Run(c.command, func(t *testing.T) {
			disk := t.TempDir()
			size := "size=32k"
			if c.files == "" {
				size = "size=4k" // a page, and that is what the folder needs
			}
			if err := syscall.Mount("none", disk, "tmpfs", 0, size); err != nil {
				t.Skipf("cannot mount a small disk: %v", err)
			}
			defer syscall.Unmount(disk, 0)
			if c.files == "" {
				if err := os.WriteFile(filepath.Join(disk, "rest"), make([]byte, 4096), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			code, stdout, stderr := run("", strings.Fields(strings.ReplaceAll(c.command, "DISK", disk))...)
			// A match tells its result before it writes what more is asked for.
			if told := strings.HasPrefix(c.command, "match") && c.files == ""; code != 1 || stdout != "" && !told {
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
