package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

func source(t *testing.T) string {
	t.Helper()
	return vectors.Must(filepath.Abs(filepath.Join("..", "..")))
}

// TestModuleStands checks that the module is formatted and that the commands in its README work in
// order, with and without chance. Without PLYFIT_LONG, the test learns from fewer games and does
// not run the commands of the dice game. The learned models must have tables.
func TestModuleStands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds modules of their own")
	}
	for _, g := range []newGame{{Name: "dice", Chance: true}, {Name: "steps"}} {
		t.Run(g.Name, func(t *testing.T) {
			g.Source = source(t)
			dir := filepath.Join(t.TempDir(), g.Name)
			vectors.Check(g.Write(dir))
			run := func(line string) string {
				t.Helper()
				cmd := exec.Command("sh", "-c", line)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
				return string(out)
			}
			if out := run("gofmt -l ."); out != "" {
				t.Errorf("gofmt would change %s", out)
			}
			if g.Chance && !vectors.Long() {
				return // with PLYFIT_LONG, this test and the test of docs/tutorial/README.md build and play such modules
			}
			for line := range strings.Lines(string(vectors.Must(os.ReadFile(filepath.Join(dir, "README.md"))))) {
				line, command := strings.CutPrefix(line, "    ")
				if !vectors.Long() {
					line = strings.NewReplacer("go test", "go test -short", "-o run\n", "-o run --features tuples/terms --games 50 --pairs 2", "handwritten\n", "handwritten --pairs 2\n").Replace(line)
				}
				if command {
					run(line)
				}
			}
			vectors.Must(os.Stat(filepath.Join(dir, "learned", g.Name+".weights")))
		})
	}
}

// TestWriteWholeOrNothing checks that a failing Write creates nothing in the folder that contains
// the existing one, and that Write accepts an empty folder.
func TestWriteWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	vectors.Check(os.Mkdir(mine, 0o755))
	vectors.Check(os.WriteFile(filepath.Join(mine, "notes"), []byte("x"), 0o644))
	g := newGame{Name: "dice", Source: source(t)}
	if err := g.Write(mine); err == nil || !strings.Contains(err.Error(), "already contains notes") {
		t.Errorf("a folder with something in it: %v", err)
	}
	nowhere := newGame{Name: "dice", Source: filepath.Join(dir, "no such folder")}
	if err := nowhere.Write(filepath.Join(dir, "dice")); err == nil {
		t.Error("no source, and no error")
	}
	if err := g.Write(filepath.Join(mine, "notes", "dice")); err == nil {
		t.Error("a folder below a file, and no error")
	}
	if got := names(t, dir); !slices.Equal(got, []string{"mine"}) {
		t.Errorf("left behind: %v", got)
	}
	vectors.Check(os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	if err := g.Write(filepath.Join(dir, "empty")); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	if got := names(t, filepath.Join(dir, "empty")); !slices.Contains(got, "go.mod") || !slices.Contains(got, "rules") {
		t.Errorf("written: %v", got)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries := vectors.Must(os.ReadDir(dir))
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
