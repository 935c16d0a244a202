package reliability

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/cli"
)

// asCommand is the environment variable that makes this test binary act as the plyfit command. The
// tests therefore always run the current sources.
const asCommand = "PLYFIT_RELIABILITY_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		cli.Main(catalog.All())
	}
	os.Exit(m.Run())
}

// plyfit returns the command with space-separated arguments, to be run in dir. ~ stands for a space
// within an argument.
func plyfit(dir, args string) *exec.Cmd {
	words := strings.Fields(args)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "~", " ")
	}
	c := exec.Command(os.Args[0], words...)
	c.Env = append(os.Environ(), asCommand+"=1")
	c.Dir = dir
	return c
}

// An answer is the result of a finished command.
type answer struct {
	code           int
	stdout, stderr string
}

// run runs the command until it ends.
func run(t testing.TB, dir, args string) answer {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := plyfit(dir, args)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return answer{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// must runs a command that is expected to succeed and returns its standard output.
func must(t testing.TB, dir, args string) string {
	t.Helper()
	a := run(t, dir, args)
	if a.code != 0 {
		t.Fatalf("plyfit %s: exit code %d\n%s", args, a.code, a.stderr)
	}
	return a.stdout
}
