package docs_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rewrite puts what the commands print today into the pages.
var rewrite = flag.Bool("rewrite", false, "rewrite what the commands on the pages print")

// printing are the pages whose commands are shown with what they print, in the
// order in which their commands build on one another.
var printing = []string{"matches.md", "diagnose.md"}

// TestPagesPrint runs the commands of these pages in one folder and compares what
// they print.
func TestPagesPrint(t *testing.T) {
	docs, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	blocks := 0
	for _, name := range printing {
		page := filepath.Join(docs, name)
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		const fence = "```console\n"
		parts := strings.Split(string(text), fence)
		for i, part := range parts[1:] {
			block, rest, ok := strings.Cut(part, "```\n")
			if !ok {
				t.Fatalf("%s: block %d has no end", name, i+1)
			}
			got := printed(t, block)
			if got != block {
				t.Errorf("%s: it prints\n%s\non the page stands\n%s", name, got, block)
			}
			parts[i+1] = got + "```\n" + rest
			blocks++
		}
		if *rewrite {
			if err := os.WriteFile(page, []byte(strings.Join(parts, fence)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if blocks < 4 {
		t.Errorf("%d blocks of commands, want at least 4", blocks)
	}
}

// printed is a block of commands with what they print now.
func printed(t *testing.T, block string) string {
	t.Helper()
	var now strings.Builder
	for _, line := range strings.Split(block, "\n") {
		args, ok := strings.CutPrefix(line, "$ plyfit ")
		if !ok {
			continue // what it printed
		}
		code, stdout, stderr := plyfit(strings.Fields(args)...)
		if code == 2 {
			t.Errorf("%s: %s", line, stderr)
		}
		now.WriteString(line + "\n" + stdout + stderr)
	}
	return now.String()
}
