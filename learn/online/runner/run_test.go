package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/learn/online/td"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/policy"
)

// linesOf are options of temporal differences over a model of zeros.
func linesOf(t testing.TB, world, set string) online.Task {
	g, s := onlinetest.Set(t, world, set)
	m := models.New(g.Name, s.Name(), s.Blocks())
	m.Link = models.Link{Kind: models.Tanh, Scale: 1}
	return online.Task{Training: features.Training{Alpha: 0.1, Batch: 1}, Game: g, Set: s, Model: m, Seed: 1}
}

func newTD(t testing.TB, c online.Task) *td.Learner {
	t.Helper()
	l, err := td.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// tictactoeRun is a short run in dir.
func tictactoeRun(t testing.TB, dir string, games int) Options {
	c := linesOf(t, "tictactoe", "tictactoe/lines")
	c.Epsilon, c.TC, c.Lambda, c.Episodes, c.Average = 0.1, true, 0.5, 200, 0.5
	g, set := c.Game, c.Set
	return Options{
		Learner: newTD(t, c), Game: g, Recipe: []RecipeItem{{"game", g.Spec}, {"seed", "1"}}, Episodes: games, Dir: dir, CheckpointEvery: time.Nanosecond,
		Curve: Curve{
			Every: 60, Pairs: 10, Openings: 2, Seed: 3,
			Against: search.Factory{Name: "random", New: func() (search.Agent, error) { return policy.NewRandom(), nil }},
			Player: func(m *models.Linear) (search.Factory, error) {
				return search.Factory{Name: "learned", New: func() (search.Agent, error) {
					return search.NewGreedy(search.Options{Game: g, Eval: features.NewReference(g, set, m)})
				}}, nil
			},
		},
	}
}

// timeless is a report without the times in it.
func timeless(t testing.TB, r *Report) string {
	t.Helper()
	c := *r
	c.Seconds, c.Rate, c.Resumed = 0, 0, 0
	c.Points = append([]Point(nil), c.Points...)
	for i := range c.Points {
		c.Points[i].Seconds = 0
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInterrupted: a run that is stopped wherever its context ends goes on to
// the report and the weights of one that nobody disturbed, and its log holds
// each point once.
func TestInterrupted(t *testing.T) {
	whole := tictactoeRun(t, t.TempDir(), 200)
	want, err := Run(context.Background(), whole)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	stops := 0
	for try := 0; ; try++ {
		c := tictactoeRun(t, dir, 200)
		ctx, stop := context.WithCancel(context.Background())
		c.Progress = func(n int) {
			if n >= 13*(try+1) {
				stop()
			}
		}
		got, err := Run(ctx, c)
		stop()
		if errors.Is(err, context.Canceled) && try < 50 {
			stops++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if a, b := timeless(t, got), timeless(t, want); a != b {
			t.Errorf("stopped %d times, the report is\n%s\nundisturbed\n%s", stops, a, b)
		}
		if !bytes.Equal(onlinetest.Snapshot(t, c.Learner), onlinetest.Snapshot(t, whole.Learner)) {
			t.Error("other weights")
		}
		break
	}
	if stops < 3 {
		t.Errorf("stopped %d times", stops)
	}
	log, err := os.ReadFile(filepath.Join(dir, LogFile))
	if err != nil {
		t.Fatal(err)
	}
	points := map[int]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(log)), "\n") {
		var l struct {
			Event    string
			Games    int
			Episodes int
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if l.Event == "begin" && l.Games != 200 {
			t.Errorf("the log says that %d games are to be learned from, want 200", l.Games)
		}
		if l.Event == "point" {
			points[l.Episodes]++
		}
	}
	for _, n := range []int{0, 60, 120, 180, 200} {
		if points[n] != 1 {
			t.Errorf("%d points at %d games in the log, want 1", points[n], n)
		}
	}
	if page, err := os.ReadFile(filepath.Join(dir, PageFile)); err != nil || !bytes.Contains(page, []byte("<svg")) {
		t.Errorf("no figure in the report (%v)", err)
	}
}

// TestCheckpoint: what is not whole, of another recipe, or of other features is
// refused in words.
func TestCheckpoint(t *testing.T) {
	dir := t.TempDir()
	if _, err := Run(context.Background(), tictactoeRun(t, dir, 20)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, CheckpointFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(want string, change func(c *Options)) {
		t.Helper()
		c := tictactoeRun(t, dir, 20)
		if change != nil {
			change(&c)
		}
		_, err := Run(context.Background(), c)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with the path and %q", err, want)
		}
	}
	for _, at := range []int{0, 20, len(whole) / 2, len(whole) - 1} {
		broken := bytes.Clone(whole)
		broken[at] ^= 1
		if err := os.WriteFile(path, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		refused("SHA-256", nil)
	}
	for _, n := range []int{0, 10, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		refused("checkpoint", nil)
	}
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	refused("seed 1, not 2", func(c *Options) { c.Recipe[1].Value = "2" })
	refused("epsilon (none), not .1", func(c *Options) { c.Recipe = append(c.Recipe, RecipeItem{"epsilon", ".1"}) })
	refused("list", func(c *Options) { c.Learner = newTD(t, linesOf(t, "connect4", "connect4/lines")) })

	r, err := Run(context.Background(), tictactoeRun(t, dir, 20))
	if err != nil || r.Resumed != 20 {
		t.Errorf("a finished run: %v, %v", r, err)
	}
	if r, err = Run(context.Background(), tictactoeRun(t, dir, 30)); err != nil || r.Resumed != 20 || r.Episodes != 30 {
		t.Errorf("more games: %v, %v", r, err)
	}
}

// TestRefuses: what a run cannot be is said in words.
func TestRefuses(t *testing.T) {
	for want, bad := range map[string]Options{
		"games=0":            {Episodes: 0},
		"want a multiple of": {Episodes: 1, Chunk: 4, Curve: Curve{Every: 6}},
		"curve-every=-1":     {Episodes: 1, Curve: Curve{Every: -1}},
	} {
		c := linesOf(t, "tictactoe", "tictactoe/lines")
		bad.Learner, bad.Game, bad.Dir = newTD(t, c), c.Game, t.TempDir()
		if _, err := Run(context.Background(), bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestForeignFolder: a folder that holds something else is left alone; one of a run
// that was killed before its first checkpoint is not something else.
func TestForeignFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(LogFile)
	if _, err := Run(context.Background(), tictactoeRun(t, dir, 20)); err != nil {
		t.Errorf("a folder with a log alone: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, CheckpointFile)); err != nil {
		t.Fatal(err)
	}
	write("shard-00000.parquet")
	before, err := os.ReadFile(filepath.Join(dir, LogFile))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), tictactoeRun(t, dir, 20))
	if err == nil || !strings.Contains(err.Error(), "holds shard-00000.parquet, but no checkpoint") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line that names the shard", err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, LogFile)); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the log was written to (%v)", err)
	}
}
