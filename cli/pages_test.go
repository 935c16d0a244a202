package cli_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rewrite puts what the commands print today into the pages.
var rewrite = flag.Bool("rewrite", false, "rewrite what the commands on the pages print")

// TestMatchesPage runs the commands on docs/matches.md, in its order and in one
// folder, and compares what they print.
func TestMatchesPage(t *testing.T) {
	page, err := filepath.Abs("../docs/matches.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const fence = "```console\n"
	parts := strings.Split(string(text), fence)
	for i, part := range parts[1:] {
		block, rest, ok := strings.Cut(part, "```\n")
		if !ok {
			t.Fatalf("block %d has no end", i+1)
		}
		var now strings.Builder
		for _, line := range strings.Split(block, "\n") {
			args, ok := strings.CutPrefix(line, "$ plyfit ")
			if !ok {
				continue // what it printed
			}
			code, stdout, stderr := run("", strings.Fields(args)...)
			if code == 2 {
				t.Errorf("%s: %s", line, stderr)
			}
			now.WriteString(line + "\n" + stdout + stderr)
		}
		if now.String() != block {
			t.Errorf("it prints\n%s\non the page stands\n%s", &now, block)
		}
		parts[i+1] = now.String() + "```\n" + rest
	}
	if len(parts) < 8 {
		t.Errorf("%d blocks of commands, want at least 7", len(parts)-1)
	}
	if *rewrite {
		if err := os.WriteFile(page, []byte(strings.Join(parts, fence)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
