package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/cli"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// full is a writer that always fails, as on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestFullOutput checks that a command fails if it cannot write its answer.
func TestFullOutput(t *testing.T) {
	for _, command := range []string{
		"moves connect4",
		"moves connect4 --json",
		"perft connect4 --depth 2",
		"perft connect4 --depth 2 --json",
		"eval connect4",
		"games",
		"search tictactoe --agent alphabeta:depth=2",
		"search tictactoe --agent alphabeta:depth=2 --json",
		"model show connect4/handwritten",
		"model diff connect4/handwritten connect4/learned",
		"model export connect4/learned --format c",
		"match tictactoe random random --pairs 1 --quiet",
		"tournament tictactoe random greedy --pairs 1 --quiet",
	} {
		var stderr bytes.Buffer
		code := cli.Run(context.Background(), catalog.All(), strings.Fields(command), strings.NewReader(""), full{}, &stderr)
		if code != 1 || stderr.String() != "plyfit: no space left\n" {
			t.Errorf("%s: exit code %d, want 1; standard error %q", command, code, &stderr)
		}
	}
}

// TestInterruptedSearch checks that an interrupted search exits with an error. A partial answer may
// be printed as text, but not as JSON.
func TestInterruptedSearch(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("takes a second, and signals")
	}
	for _, flag := range []string{"--trace=false", "--json"} {
		cmd := exec.Command("plyfit", "search", "connect4", "--position", "-", "--agent", "alphabeta:depth=40", flag)
		cmd.Stdin = strings.NewReader("1212121\nstart\n") // the first game is over, so its answer needs no search
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		pipe := vectors.Must(cmd.StdoutPipe())
		vectors.Check(cmd.Start())
		stdout := bufio.NewReader(pipe)
		vectors.Must(stdout.ReadString('\n'))
		time.Sleep(300 * time.Millisecond)
		vectors.Check(cmd.Process.Signal(os.Interrupt))
		rest := vectors.Must(io.ReadAll(stdout))
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != "plyfit: interrupted\n" {
			t.Errorf("%s: exit code %d, want 130; standard error %q", flag, code, &stderr)
		}
		if flag == "--json" && len(rest) > 0 {
			t.Errorf("a script is sent %q", rest)
		}
	}
}

// broken is an agent that always fails.
type broken struct{}

func (broken) Begin(uint64) {}

func (broken) Search(context.Context, game.State) (search.Result, error) {
	return search.Result{}, errors.New("out of order")
}

// TestNatureFails checks that a failure of nature's agent is reported as a failure of the run, not
// as bad input.
func TestNatureFails(t *testing.T) {
	e := vectors.Must(catalog.All().Entry("2048"))
	mine := *e
	mine.Agents = map[string]func(*game.Options) (func() (search.Agent, error), error){
		"broken": func(o *game.Options) (func() (search.Agent, error), error) {
			return func() (search.Agent, error) { return broken{}, nil }, o.Err()
		},
	}
	var stdout, stderr bytes.Buffer
	code := cli.Run(context.Background(), catalog.Catalog{mine}, strings.Fields("match 2048:size=2+adversary random random --nature broken --pairs 1 --quiet"), strings.NewReader(""), &stdout, &stderr)
	if want := "plyfit: nature's agent failed: crash: out of order\n"; code != 1 || stderr.String() != want {
		t.Errorf("exit code %d, want 1; standard error %q, want %q", code, &stderr, want)
	}
}

// TestLongPosition checks that an overlong line of standard input is reported as bad input, with
// its line number.
func TestLongPosition(t *testing.T) {
	code, _, stderr := run("4453\n"+strings.Repeat("4", 17<<20)+"\n", "moves", "connect4", "-p", "-", "--json")
	if want := "plyfit: standard input, line 2: want lines of at most 16777216 bytes\n"; code != 2 || stderr != want {
		t.Errorf("exit code %d, %q, want %q", code, stderr, want)
	}
}
