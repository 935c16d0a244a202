package cli

import (
	"bytes"
	"fmt"
	"maps"
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
)

// long are the commands that can run for more than a second. DIR is a folder of the
// test's, which holds data, table.csv, positions.epd, model.json and tiny.json.
// keeps are the files that an interrupted command goes on with: run again, it makes the
// same ones. endless commands take as long as nobody ends them.
var long = map[string]struct {
	args    string
	keeps   []string
	endless bool
}{
	"plyfit learn": {args: "learn tictactoe --games 700 --rounds 1 --pairs 60 -o DIR/run --quiet",
		keeps: []string{"run/data/dataset.json", "run/model.json", "run/match.json", "run/matches/contest-01.jsonl"}},
	"plyfit selfplay": {args: "selfplay connect4 -o DIR/set --games 200 --games-per-shard 2 --agent alphabeta:depth=3,ties=random --quiet",
		keeps: []string{"set/dataset.json", "set/shard-00059.parquet"}},
	"plyfit train": {args: "train connect4 -o DIR/trained.json --games 2000 --curve-every 250 --curve-pairs 20 --checkpoint-every 10ms --quiet",
		keeps: []string{"trained.json"}},
	"plyfit match": {args: "match connect4 alphabeta:depth=3,ties=random random --pairs 800 -o DIR/pairs.jsonl --quiet",
		keeps: []string{"pairs.jsonl"}},
	"plyfit tournament": {args: "tournament connect4 alphabeta:depth=3,ties=random random greedy --pairs 300 -o DIR/cup --records DIR/games.txt --quiet",
		keeps: []string{"cup/match-01-02.jsonl", "cup/match-01-03.jsonl", "cup/match-02-03.jsonl", "games.txt"}},
	"plyfit study": {args: "study pacman --quick -o DIR/study --quiet", keeps: []string{"study/report.md"}},
	"plyfit study confirm": {args: "study confirm DIR/tiny.json -o DIR/confirmed --registered b1586225e5f209486873ab5a1d1b1b149063cd55a91e71d1e745087b487ddc59 --quiet",
		keeps: []string{"confirmed/data/tiny-rows.csv"}},
	"plyfit tune selfplay": {args: "tune selfplay alphabeta:depth=3 --game connect4 -o DIR/own --games 300 --quiet",
		keeps: []string{"own/openings.txt", "own/games/dataset.json"}},
	"plyfit dataset relabel": {args: "dataset relabel DIR/data -o DIR/again --agent alphabeta:depth=3 --quiet",
		keeps: []string{"again/dataset.json"}},
	"plyfit dataset import":  {args: "dataset import connect4 DIR/positions.epd -o DIR/imported", keeps: []string{"imported/dataset.json"}},
	"plyfit dataset export":  {args: "dataset export DIR/data -o DIR/out.csv", keeps: []string{"out.csv"}},
	"plyfit dataset verify":  {args: "dataset verify DIR/data"},
	"plyfit fit":             {args: "fit DIR/table.csv -o DIR/w.csv --method newton --penalty auto", keeps: []string{"w.csv"}},
	"plyfit model test":      {args: "model test connect4/learned DIR/data"},
	"plyfit model calibrate": {args: "model calibrate connect4/learned --data DIR/data -o DIR/calibrated.json"},
	"plyfit tune ladder":     {args: "tune ladder DIR/table.csv uci:cmd=(fakeengine~thinks~{}),timeout=1h --weights x.csv --start DIR/start.csv --game tictactoe -o DIR/ladder --quiet", endless: true},
	"plyfit book":            {args: "book connect4 -o DIR/book.txt --count 99999999999 --within 0.01 --quiet", endless: true},
	"plyfit diagnose":        {args: "diagnose learned --game connect4+slip=0.2 --budget 9999 --quiet", endless: true},
	"plyfit grade":           {args: "grade DIR/task.json DIR/handed.json", endless: true},
	"plyfit exploit":         {args: "exploit leduc pimc:samples=100000,agent=greedy", endless: true},
	"plyfit search":          {args: "search chess --agent alphabeta:depth=100", endless: true},
	"plyfit perft":           {args: "perft connect4 --depth 40", endless: true},
	"plyfit play":            {args: "play tictactoe", endless: true},
	"plyfit serve":           {args: "serve --listen 127.0.0.1:0", endless: true},
	"plyfit uci":             {args: "uci chess", endless: true},
	"plyfit gtp":             {args: "gtp go", endless: true},
}

// short are the commands that cannot: they read files of models or descriptions, and look
// at one position.
var short = strings.Fields("plyfit agents games moves eval new-game dataset dataset/head dataset/info model model/diff model/export model/halve model/mean model/set model/show tune completion completion/bash completion/fish completion/powershell completion/zsh help")

// input makes in dir what the commands read.
func input(t *testing.T, dir string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var table strings.Builder
	table.WriteString("label,a,b,c\n")
	for range 150_000 {
		fmt.Fprintf(&table, "%d,%.3f,%.3f,%.3f\n", random.IntN(2), random.NormFloat64(), random.NormFloat64(), random.NormFloat64())
	}
	const assignment = `{"format": "plyfit-assignment/1", "name": "long", "title": "long", "seed": 1, "seconds": 1, "pass": 1, "exercises":
[{"name": "match", "points": 1, "game": "tictactoe", "planner": "alphabeta:depth=3", "against": "random", "pairs": 1000000, "full": 1}]}`
	for name, text := range map[string]string{"table.csv": table.String(), "start.csv": "name,weight\na,1\nb,1\nc,1\n", "tiny.json": tinyProtocol, "task.json": assignment} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{
		"selfplay connect4 -o DIR/data --games 12000 --agent random --quiet",
		"dataset export DIR/data -o DIR/positions.epd",
		"fit DIR/data -o DIR/model.json",
		"model export tictactoe/handwritten -o DIR/handed.json",
	} {
		if out, err := at(dir, args).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", args, err, out)
		}
	}
}

// at is the command with DIR in its arguments replaced.
func at(dir, args string) *exec.Cmd {
	words := strings.Fields(strings.ReplaceAll(args, "DIR", dir))
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "~", " ")
	}
	return exec.Command("plyfit", words...)
}

// moments is how many signals each command gets. .ci/interrupts wants more, on a quiet
// machine, and the longest time until the end.
func moments() (n int, timed bool) {
	n, err := strconv.Atoi(os.Getenv("PLYFIT_INTERRUPTS"))
	if err != nil {
		return 3, false
	}
	return n, true
}

// TestInterrupt: the first signal ends every command, at whatever moment it comes, with
// code 130; and what keeps its results goes on with them, to the same bytes.
func TestInterrupt(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if _, listed := long[path]; listed == slices.Contains(short, strings.ReplaceAll(strings.TrimPrefix(path, "plyfit "), " ", "/")) {
			t.Errorf("%s: want it among the long commands or the short ones", path)
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk((&App{Catalog: everything}).root())
	if testing.Short() {
		t.Skip("plays for minutes")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no process can be sent a signal there")
	}
	random := rand.New(rand.NewPCG(3, 4))
	n, timed := moments()
	read := t.TempDir()
	input(t, read)
	for _, path := range slices.Sorted(maps.Keys(long)) {
		c := long[path]
		t.Run(strings.TrimPrefix(path, "plyfit "), func(t *testing.T) {
			folder := func(name string) string {
				dir := filepath.Join(t.TempDir(), name)
				if err := os.CopyFS(dir, os.DirFS(read)); err != nil {
					t.Fatal(err)
				}
				return dir
			}
			whole, took := folder("whole"), 1500*time.Millisecond
			if !c.endless {
				begun := time.Now()
				if out, err := at(whole, c.args).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				took = time.Since(begun)
			}
			parts, stopped, slowest := folder("parts"), 0, time.Duration(0)
			for i := 0; i < n || stopped == 0 && took > time.Millisecond; i++ {
				if i >= n {
					took /= 2 // it has become faster than it was
				}
				moment := time.Duration((float64(i%n) + random.Float64()) / float64(n) * float64(took))
				if c.keeps != nil { // it goes on, so that all moments together are a run
					moment /= time.Duration(n)
				}
				if after, ended := interrupted(t, at(parts, c.args), moment); !ended {
					stopped++
					slowest = max(slowest, after)
				}
			}
			if stopped == 0 {
				t.Errorf("it ended before each of %d signals", n)
			}
			if timed {
				t.Logf("%d signals, the last to end took %v", stopped, slowest.Round(time.Millisecond))
				if slowest > time.Second {
					t.Errorf("ended %v after the signal, want a second", slowest)
				}
			}
			if c.keeps == nil {
				return
			}
			if out, err := at(parts, c.args).CombinedOutput(); err != nil {
				t.Fatalf("resumed: %v: %s", err, out)
			}
			for _, name := range c.keeps {
				a, errA := os.ReadFile(filepath.Join(whole, name))
				b, errB := os.ReadFile(filepath.Join(parts, name))
				if errA != nil || errB != nil || !bytes.Equal(a, bytes.ReplaceAll(b, []byte(parts), []byte(whole))) {
					t.Errorf("%s differs from that of the uninterrupted run (%v, %v)", name, errA, errB)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(parts, "*", ".*.tmp")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// interrupted runs a command and sends it the signal at that moment. It says how long the
// command took to end, and whether it had ended before.
func interrupted(t *testing.T, cmd *exec.Cmd, moment time.Duration) (after time.Duration, ended bool) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe() // which stays open
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
	// A signal that comes before the first line of Go ends a process as the shell's 130.
	early := strings.Contains(status.String(), "interrupt") && stderr.Len() == 0
	if said := stderr.String(); !early && (status.ExitCode() != 130 || !strings.HasPrefix(said, "plyfit: interrupted") || strings.Count(said, "\n") != 1) {
		t.Errorf("%v: %v, after %v: %q", cmd.Args, status, moment, said)
	}
	return time.Since(sent), false
}
