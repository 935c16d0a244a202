package docs_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestDiceTutorial walks the dice game of docs/tutorial in an empty folder: its commands work, in
// their order, and its code stands in the module that new-game makes.
func TestDiceTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module of its own")
	}
	page, err := os.ReadFile(tutorial("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ = bytes.Cut(page, []byte("## A dice game of your own\n"))
	source, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir, commands, code := t.TempDir(), 0, 0
	for _, b := range regexp.MustCompile("(?s)```(go|console)\n(.*?)```\n").FindAllStringSubmatch(string(page), -1) {
		if b[1] == "go" {
			code++
			written, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			var all bytes.Buffer
			for _, path := range written {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				all.Write(text)
			}
			if !strings.Contains(all.String(), b[2]) {
				t.Errorf("this code is not the module's:\n%s", b[2])
			}
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(b[2]), "\n") {
			line = strings.TrimPrefix(line, "$ ")
			commands++
			switch {
			case line == "cd race":
				dir = filepath.Join(dir, "race")
				continue
			case strings.HasSuffix(line, " serve"):
				line += " --listen 127.0.0.1:0"
			case strings.HasPrefix(line, "plyfit new-game"):
				line += " --plyfit " + source
			}
			walk(t, dir, line)
		}
	}
	if commands < 14 || code < 5 {
		t.Errorf("%d commands and %d pieces of code: the tutorial was not found", commands, code)
	}
}

// walk runs a line in a folder: play reads nothing, and a server is stopped once it
// says where it is.
func walk(t *testing.T, dir, line string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec "+line)
	cmd.Dir = dir
	if !strings.Contains(line, " serve ") {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 200)
	n, err := pipe.Read(said)
	if !strings.Contains(string(said[:n]), "http://") {
		t.Errorf("%s says %q, %v", line, said[:n], err)
	}
	stop()
	cmd.Wait()
}
