package tune

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/arena/engine"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/internal/protocol/engines"
	"plyfit/internal/protocol/uci"
	"plyfit/internal/vectors"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
)

func world(t *testing.T, spec string) *catalog.World {
	t.Helper()
	return vectors.Must(catalog.All().WithKinds(engines.Kinds()...).World(spec))
}

// agentGames plays n games with one of plyfit's agents as the engine and returns their positions.
func agentGames(t *testing.T, w *catalog.World, agent string, n, workers int, dir string) string {
	t.Helper()
	a := vectors.Must(w.Agent(agent, catalog.AgentOptions{}))
	g := Games{Game: w.Game, Engine: a.Factory, Book: arena.Book{Plies: 6, Within: 0.4}, Games: n, Seed: 3, Workers: workers, Dir: dir}
	vectors.Must(g.Play(t.Context()))
	var out strings.Builder
	set := vectors.Must(datasets.Open(filepath.Join(dir, GamesName)))
	e := vectors.Must(w.Evaluation(""))
	vectors.Must(selfplay.WritePositions(t.Context(), &out, w.Game, e.New(), w.Game.Dialect(uci.Protocol).FEN, set.Records(), 0))
	return out.String()
}

// TestGames checks that a run with more games starts with the games that are already there.
func TestGames(t *testing.T) {
	w, dir := world(t, "connect4"), t.TempDir()
	few := agentGames(t, w, "alphabeta:depth=2", 6, 1, dir)
	many := agentGames(t, w, "alphabeta:depth=2", 40, 2, dir)
	if !strings.HasPrefix(many, few) || len(many) < 4*len(few) {
		t.Errorf("40 games do not go on from 6")
	}
}

// TestPositions checks that each row is a quiet position, that all rows of a game have the same
// result, and that no game contributes a position twice.
func TestPositions(t *testing.T) {
	w := world(t, "chess")
	rows := vectors.Must(csv.NewReader(strings.NewReader(agentGames(t, w, "alphabeta:depth=1", 4, 2, t.TempDir()))).ReadAll())
	if want := []string{"game", "ply", "fen", "result"}; !reflect.DeepEqual(rows[0], want) {
		t.Fatalf("header %q, want %q", rows[0], want)
	}
	e := vectors.Must(w.Evaluation(""))
	q := vectors.Must(search.NewQuiescence(w.Game, e.New()))
	had, result := map[string]bool{}, map[string]string{}
	for _, row := range rows[1:] {
		s := vectors.Must(w.Game.Parse(row[2]))
		at := row[0] + chess.Of(s).FEN()
		switch was, known := result[row[0]]; {
		case !q.Quiet(game.Base(s)):
			t.Errorf("%s is not quiet", row[2])
		case strings.Contains(row[2], "moves"):
			t.Errorf("%s is no FEN", row[2])
		case had[at]:
			t.Errorf("game %s has %s twice", row[0], row[2])
		case known && was != row[3] || row[3] != "0" && row[3] != "0.5" && row[3] != "1":
			t.Errorf("game %s: result %s, and %s before", row[0], row[3], was)
		}
		had[at], result[row[0]] = true, row[3]
	}
	if len(result) != 4 {
		t.Errorf("%d games, want 4", len(result))
	}
}

// ladder returns a ladder in a separate directory, using the engine in docs/tune.md.
func ladder(t *testing.T) *Ladder {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler")
	}
	source := vectors.Must(filepath.Abs(filepath.Join("..", "fit", "testdata", "engine")))
	t.Chdir(t.TempDir())
	run := func(line string) {
		t.Helper()
		if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	run("cp '" + source + "'/* . && cc -O2 -o old engine.c && ./old trace 20000 1 > trace.csv && ./old weights > start.csv")
	w := vectors.Must(models.ReadWeights("start.csv"))
	rows := vectors.Must(table.Open(t.Context(), "trace.csv", table.Layout{Unit: "0..1", Label: "label", Group: "game", Phase: "phase", PhaseMax: 42}))
	start := vectors.Must(fit.ColumnModel(rows, w))
	return &Ladder{
		Race:  Race{Pairs: 12, Test: &stats.SPRT{Low: 0, High: 50, Alpha: 0.05, Beta: 0.05, Scale: stats.Normalised}, Confirm: 150, Seed: 5, Dir: "ladder"},
		World: world(t, "connect4"), Table: rows, Fit: fit.Options{Start: start, Integers: true, Penalty: fit.Determined}, Widths: []float64{2, 60},
		Engine: engine.Maker{Spec: "uci:cmd=./new,depth=2", Build: "cp {} weights.h && cc -O2 -o new engine.c", File: "weights.h"}, Name: "eval",
		Book: arena.Book{Plies: 6, Within: 0.5}, Settings: map[string]string{"widths": "2,60"},
	}
}

// TestLadder checks that a wide prior wins against guessed weights, and that a different race in
// the same directory is rejected.
func TestLadder(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles engines and plays with them")
	}
	l := ladder(t)
	o := vectors.Must(l.Run(t.Context()))
	if o.Winner == nil || o.Winner.Width != 60 || !(o.Winner.HeldOut < o.Start) {
		t.Errorf("%s, want the width 60 to win with a lower loss", o.Sentence)
	}
	l.Settings = map[string]string{"widths": "3"}
	if _, err := l.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "contains a race with widths") {
		t.Errorf("error %v, want that the folder holds another race", err)
	}
}

// TestNoneWins checks that no candidate wins if the engine is the same for all widths, and that a
// build that ignores the weights is detected.
func TestNoneWins(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles engines and plays with them")
	}
	l := ladder(t)
	l.Engine.Build = ": {} && cc -O2 -o new engine.c"
	if _, err := l.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "same program for different weights") {
		t.Errorf("error %v, want that the build ignores the weights", err)
	}
	l.Dir, l.Engine = "same", engine.Maker{Spec: "uci:cmd=(./old {}),depth=2", File: "weights.h"} // the program ignores its arguments
	o := vectors.Must(l.Run(t.Context()))
	if o.Winner != nil || o.Confirmed != nil || !strings.HasPrefix(o.Sentence, "no winner") {
		t.Errorf("%s, want no winner", o.Sentence)
	}
	if _, err := os.Stat(filepath.Join("same", "width-2", "weights.h")); err != nil {
		t.Error(err)
	}
}
