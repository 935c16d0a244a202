package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPageTune runs docs/tune.md from the trace of an engine in C to the sequential
// test of the tuned one.
func TestPageTune(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles an engine and plays with it")
	}
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler")
	}
	page, err := os.ReadFile("tune.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join("..", "learn", "fit", "testdata", "engine")
	engine, err := os.ReadFile(filepath.Join(folder, "engine.c"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```c\n(.*?)```").FindAllSubmatch(page, -1) {
		if !bytes.Contains(engine, block[1]) {
			t.Errorf("engine.c does not hold\n%s", block[1])
		}
	}
	weights, err := os.ReadFile(filepath.Join(folder, "weights.h"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, data := range map[string][]byte{"engine.c": engine, "weights.h": weights} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wins := map[string]string{ // by what a command begins with, what it says
		"plyfit tune ladder": "the width 10 wins: ladder",
		"plyfit match":       "uci:cmd=./new,depth=4 is better than uci:cmd=./old,depth=4",
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(page, -1) {
		commands := strings.ReplaceAll(strings.TrimSpace(string(block[1])), " \\\n", " ")
		for _, line := range strings.Split(commands, "\n") {
			args := words(line)
			if args[0] != "plyfit" {
				if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
				continue
			}
			code, stdout, stderr := plyfit(args[1:]...)
			if code != 0 {
				t.Fatalf("%s: exit code %d: %s", line, code, stderr)
			}
			for command, want := range wins {
				if !strings.HasPrefix(line, command) {
					continue
				}
				if !strings.Contains(stdout, want) {
					t.Errorf("%s says\n%swant %q", line, stdout, want)
				}
				delete(wins, command)
			}
		}
	}
	for command := range wins {
		t.Errorf("the page has no %s", command)
	}
}
