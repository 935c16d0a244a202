// Package docs_test runs the commands on several pages in order and checks that they work and print
// the output shown.
package docs_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/cli"
	"plyfit/internal/vectors"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes plyfit available to the shell commands of the pages.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"plyfit": func() { cli.Main(catalog.All()) }})
}

// plyfit runs the command in this process.
func plyfit(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cli.Run(context.Background(), catalog.All(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// blocks returns the fenced code blocks of the given kinds on a page, each with its kind and text.
func blocks(page []byte, kinds string) [][]string {
	return regexp.MustCompile("(?s)```("+kinds+")\n(.*?)```\n").FindAllStringSubmatch(string(page), -1)
}

// shell runs a script in a folder and returns its output.
func shell(t *testing.T, dir, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// TestStart runs the commands on the pages for new users, about opponents and, with PLYFIT_LONG,
// about grading, in an empty folder. They must work in order and print the output shown.
// TestPageTune covers docs/tune.md, and TestStrangersGame covers docs/tutorial/README.md.
func TestStart(t *testing.T) {
	for _, name := range []string{"start/begin", "opponents", "grade"} {
		t.Run(name, func(t *testing.T) {
			if name == "grade" && !vectors.Long() {
				t.Skip("grades what a class hands in")
			}
			dir, walked, said := t.TempDir(), 0, ""
			for _, b := range blocks(vectors.Must(os.ReadFile(filepath.FromSlash(name+".md"))), "sh|text") {
				if b[1] == "text" {
					if b[2] != said {
						t.Errorf("it prints\n%s\nthe page says\n%s", said, b[2])
					}
					continue
				}
				if !vectors.Long() { // play fewer games in the studies
					b[2] = strings.ReplaceAll(b[2], " --quick ", " --quick --pairs 4 ")
				}
				said = shell(t, dir, b[2])
				walked++
			}
			if walked < 4 {
				t.Errorf("%d blocks of commands: want at least 4", walked)
			}
		})
	}
}

// rewrite updates the output on the pages.
var rewrite = flag.Bool("rewrite", false, "rewrite what the commands on the pages print")

// printing lists the pages that show the output of their commands. Later commands use files of
// earlier ones, so the order matters.
var printing = []string{"matches.md", "diagnose.md"}

// TestPagesPrint runs the commands of these pages in one folder and compares their output with the
// pages.
func TestPagesPrint(t *testing.T) {
	docs := vectors.Must(filepath.Abs("."))
	t.Chdir(t.TempDir())
	blocks := 0
	for _, name := range printing {
		page, fence := filepath.Join(docs, name), "```console\n"
		parts := strings.Split(string(vectors.Must(os.ReadFile(page))), fence)
		for i, part := range parts[1:] {
			block, rest, _ := strings.Cut(part, "```\n")
			got := printed(t, block)
			parts[i+1] = got + "```\n" + rest
			if got != block {
				t.Errorf("%s: it prints\n%s\nthe page has\n%s", name, got, block)
			}
			blocks++
		}
		if *rewrite {
			vectors.Check(os.WriteFile(page, []byte(strings.Join(parts, fence)), 0o644))
		}
	}
	if blocks < 4 {
		t.Errorf("%d blocks of commands, want at least 4", blocks)
	}
}

// printed returns a block of commands with its current output.
func printed(t *testing.T, block string) string {
	t.Helper()
	var now strings.Builder
	for _, line := range strings.Split(block, "\n") {
		args, ok := strings.CutPrefix(line, "$ plyfit ")
		if !ok {
			continue // old output
		}
		args, head, _ := strings.Cut(args, " | head -n ")
		code, stdout, stderr := plyfit(strings.Fields(args)...)
		if code == 2 {
			t.Errorf("%s: %s", line, stderr)
		}
		if n, err := strconv.Atoi(head); err == nil {
			stdout = strings.Join(strings.SplitAfter(stdout, "\n")[:n], "")
		}
		now.WriteString(line + "\n" + stdout + stderr)
	}
	return now.String()
}

// TestPageTune runs the commands of docs/tune.md. They tune one engine through its options, another
// with a referee in Python, and a C engine from its trace to a sequential test of the result. They
// also distil a model.
func TestPageTune(t *testing.T) {
	if !vectors.Long() {
		t.Skip("tunes engines and plays with them")
	}
	page := vectors.Must(os.ReadFile("tune.md"))
	var sources strings.Builder
	from := t.TempDir()
	for _, folder := range []string{"fit/testdata/engine", "tune/testdata"} {
		vectors.Check(os.CopyFS(from, os.DirFS(filepath.Join("..", "learn", filepath.FromSlash(folder)))))
	}
	t.Chdir(from)
	for _, name := range []string{"engine.c", "match.py"} {
		sources.Write(vectors.Must(os.ReadFile(name)))
	}
	for _, b := range blocks(page, "c|python") {
		if !strings.Contains(sources.String(), b[2]) {
			t.Errorf("neither engine.c nor match.py holds\n%s", b[2])
		}
	}
	said := map[string]string{ // expected output by the beginning of the command
		"plyfit tune options":          " wins",
		"plyfit tune play weights.csv": "careful.csv wins, ",
		"plyfit tune play --start":     " wins, ",
		"plyfit tune ladder":           "width 10 wins, ",
		"plyfit match connect4":        "uci:cmd=./new,depth=4 is better than uci:cmd=./old,depth=4",
		"plyfit fit judged":            "Held-out loss",
		"plyfit match chess":           "twelve.json",
	}
	needs := map[string]string{"cc ": "cc", "plyfit tune options": "toga2", "plyfit dataset relabel": "stockfish", "python3": "python3"}
	for _, b := range blocks(page, "sh") {
		for part, program := range needs {
			if _, err := exec.LookPath(program); err != nil && strings.Contains(b[2], part) {
				t.Skipf("no %s", program)
			}
		}
		for _, line := range strings.Split(strings.ReplaceAll(strings.TrimSpace(b[2]), " \\\n", " "), "\n") {
			args := words(line)
			if args[0] != "plyfit" {
				shell(t, "", line)
				continue
			}
			code, stdout, stderr := plyfit(args[1:]...)
			if code != 0 {
				t.Fatalf("%s: exit code %d: %s", line, code, stderr)
			}
			for command, want := range said {
				if strings.HasPrefix(line, command) {
					if !strings.Contains(stdout, want) {
						t.Errorf("%s says\n%swant %q", line, stdout, want)
					}
					delete(said, command)
				}
			}
		}
	}
	for command := range said {
		t.Errorf("the page has no %s", command)
	}
}

// TestPageConfirm runs the commands for the page's protocol in order, as a reader does, with a new
// repository and model.
func TestPageConfirm(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	page := vectors.Must(os.ReadFile("study.md"))
	_, rest, _ := strings.Cut(string(page), "```json\n")
	protocol, _, ok := strings.Cut(rest, "```\n")
	model, err := os.ReadFile(filepath.Join("..", "models", "learned", "connect4.json"))
	if err != nil || !ok {
		t.Fatal(err, "no protocol on the page")
	}
	t.Chdir(t.TempDir())
	for name, data := range map[string][]byte{"my.json": []byte(protocol), "mine.json": model, ".gitignore": []byte("runs/\n")} {
		vectors.Check(os.WriteFile(name, data, 0o666))
	}
	if code, _, stderr := plyfit("study", "confirm", "my.json"); code != 2 || !strings.Contains(stderr, "the date of the protocol is unknown") {
		t.Errorf("before it is committed: exit code %d, %s", code, stderr)
	}
	shell(t, "", "git init -q; git add -A; git -c user.name=n -c user.email=e commit -q -m protocol")
	var all []string
	for line := range strings.Lines(string(page)) {
		if args, ok := strings.CutPrefix(line, "    plyfit study confirm my.json"); ok {
			code, stdout, stderr := plyfit(append([]string{"study", "confirm", "my.json"}, strings.Fields(args)...)...)
			if code != 0 {
				t.Fatalf("%s: exit code %d: %s", line, code, stderr)
			}
			all = append(all, stdout)
		}
	}
	if len(all) != 2 || !strings.Contains(all[0], "A's fraction of the points") || !strings.Contains(all[1], `\toprule`) {
		t.Errorf("the page's commands print %q", all)
	}
}
