package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
)

// TestReadmeCommands: every command that the README shows exists with the flags
// that it shows there.
func TestReadmeCommands(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for _, line := range strings.Split(block[1], "\n") {
			line, _, _ = strings.Cut(line, "  #")
			args, ok := strings.CutPrefix(line, "plyfit ")
			if !ok {
				if args, ok = strings.CutPrefix(line, "go run ./cmd/plyfit "); !ok {
					continue
				}
			}
			found++
			a := &app{catalog: catalog.All()}
			cmd, rest, err := a.root().Find(words(args))
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if err := cmd.ValidateRequiredFlags(); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d commands in the README, want at least 10", found)
	}
}

// words splits a command line at blanks outside of single quotes.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// TestReadmeGames: the table of games is the catalog.
func TestReadmeGames(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range gameRows(catalog.All()) {
		if !strings.Contains(string(text), row) {
			t.Errorf("README.md lacks the row\n%s", row)
		}
	}
}
