package cli_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/cli"
)

// full is an output that takes nothing, as a full disk does.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestFullOutput has commands answer where nothing can be written: an answer
// that did not arrive is a failure.
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
		"watch tictactoe random --delay 0s",
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

// TestInterruptedSearch: what a search had when it was stopped is told to a
// person, not to a script, and is no success.
func TestInterruptedSearch(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("takes a second, and signals")
	}
	for _, c := range []struct {
		flag   string
		answer bool
	}{{"--trace=false", true}, {"--json", false}} {
		cmd := exec.Command("plyfit", "search", "connect4", "--agent", "alphabeta:depth=40", c.flag)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != "plyfit: interrupted\n" {
			t.Errorf("%s: exit code %d, want 130; standard error %q", c.flag, code, &stderr)
		}
		if strings.Contains(stdout.String(), "move") != c.answer {
			t.Errorf("%s: standard output %q", c.flag, &stdout)
		}
	}
}
