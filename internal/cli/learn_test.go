package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// TestLearnRegister: the model goes to learned/GAME.json and a line says so; a folder that
// is none is bad input before anything is learned, and a model that falls short a failure.
func TestLearnRegister(t *testing.T) {
	t.Chdir(t.TempDir())
	learn := func(args string) (code int, stdout, stderr string) {
		return run("", append([]string{"learn", "tictactoe", "--quiet"}, strings.Fields(args)...)...)
	}
	vectors.Check(os.Mkdir("models", 0o755))
	for _, dir := range []string{"learned", "models"} {
		if code, _, stderr := learn("-o run --register " + dir); code != 2 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, dir) {
			t.Errorf("--register %s: exit code %d, %s", dir, code, stderr)
		}
		if _, err := os.Stat("run"); err == nil {
			t.Errorf("--register %s: the run began", dir)
		}
	}
	vectors.Check(os.Mkdir("learned", 0o755))
	path := filepath.Join("learned", "tictactoe.json")
	code, stdout, stderr := learn("-o short --games 5 --rounds 1 --pairs 50 --register learned")
	if code != 1 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, path+": not written: Under alphabeta:depth=1 the learned evaluation falls short") {
		t.Errorf("a model that falls short: exit code %d, %s", code, stderr)
	}
	if !strings.Contains(stdout, "Model: ") {
		t.Errorf("the run's result is not told: %s", stdout)
	}
	if _, err := os.Stat(path); err == nil {
		t.Errorf("%s is there", path)
	}
	if code, stdout, stderr = learn("-o run --games 50 --pairs 10 --register learned"); code != 0 || !strings.Contains(stdout, "\nRegistered: "+path+"; the next build that embeds it has it as eval=learned\n") {
		t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
	}
	want := vectors.Must(os.ReadFile(filepath.Join("run", "model.json")))
	if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
		t.Errorf("%s is not the run's model: %v", path, err)
	}
}
