package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"plyfit/internal/vectors"
)

// long lists the commands that can run for more than a second without saving any work, or that run
// until they are stopped. DIR is a folder that contains data, table.csv, model.json, start.csv,
// task.json and handed.json.
var long = map[string]string{
	"plyfit dataset export":  "dataset export DIR/data -o DIR/out.csv",
	"plyfit dataset verify":  "dataset verify DIR/data",
	"plyfit fit":             "fit DIR/table.csv -o DIR/w.csv --method newton --penalty auto",
	"plyfit model test":      "model test connect4/learned DIR/data",
	"plyfit model calibrate": "model calibrate connect4/learned --data DIR/data -o DIR/calibrated.json",
	"plyfit diagnose":        "diagnose learned --game connect4+slip=0.2 --budget 9999 --quiet",
	"plyfit grade":           "grade DIR/task.json DIR/handed.json",
	"plyfit exploit":         "exploit leduc pimc:samples=100000,agent=greedy",
	"plyfit opponent":        "opponent connect4 DIR/data -o DIR/o.json --per-game 100",
	"plyfit search":          "search chess --agent alphabeta:depth=100",
	"plyfit perft":           "perft connect4 --depth 40",
	"plyfit play":            "play tictactoe",
	"plyfit serve":           "serve --listen 127.0.0.1:0",
	"plyfit uci":             "uci chess",
	"plyfit gtp":             "gtp othello",
}

// resumed lists the commands that resume from saved work. The tests in internal/reliability
// interrupt and kill these commands and compare the results.
var resumed = []string{"plyfit learn", "plyfit selfplay", "plyfit train", "plyfit match", "plyfit tournament", "plyfit study", "plyfit study confirm", "plyfit tune selfplay", "plyfit tune ladder", "plyfit tune options", "plyfit tune play", "plyfit dataset relabel", "plyfit dataset import"}

// short lists the other commands, which take little time.
var short = strings.Fields("plyfit agents games moves eval dataset dataset/head dataset/info model model/copy model/diff model/export model/halve model/set model/score model/show tune completion completion/bash completion/fish completion/powershell completion/zsh help")

// input writes to dir the files that the commands read. The data set contains the given number of
// games.
func input(t *testing.T, dir string, games int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var table strings.Builder
	table.WriteString("label,a,b,c\n")
	for range 10 * games {
		a := random.NormFloat64()
		fmt.Fprintf(&table, "%.0f,%.3f,%.3f,%.3f\n", math.Round(1/(1+math.Exp(-a))), a, random.NormFloat64(), random.NormFloat64())
	}
	const assignment = `{"format": "plyfit-assignment/1", "name": "long", "title": "long", "seed": 1, "seconds": 1, "pass": 1, "exercises":
[{"name": "match", "points": 1, "game": "tictactoe", "planner": "alphabeta:depth=3", "against": "random", "pairs": 1000000, "full": 1}]}`
	for name, text := range map[string]string{"table.csv": table.String(), "start.csv": "name,weight\na,1\nb,1\nc,1\n", "task.json": assignment} {
		vectors.Check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for _, args := range []string{
		fmt.Sprintf("selfplay connect4 -o DIR/data --games %d --agent random --quiet", games),
		"fit DIR/data -o DIR/model.json",
		"model export tictactoe/handwritten -o DIR/handed.json",
	} {
		if out, err := at(dir, args).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", args, err, out)
		}
	}
}

// at returns a plyfit command. In its arguments, DIR stands for dir and ~ for a space.
func at(dir, args string) *exec.Cmd {
	words := strings.Fields(strings.ReplaceAll(args, "DIR", dir))
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "~", " ")
	}
	return exec.Command("plyfit", words...)
}

// TestInterrupt checks that each command of the program is listed in one of long, resumed and
// short, and that a signal at a random moment ends each command listed in long with exit code 130.
// .ci/interrupts runs the test with more signals on a quiet machine and measures the longest delay.
func TestInterrupt(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		_, listed := long[path]
		if listed = listed || slices.Contains(resumed, path); listed == slices.Contains(short, strings.ReplaceAll(strings.TrimPrefix(path, "plyfit "), " ", "/")) {
			t.Errorf("%s: want it among the long commands, those that go on or the short ones", path)
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk((&App{Catalog: everything}).root())
	if testing.Short() {
		t.Skip("starts many processes")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no process can be sent a signal there")
	}
	signals, err := strconv.Atoi(os.Getenv("PLYFIT_INTERRUPTS"))
	timed := err == nil
	random := rand.New(rand.NewPCG(3, 4))
	read := t.TempDir()
	input(t, read, 2000+8000*min(signals, 1)) // use larger inputs when delays are measured
	for _, path := range slices.Sorted(maps.Keys(long)) {
		t.Run(strings.TrimPrefix(path, "plyfit "), func(t *testing.T) {
			slowest := time.Duration(0)
			for range max(signals, 1) {
				for within := 500 * time.Millisecond; ; within /= 2 { // if the command ends before the signal arrives, send the signal earlier
					after, ended := interrupted(t, at(read, long[path]), time.Duration(random.Int64N(int64(within))))
					if !ended {
						slowest = max(slowest, after)
						break
					}
				}
			}
			if timed {
				t.Logf("%d signals, the last to end took %v", signals, slowest.Round(time.Millisecond))
				if slowest > time.Second {
					t.Errorf("ended %v after the signal, want a second", slowest)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(read, "*", ".*.tmp")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestInterruptedMatch checks that an interrupted match without a file prints the result of the
// pairs played so far, even if a program is slow to exit.
func TestInterruptedMatch(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("starts processes, and sends them signals")
	}
	for moment := time.Second; ; moment *= 2 {
		cmd := at("", "match connect4 uci:cmd=(sh~-c~'plyfit~uci~connect4;sleep~9'),depth=1 random --pairs 1000000 --json --quiet")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		vectors.Check(cmd.Start())
		time.Sleep(moment)
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		var r struct {
			Pairs   int
			Planned int `json:"planned_pairs"`
		}
		if stdout.Len() == 0 && moment < time.Minute {
			continue // no pair was finished in time
		}
		if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Pairs < 1 || r.Planned != 1000000 {
			t.Errorf("%v, %+v: %s", err, r, &stdout)
		}
		if code, said := cmd.ProcessState.ExitCode(), stderr.String(); code != 130 || !strings.HasPrefix(said, "plyfit: interrupted;") || !strings.Contains(said, "--out") || strings.Count(said, "\n") != 1 {
			t.Errorf("exit code %d, %q", code, said)
		}
		return
	}
}

// interrupted runs a command and sends it a signal after the given time. It returns the time that
// the command took to exit after the signal, and whether it had exited before.
func interrupted(t *testing.T, cmd *exec.Cmd, moment time.Duration) (after time.Duration, ended bool) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin := vectors.Must(cmd.StdinPipe()) // keep standard input open
	defer stdin.Close()
	vectors.Check(cmd.Start())
	done := make(chan struct{})
	go func() { cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(moment):
	}
	sent := time.Now()
	cmd.Process.Signal(os.Interrupt)
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		cmd.Process.Kill()
		t.Fatalf("%v: still there two minutes after the signal", cmd.Args)
	}
	status := cmd.ProcessState
	if status.Success() {
		return 0, true
	}
	// A signal that arrives before the Go runtime is ready ends the process; a shell reports this
	// as exit code 130.
	early := strings.Contains(status.String(), "interrupt") && stderr.Len() == 0
	if said := stderr.String(); !early && (status.ExitCode() != 130 || !strings.HasPrefix(said, "plyfit: interrupted") || strings.Count(said, "\n") != 1) {
		t.Errorf("%v: %v, after %v: %q", cmd.Args, status, moment, said)
	}
	return time.Since(sent), false
}
