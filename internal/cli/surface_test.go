package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/internal/spec"
	"plyfit/internal/vectors"
	"plyfit/learn/train"
	"plyfit/study/ask"
)

// surface lists what the program currently accepts: commands, flags, methods, experiments, kinds of
// agents and their keys. Hidden flags and the commands completion and help are left out.
func surface() (lines []string) {
	root := (&App{Catalog: everything}).root()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			return
		}
		lines = append(lines, cmd.CommandPath())
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				lines = append(lines, cmd.CommandPath()+" --"+f.Name)
			}
		})
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
	for _, m := range fitMethods() {
		lines = append(lines, "plyfit fit --method "+m)
	}
	for _, m := range train.Names() {
		lines = append(lines, "plyfit train --method "+m)
	}
	for _, e := range ask.All() {
		lines = append(lines, "plyfit study "+e.Name)
	}
	for _, k := range everything.Kinds() {
		name, _, _ := strings.Cut(k.Name, "(")
		lines = append(lines, "agent "+name)
		for _, key := range k.Keys {
			lines = append(lines, "agent "+name+":"+key.Name)
		}
	}
	return lines
}

// TestSurface checks that testdata/surface.txt lists everything in surface. Other items, which
// earlier versions accepted, must cause a one-line error saying that they were removed; only
// endings and formats of files may lack it.
func TestSurface(t *testing.T) {
	text := vectors.Must(os.ReadFile("testdata/surface.txt"))
	recorded, present := strings.Split(strings.TrimSpace(string(text)), "\n"), surface()
	for _, line := range present {
		if !slices.Contains(recorded, line) {
			t.Errorf("testdata/surface.txt lacks the line %q", line)
		}
	}
	takeFiles := []string{"plyfit dataset export", "plyfit dataset import", "plyfit fit", "plyfit model export"}
	takeFormats := []string{"plyfit dataset import --format", "plyfit model export --format"}
	for _, line := range recorded {
		if slices.Contains(present, line) {
			continue
		}
		cut := strings.LastIndex(line, " ")
		path, last := line[:cut], line[cut+1:]
		ending := last[0] == '.' && slices.Contains(takeFiles, path)
		if err := cmp.Or(spec.Gone(line), spec.Gone(path)); err == nil {
			if !ending && !slices.Contains(takeFormats, path) {
				t.Errorf("%s: neither there nor in the table of internal/spec", line)
			}
			continue
		}
		args := strings.Fields(line)[1:]
		switch {
		case strings.HasPrefix(line, "agent "):
			spec := last
			if strings.Contains(spec, ":") {
				spec += "=1"
			}
			args = []string{"search", "tictactoe", "--agent", spec}
		case ending:
			args[len(args)-1] = "x" + last
		}
		code, out, log := Try("", args...)
		if code != exitBadInput || out != "" || strings.Count(log, "\n") != 1 || !strings.Contains(log, " was removed; ") {
			t.Errorf("%s: exit code %d, %q", line, code, log)
		}
	}
	if err := spec.Gone("plyfit", "learn"); err != nil || !slices.Contains(present, "plyfit learn") {
		t.Error(fmt.Errorf("learn is there: %w", err))
	}
}
