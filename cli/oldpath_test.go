package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
)

// TestOldLayoutPath: a data set that names a maze by its path, as they did until
// November 2026, and ghosts whose model is not there, end what needs them with one
// line that says what is missing, and exit code 2.
func TestOldLayoutPath(t *testing.T) {
	t.Chdir(t.TempDir())
	maze := "%%%%%%%\n%P...G%\n%%%%%%%\n"
	if err := os.WriteFile("maze.lay", []byte(maze), 0o644); err != nil {
		t.Fatal(err)
	}
	plyfit := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		code := Run(context.Background(), catalog.All(), args, strings.NewReader(""), &stdout, &stderr)
		return code, stderr.String()
	}
	if code, said := plyfit("selfplay", "pacman:layout=(./maze.lay)", "-o", "data", "--games", "3", "--agent", "random", "--quiet"); code != 0 {
		t.Fatal(said)
	}
	path := filepath.Join("data", "dataset.json")
	manifest, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.ReplaceAll(strings.TrimSpace(strings.Replace(maze, "G", "1", 1)), "\n", "/")
	if !bytes.Contains(manifest, []byte(rows)) {
		t.Fatalf("%s does not hold %s", manifest, rows)
	}
	name := func(layout string) {
		if err := os.WriteFile(path, bytes.ReplaceAll(manifest, []byte(rows), []byte(layout)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const gone = "data: recorded by the path of a file that is not there: game pacman: layout gone/maze.lay: file does not exist: want one of "
	for _, c := range []struct {
		layout, args, want string
	}{
		{"gone/maze.lay", "fit data -o m.json", gone},
		{"gone/maze.lay", "dataset export data -o t.csv", gone},
		{"gone/maze.lay", "dataset relabel data -o new --agent greedy", "data: game pacman: layout gone/maze.lay: file does not exist: want one of "},
		{"gone/maze.lay", "selfplay pacman:layout=(./maze.lay) -o data --games 4", "data: holds another data set, whose game is pacman:layout=gone/maze.lay, not pacman:layout=" + rows},
		{"./maze.lay", "fit data -o m.json", "data: records of pacman:layout=./maze.lay: want pacman:layout=" + rows},
		{rows, "moves pacman:layout=gone/maze.lay", "game pacman: layout gone/maze.lay: file does not exist: want one of "},
		{rows, "match pacman:ghost=(greedy:eval=gone.json) greedy random", "game pacman: ghost=greedy:eval=gone.json: want random, directional, or an agent: eval=gone.json: no such file: want "},
		{rows, "search pacman --agent expectimax:depth=1,assume=(greedy:eval=gone.json)", "eval=gone.json: no such file: want "},
		{rows, "moves pacman:ghost=(greedy:eval=0123456789ab)", "eval=0123456789ab: a model of pacman by its digest, which is not among the shipped ones: want the path of its file"},
	} {
		name(c.layout)
		code, said := plyfit(strings.Fields(c.args)...)
		if code != exitBadInput || strings.Count(said, "\n") != 1 || !strings.Contains(said, c.want) {
			t.Errorf("plyfit %s, recorded for %s: exit code %d, %q, want %q", c.args, c.layout, code, said, c.want)
		}
	}
}
