package cli_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnly has every command that writes meet a folder that cannot be
// written to: exit code 2, one line that names the place, no answer; what is
// complete there can still be read.
func TestReadOnly(t *testing.T) {
	t.Chdir(t.TempDir())
	table := "position,result\n1,1\n12,0\n"
	if err := os.WriteFile("table.csv", []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "selfplay", "connect4", "-o", "data", "--games", "60", "--agent", "random", "--quiet")
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
	for _, c := range []string{
		"selfplay connect4 -o DISK/data --games 40 --agent random --quiet",
		"selfplay connect4 -o DISK/whole --games 90 --agent random --quiet",
		"dataset relabel data -o DISK/data --agent alphabeta:depth=1 --quiet",
		"dataset import connect4 table.csv -o DISK/data",
		"dataset export data -o DISK/table.csv",
		"learn tictactoe --games 30 --rounds 1 -o DISK/run --quiet",
		"match connect4 random random --pairs 4 -o DISK/pairs.jsonl --quiet",
		"match connect4 random random --pairs 8 -o DISK/old.jsonl --quiet",
		"tournament connect4 random greedy --pairs 4 -o DISK/cup --quiet",
		"book connect4 -o DISK/book.txt --plies 4 --judge alphabeta:depth=1 --quiet",
		"study pacman --quick -o DISK/study --quiet",
		"model export connect4/handwritten --format c -o DISK/eval.c",
		"fit data -o DISK/model.json",
		"train tictactoe -o DISK/model.json --games 20 --curve-pairs 0 --quiet",
		"train tictactoe -o model.json --run DISK/run --games 20 --curve-pairs 0 --quiet",
	} {
		code, stdout, stderr := run("", in(c)...)
		if code != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, disk) || !strings.Contains(stderr, "read-only") {
			t.Errorf("%s: exit code %d, standard output %q, standard error %q: want 2 and one line that names the place", c, code, stdout, stderr)
		}
	}
}
