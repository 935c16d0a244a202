package cli_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
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
		{"selfplay", "selfplay connect4 -o DIR/data --games 480 --games-per-shard 2 --agent alphabeta:depth=3,ties=random --quiet",
			"data/shard-*.parquet", []string{"data/dataset.json", "data/shard-00239.parquet"}},
		{"learn, playing", "learn tictactoe --games 1100 --rounds 1 --pairs 4 -o DIR/run --quiet",
			"run/data/shard-*.parquet", []string{"run/data/dataset.json", "run/model.json", "run/match.json"}},
		{"learn, comparing", "learn tictactoe --games 60 --rounds 1 --pairs 40 -o DIR/run --quiet",
			"run/matches/contest-01.jsonl", []string{"run/data/dataset.json", "run/model.json", "run/match.json"}},
		{"train", "train connect4 -o DIR/model.json --games 6000 --curve-every 500 --curve-pairs 40 --checkpoint-every 10ms --quiet",
			"model.train/log.jsonl", []string{"model.json"}},
		{"match", "match connect4 alphabeta:depth=3,ties=random random --pairs 3000 -o DIR/pairs.jsonl --quiet",
			"pairs.jsonl", []string{"pairs.jsonl"}},
		{"tournament", "tournament connect4 alphabeta:depth=3,ties=random random greedy --pairs 900 -o DIR/cup --records DIR/games.txt --quiet",
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
			cmd := exec.Command("plyfit", args...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(20 * time.Second); !atWork(t, filepath.Join(parts, c.begun)); time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					cmd.Process.Kill()
					t.Fatalf("nothing of %s was written in 20 seconds", c.begun)
				}
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit code %d, want 130", code)
			}
			if stdout.String() != "" || stderr.String() != "plyfit: interrupted; the same command goes on from here\n" {
				t.Errorf("standard output %q, standard error %q", &stdout, &stderr)
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

// TestKilledMatch kills a match of 400 games (SIGKILL) at 30 random moments and
// starts it again each time: it ends with the same pairs, the same result and
// the same 400 records as one that ran through, none of them twice. A kill may
// cost two units of pairs, some 0.2 s of CPU: so the match needs more than a second
// of it, and many kills come later than that.
func TestKilledMatch(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for seconds")
	}
	dir := t.TempDir()
	command := func(at string) []string {
		return strings.Fields("match connect4 alphabeta:depth=7,ties=random alphabeta:depth=2,ties=random --pairs 200 --quiet --json " +
			"--out " + filepath.Join(dir, at+".jsonl") + " --records " + filepath.Join(dir, at+"-games.jsonl"))
	}
	begun := time.Now()
	want := must(t, command("whole")...)
	whole := time.Since(begun)

	const kills = 30
	rng := rand.New(rand.NewPCG(1, kills))
	died, grew := 0, 0
	size := int64(0)
	for range kills {
		cmd := exec.Command("plyfit", command("killed")...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(2*whole/kills + 300*time.Millisecond))))
		cmd.Process.Kill()
		cmd.Wait()
		if !cmd.ProcessState.Exited() {
			died++
		}
		if now := kept(t, dir); now > size {
			size, grew = now, grew+1
		}
	}
	if died == 0 || grew < 2 {
		t.Errorf("%d of %d killed at work, %d of them after new pairs", died, kills, grew)
	}
	if got := must(t, command("killed")...); got != want {
		t.Errorf("resumed\n%s\nuninterrupted\n%s", got, want)
	}
	for _, name := range []string{".jsonl", "-games.jsonl"} {
		a, errA := os.ReadFile(filepath.Join(dir, "whole"+name))
		b, errB := os.ReadFile(filepath.Join(dir, "killed"+name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from that of the uninterrupted run (%v, %v)", name, errA, errB)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "killed-games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	rounds := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var game struct{ Round string }
		if err := json.Unmarshal([]byte(line), &game); err != nil {
			t.Fatal(err)
		}
		if rounds[game.Round] {
			t.Errorf("game %s is there twice", game.Round)
		}
		rounds[game.Round] = true
	}
	if len(rounds) != 400 {
		t.Errorf("%d games, want 400", len(rounds))
	}
	t.Logf("%d kills, %d at work, %d of them after new pairs", kills, died, grew)
}

// kept is the size of the pairs that a killed match in dir has kept: in its file,
// and in units that wait for those before them.
func kept(t *testing.T, dir string) (size int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, ".killed.jsonl.work", "0*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(files, filepath.Join(dir, "killed.jsonl")) {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	return size
}
