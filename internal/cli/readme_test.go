package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/catalog"
	"plyfit/internal/text"
	"plyfit/internal/vectors"
)

// TestReadmeCommands checks that the README shows at least ten commands, and that each command and
// its flags exist.
func TestReadmeCommands(t *testing.T) {
	if found := checkCommands(t, "../../README.md"); found < 10 {
		t.Errorf("%d commands in the README, want at least 10", found)
	}
}

// TestPagesCommands checks that every command and flag on a page below docs exists. The commands in
// docs/cluster.md belong to another module, whose tests read that page.
func TestPagesCommands(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../../docs", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" && filepath.Base(path) != "cluster.md" {
			found += checkCommands(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 90 {
		t.Errorf("%d commands below docs, want at least 90", found)
	}
}

// checkCommands parses the commands in a page's fenced blocks, indented blocks and tables, and
// returns their number. Three dots stand for omitted arguments.
func checkCommands(t *testing.T, page string) (found int) {
	t.Helper()
	text := vectors.Must(os.ReadFile(page))
	fenced := false
	for _, line := range strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		commands := inTable(line)
		if args, ok := commandOn(line, fenced); ok {
			commands = append(commands, args)
		}
		for _, args := range commands {
			found++
			parseCommand(t, page, args)
		}
	}
	return found
}

// inTable returns the arguments of the plyfit commands in a table row. Such commands reproduce the
// page's figures. A command with at most two words after plyfit is considered a name and ignored.
func inTable(line string) (args []string) {
	if !strings.HasPrefix(line, "|") {
		return nil
	}
	for i, code := range strings.Split(strings.ReplaceAll(line, `\|`, "|"), "`") {
		if words, ok := strings.CutPrefix(code, "plyfit "); ok && i%2 == 1 && len(strings.Fields(words)) > 2 {
			args = append(args, words)
		}
	}
	return args
}

// parseCommand checks that the command and its flags exist, and that it accepts the number of
// arguments.
func parseCommand(t *testing.T, where, line string) {
	t.Helper()
	a := &App{Catalog: catalog.All()}
	cmd, rest, err := a.root().Find(slices.DeleteFunc(Words(line), func(w string) bool { return w == "..." }))
	if err != nil {
		t.Errorf("%s: %s: %v", where, line, err)
		return
	}
	cmd.InitDefaultVersionFlag()
	if err := cmd.ParseFlags(rest); errors.Is(err, pflag.ErrHelp) {
		return
	} else if err != nil {
		t.Errorf("%s: %s: %v", where, line, err)
	}
	if err := cmd.ValidateRequiredFlags(); err != nil {
		t.Errorf("%s: %s: %v", where, line, err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Errorf("%s: %s: %v", where, line, err)
	}
}

// commandOn returns the arguments of a line that begins with plyfit, perhaps after a prompt. The
// line must be in a fenced block, or indented by four spaces outside of one. Comments and pipes at
// the end of the line are removed.
func commandOn(line string, fenced bool) (args string, ok bool) {
	line, _, _ = strings.Cut(line, "  #")
	line, _, _ = strings.Cut(line, " | ")
	prefixes := []string{"    plyfit "}
	if fenced {
		prefixes = []string{"plyfit ", "$ plyfit ", "go run ./cmd/plyfit "}
	}
	for _, prefix := range prefixes {
		if args, ok := strings.CutPrefix(line, prefix); ok {
			return args, true
		}
	}
	return "", false
}

// Words splits a command line at spaces outside single quotes.
func Words(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// TestReadmeGames checks that the manual's table of games matches the catalog.
func TestReadmeGames(t *testing.T) {
	text := vectors.Must(os.ReadFile("../../docs/README.md"))
	for _, row := range gameRows(catalog.All()) {
		if !strings.Contains(string(text), row) {
			t.Errorf("docs/README.md lacks the row\n%s", row)
		}
	}
}

// TestHelpExamples checks that every example in the help is a valid command, every command and flag
// is described, and every help text belongs to a command.
func TestHelpExamples(t *testing.T) {
	a := &App{Catalog: catalog.All()}
	examples, texts := 0, map[string]bool{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Short == "" {
			t.Errorf("%s: no description", cmd.CommandPath())
		}
		texts[helpFile(nameOf(cmd))] = true
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s: --%s has no description", cmd.CommandPath(), f.Name)
			}
		})
		for _, line := range strings.Split(cmd.Example, "\n") {
			if args, ok := strings.CutPrefix(strings.TrimSpace(line), "plyfit "); ok {
				args, _, _ = strings.Cut(args, " > ")
				parseCommand(t, cmd.CommandPath(), args)
				examples++
			}
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(a.root())
	for _, f := range vectors.Must(helpFiles.ReadDir("help")) {
		if !texts[f.Name()] {
			t.Errorf("help/%s is of no command", f.Name())
		}
	}
	if examples < 40 {
		t.Errorf("%d examples, want at least 40", examples)
	}
}

// gameRows returns the rows of the manual's table of games.
func gameRows(c catalog.Catalog) []string {
	var rows []string
	for i := range c {
		w, err := c.World(c[i].Name)
		if err != nil {
			panic("cli: " + err.Error())
		}
		var sets []string
		for _, s := range c[i].Sets(w.Base()) {
			n := 0
			for _, b := range s.Blocks() {
				n += b.Len
			}
			sets = append(sets, fmt.Sprintf("`%s` (%s)", s.Name(), text.Thousands(strconv.Itoa(n))))
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | [rules, notation, features](games/", c[i].Name, strings.Join(sets, ", ")))
	}
	return rows
}
