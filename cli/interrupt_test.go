package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestInterrupt sends Ctrl-C's signal to commands at work: exit code 130, one
// line, and the same command then ends with what an uninterrupted one gives.
func TestInterrupt(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for seconds")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no process can be sent a signal there")
	}
	for _, c := range []struct {
		name    string
		command string // DIR is where it writes
		begun   string // pattern of files below DIR, of which there are two or which has two lines, when it is at work
		result  []string
	}{
		{"selfplay", "selfplay connect4 -o DIR/data --games 120 --games-per-shard 2 --agent alphabeta:depth=3,ties=random --quiet",
			"data/shard-*.parquet", []string{"data/dataset.json", "data/shard-00059.parquet"}},
		{"learn, playing", "learn tictactoe --games 700 --rounds 1 --pairs 4 -o DIR/run --quiet",
			"run/data/shard-*.parquet", []string{"run/data/dataset.json", "run/model.json", "run/match.json"}},
		{"learn, comparing", "learn tictactoe --games 60 --rounds 1 --pairs 40 -o DIR/run --quiet",
			"run/matches/contest-01.jsonl", []string{"run/data/dataset.json", "run/model.json", "run/match.json"}},
		{"train", "train connect4 -o DIR/model.json --games 2000 --curve-every 250 --curve-pairs 20 --checkpoint-every 10ms --quiet",
			"model.train/log.jsonl", []string{"model.json"}},
		{"match", "match connect4 alphabeta:depth=3,ties=random random --pairs 800 -o DIR/pairs.jsonl --quiet",
			"pairs.jsonl", []string{"pairs.jsonl"}},
		{"tournament", "tournament connect4 alphabeta:depth=3,ties=random random greedy --pairs 300 -o DIR/cup --records DIR/games.txt --quiet",
			"cup/match-01-02.jsonl", []string{"cup/match-01-02.jsonl", "cup/match-01-03.jsonl", "cup/match-02-03.jsonl", "games.txt"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
			for _, d := range []string{whole, parts} {
				if err := os.Mkdir(d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			want := must(t, strings.Fields(strings.ReplaceAll(c.command, "DIR", whole))...)

			args := strings.Fields(strings.ReplaceAll(c.command, "DIR", parts))
			for tries := 1; !interrupted(t, args, filepath.Join(parts, c.begun)); tries++ {
				if tries == 10 {
					t.Fatal("it ended ten times before the signal came")
				}
				if err := os.RemoveAll(parts); err != nil {
					t.Fatal(err)
				}
				if err := os.Mkdir(parts, 0o755); err != nil {
					t.Fatal(err)
				}
			}

			got := must(t, args...)
			if got := strings.ReplaceAll(got, parts, whole); got != want {
				t.Errorf("resumed, it prints\n%s\nuninterrupted\n%s", got, want)
			}
			for _, name := range c.result {
				a, errA := os.ReadFile(filepath.Join(whole, name))
				b, errB := os.ReadFile(filepath.Join(parts, name))
				if errA != nil || errB != nil || !bytes.Equal(a, b) {
					t.Errorf("%s differs from that of the uninterrupted run (%v, %v)", name, errA, errB)
				}
			}
			left, err := filepath.Glob(filepath.Join(parts, "*", ".*.tmp"))
			if len(left) > 0 || err != nil {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}

	t.Run("nothing kept", func(t *testing.T) {
		cmd := exec.Command("plyfit", "perft", "connect4", "--depth", "40", "--json")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // it is at work
			t.Error(err)
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != "plyfit: interrupted\n" {
			t.Errorf("exit code %d, standard error %q", code, &stderr)
		}
	})
}

// atWork reports whether two files match the pattern, or a file has two lines.
func atWork(t *testing.T, pattern string) bool {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 1 && strings.HasSuffix(files[0], ".jsonl") {
		text, err := os.ReadFile(files[0])
		return err == nil && bytes.Count(text, []byte("\n")) >= 2
	}
	return len(files) >= 2
}

// interrupted begins a command, sends the signal once it is at work, and reports whether it
// came in time: the command did not end by itself.
func interrupted(t *testing.T, args []string, begun string) bool {
	t.Helper()
	cmd := exec.Command("plyfit", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	for deadline := time.Now().Add(2 * time.Minute); !atWork(t, begun); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			t.Fatalf("nothing of %s was written in two minutes", begun)
		}
	}
	cmd.Process.Signal(os.Interrupt)
	<-ended
	switch code := cmd.ProcessState.ExitCode(); {
	case code == 0:
		return false
	case code != 130:
		t.Errorf("exit code %d, want 130", code)
	}
	if stdout.String() != "" || stderr.String() != "plyfit: interrupted; the same command goes on from here\n" {
		t.Errorf("standard output %q, standard error %q", &stdout, &stderr)
	}
	return true
}
