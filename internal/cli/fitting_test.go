package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// TestPagesFit runs the commands of docs/fitting.md in order, on small files with the names that
// the page uses.
func TestPagesFit(t *testing.T) {
	if testing.Short() {
		t.Skip("fits and plays for seconds")
	}
	pages := vectors.Must(os.ReadFile(filepath.Join("..", "..", "docs", "fitting.md")))
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		vectors.Check(os.WriteFile(name, []byte(text), 0o644))
	}
	zipped := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return b.String()
	}

	// Games played by a player that searches one move deep are written as an EPD file.
	Must(t, "selfplay", "chess", "-o", "played", "--games", "40", "--agent", "alphabeta:depth=1,ties=random", "--quiet")
	var epd strings.Builder
	for k, line := range strings.Split(strings.TrimSpace(Must(t, "dataset", "head", "played", "-n", "4000", "--json")), "\n") {
		var r recordLine
		vectors.Check(json.Unmarshal([]byte(line), &r))
		if fen, _, _ := strings.Cut(r.Position, " moves"); k%4 == 0 && !r.Truncated {
			fmt.Fprintf(&epd, "%s; [%v] g%d\n", fen, (r.Outcome[0]+1)/2, r.Episode)
		}
	}
	write("quiet.epd.gz", zipped(epd.String()))
	write("games.pgn", `[Event "one"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "two"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "three"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 1/2-1/2

[Event "four"]
[Result "1-0"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0

[Event "five"]
[Result "0-1"]

1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 0-1
`)
	write("positions.csv", "position,outcome,game\n4453,1,a\n44,1,a\n1,-1,b\n12,-1,b\n")
	write("samples.csv.gz", zipped("corners,centre,label\n1,1,0.5\n-1,0,-0.5\n0,1,0\n2,0,1\n1,-1,1\n-2,0,0.5\n0,-1,-1\n1,0,-1\n2,1,0.5\n-1,0,0\n"))

	n := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(pages), -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			args, ok := strings.CutPrefix(line, "plyfit ")
			if !ok {
				t.Errorf("%q: want a command of plyfit", line)
				continue
			}
			start := time.Now()
			Must(t, Words(args)...)
			t.Logf("%.1f s  %s", time.Since(start).Seconds(), line)
			n++
		}
	}
	if n < 20 {
		t.Errorf("%d commands, want at least 20", n)
	}
}

// TestOldLayoutPath runs commands with the path of a missing maze, as in data sets written before
// November 2026, of an existing maze or of a missing model, or with an unknown digest. Each must
// lead to exit code 2 and one line with the expected text.
func TestOldLayoutPath(t *testing.T) {
	t.Chdir(t.TempDir())
	maze := "%%%%%%%\n%P...G%\n%%%%%%%\n"
	vectors.Check(os.WriteFile("maze.lay", []byte(maze), 0o644))
	Must(t, "selfplay", "pacman:layout=(./maze.lay)", "-o", "data", "--games", "3", "--agent", "random", "--quiet")
	path := filepath.Join("data", "dataset.json")
	manifest := vectors.Must(os.ReadFile(path))
	rows := strings.ReplaceAll(strings.TrimSpace(strings.Replace(maze, "G", "1", 1)), "\n", "/")
	if !bytes.Contains(manifest, []byte(rows)) {
		t.Fatalf("%s does not hold %s", manifest, rows)
	}
	manifest = regexp.MustCompile(`,\s*"seal": "[^"]*"`).ReplaceAll(manifest, nil) // older data sets have no seal
	name := func(layout string) {
		vectors.Check(os.WriteFile(path, bytes.ReplaceAll(manifest, []byte(rows), []byte(layout)), 0o644))
	}
	const gone = "data: the recorded path is that of a file that does not exist: game pacman: layout gone/maze.lay: file does not exist: want one of "
	for _, c := range []struct {
		layout, args, want string
	}{
		{"gone/maze.lay", "fit data -o m.json", gone},
		{"gone/maze.lay", "dataset export data -o t.csv", gone},
		{"gone/maze.lay", "dataset relabel data -o new --agent greedy", "data: game pacman: layout gone/maze.lay: file does not exist: want one of "},
		{"gone/maze.lay", "selfplay pacman:layout=(./maze.lay) -o data --games 4", "data: contains a different data set: game is pacman:layout=gone/maze.lay, not pacman:layout=" + rows},
		{"./maze.lay", "fit data -o m.json", "data: the data set is for pacman:layout=./maze.lay; want a data set for pacman:layout=" + rows},
		{rows, "moves pacman:layout=gone/maze.lay", "game pacman: layout gone/maze.lay: file does not exist: want one of "},
		{rows, "match pacman:ghost=(greedy:eval=gone.json) greedy random", "game pacman: ghost=greedy:eval=gone.json: want random, directional, or an agent: eval=gone.json: no such file: want "},
		{rows, "search pacman --agent expectimax:depth=1,assume=(greedy:eval=gone.json)", "eval=gone.json: no such file: want "},
		{rows, "moves pacman:ghost=(greedy:eval=0123456789ab)", "eval=0123456789ab: a model of pacman with this digest is not available; use the path of its file"},
	} {
		name(c.layout)
		code, _, said := Try("", strings.Fields(c.args)...)
		if code != exitBadInput || strings.Count(said, "\n") != 1 || !strings.Contains(said, c.want) {
			t.Errorf("plyfit %s, recorded for %s: exit code %d, %q, want %q", c.args, c.layout, code, said, c.want)
		}
	}
}
