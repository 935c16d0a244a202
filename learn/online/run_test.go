package online_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/learn/online/bootstrap"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/learn/online/td"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/policy"
)

func newTD(t testing.TB, c online.Task) *td.Learner {
	t.Helper()
	return vectors.Must(td.New(c))
}

// tictactoeRun returns the options for a short run in dir.
func tictactoeRun(t testing.TB, dir string, games int) online.Options {
	c := onlinetest.Task(t, "tictactoe", "tictactoe/lines")
	c.Epsilon, c.TC, c.Lambda, c.Episodes, c.Average = 0.1, true, 0.5, 200, 0.5
	g, set := c.Game, c.Set
	return online.Options{
		Learner: newTD(t, c), Game: g, Recipe: []online.RecipeItem{{"game", g.Spec}, {"seed", "1"}}, Episodes: games, Conduct: online.Conduct{Dir: dir, CheckpointEvery: time.Nanosecond, Curve: online.Curve{
			Every: 60, Pairs: 10, Openings: 2, Seed: 3,
			Against: search.Factory{Name: "random", New: func() (search.Agent, error) { return policy.NewRandom(), nil }},
			Player: func(m *models.Linear) (search.Factory, error) {
				return search.Factory{Name: "learned", New: func() (search.Agent, error) {
					return search.NewGreedy(search.Options{Game: g, Eval: features.NewReference(g, set, m)})
				}}, nil
			},
		}},
	}
}

// timeless returns a report as text, without its times and without the number of resumed episodes.
func timeless(t testing.TB, r *online.Report) string {
	t.Helper()
	c := *r
	c.Seconds, c.Rate, c.Resumed = 0, 0, 0
	c.Points = append([]online.Point(nil), c.Points...)
	for i := range c.Points {
		c.Points[i].Seconds = 0
	}
	text := vectors.Must(json.Marshal(c))
	return string(text)
}

// TestInterrupted checks that a run that is stopped repeatedly can be resumed. It must end with the
// same report and weights as an uninterrupted run, and its log must contain each point once.
func TestInterrupted(t *testing.T) {
	whole := tictactoeRun(t, t.TempDir(), 200)
	want := vectors.Must(online.Run(context.Background(), whole))
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
		got, err := online.Run(ctx, c)
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
	log := vectors.Must(os.ReadFile(filepath.Join(dir, online.LogFile)))
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
	if page, err := os.ReadFile(filepath.Join(dir, online.PageFile)); err != nil || !bytes.Contains(page, []byte("<svg")) {
		t.Errorf("no figure in the report (%v)", err)
	}
}

// TestCheckpoint checks that a checkpoint is rejected with an explanation if it is damaged or
// incomplete, or has a different recipe or different features. An intact one must be resumed.
func TestCheckpoint(t *testing.T) {
	dir := t.TempDir()
	vectors.Must(online.Run(context.Background(), tictactoeRun(t, dir, 20)))
	path := filepath.Join(dir, online.CheckpointFile)
	whole := vectors.Must(os.ReadFile(path))
	refused := func(want string, change func(c *online.Options)) {
		t.Helper()
		c := tictactoeRun(t, dir, 20)
		if change != nil {
			change(&c)
		}
		_, err := online.Run(context.Background(), c)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with the path and %q", err, want)
		}
	}
	for _, at := range []int{0, 20, len(whole) / 2, len(whole) - 1} {
		broken := bytes.Clone(whole)
		broken[at] ^= 1
		vectors.Check(os.WriteFile(path, broken, 0o644))
		refused("checksum", nil)
	}
	for _, n := range []int{0, 10, len(whole) - 1} {
		vectors.Check(os.WriteFile(path, whole[:n], 0o644))
		refused("checkpoint", nil)
	}
	vectors.Check(os.WriteFile(path, whole, 0o644))
	refused("seed 1, not 2", func(c *online.Options) { c.Recipe[1].Value = "2" })
	refused("epsilon (none), not .1", func(c *online.Options) { c.Recipe = append(c.Recipe, online.RecipeItem{"epsilon", ".1"}) })
	refused("list", func(c *online.Options) { c.Learner = newTD(t, onlinetest.Task(t, "connect4", "connect4/lines")) })

	r, err := online.Run(context.Background(), tictactoeRun(t, dir, 20))
	if err != nil || r.Resumed != 20 {
		t.Errorf("a finished run: %v, %v", r, err)
	}
	if r, err = online.Run(context.Background(), tictactoeRun(t, dir, 30)); err != nil || r.Resumed != 20 || r.Episodes != 30 {
		t.Errorf("more games: %v, %v", r, err)
	}
}

// TestForeignFolder checks that a run does not modify a folder with other contents. The folder of a
// run that was killed before its first checkpoint must be accepted.
func TestForeignFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		vectors.Check(os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644))
	}
	write(online.LogFile)
	if _, err := online.Run(context.Background(), tictactoeRun(t, dir, 20)); err != nil {
		t.Errorf("a folder with a log alone: %v", err)
	}
	vectors.Check(os.Remove(filepath.Join(dir, online.CheckpointFile)))
	write("shard-00000.parquet")
	before := vectors.Must(os.ReadFile(filepath.Join(dir, online.LogFile)))
	_, err := online.Run(context.Background(), tictactoeRun(t, dir, 20))
	if err == nil || !strings.Contains(err.Error(), "contains shard-00000.parquet but no checkpoint") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line that names the shard", err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, online.LogFile)); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the log was written to (%v)", err)
	}
}

// TestMiddle checks the model in the middle of a run. It must have the same weights as a run with
// half as many games, and the run must end with the same weights as an uninterrupted run. If a run
// is killed while the middle model is being stored, Middle must be called again. If the run is
// resumed later, Middle must not be called.
func TestMiddle(t *testing.T) {
	const games = 175 // an odd number, so that half of it is rounded
	half, whole := plainRun(t, games/2), plainRun(t, games)
	for _, c := range []online.Options{half, whole} {
		vectors.Must(online.Run(context.Background(), c))
	}
	want := half.Learner.Model()
	dir, calls, killed := t.TempDir(), 0, errors.New("killed")
	for _, fails := range []error{killed, nil, nil} {
		c := plainRun(t, games)
		c.Dir = dir
		c.Middle = func(m *models.Linear) error {
			calls++
			if !slices.Equal(m.Weights, want.Weights) || m.Bias != want.Bias {
				t.Errorf("the middle is not what %d games learn", games/2)
			}
			return fails
		}
		if _, err := online.Run(context.Background(), c); !errors.Is(err, fails) {
			t.Fatal(err)
		}
		if fails == nil && !bytes.Equal(onlinetest.Snapshot(t, c.Learner), onlinetest.Snapshot(t, whole.Learner)) {
			t.Error("other weights at the end")
		}
	}
	if calls != 2 {
		t.Errorf("told the middle %d times, want twice: in the first run, and where the second goes on", calls)
	}
}

// plainRun returns the options for a run in a separate folder, without averages.
func plainRun(t *testing.T, games int) online.Options {
	c := onlinetest.Task(t, "tictactoe", "tictactoe/lines")
	c.Epsilon, c.Lambda = 0.1, 0.5
	return online.Options{Learner: newTD(t, c), Game: c.Game, Recipe: []online.RecipeItem{{"game", c.Game.Spec}}, Episodes: games, Conduct: online.Conduct{Dir: t.TempDir()}}
}

// patterns returns learners whose weights, except for the bias, are in a table. They have no link,
// and diverge if alpha is large.
func patterns(t *testing.T, alpha float64) map[string]online.Learner {
	task := func(settings features.Training) online.Task {
		g, set := onlinetest.Set(t, "othello", "othello/patterns")
		return online.Task{Training: settings, Game: g, Set: set, Model: models.New(g.Name, set.Name(), set.Blocks()), Seed: 1}
	}
	differences := vectors.Must(td.New(task(features.Training{Alpha: alpha, Openings: 4, Batch: 1})))
	c := task(features.Training{Method: bootstrap.RootStrap, TC: true, Alpha: alpha, Openings: 4, Batch: 16})
	c.Planner = func(eval search.Evaluator, o search.Observer) (func() (search.Agent, error), error) {
		return func() (search.Agent, error) {
			return search.NewAlphaBeta(search.Options{Game: c.Game, Eval: eval, Depth: 1, Observer: o})
		}, nil
	}
	searching := vectors.Must(bootstrap.New(c))
	return map[string]online.Learner{"td": differences, "rootstrap": searching}
}

// TestDivergingTable checks that diverging table weights cause a DivergedError and no checkpoint.
func TestDivergingTable(t *testing.T) {
	for name, l := range patterns(t, 1e30) {
		dir := t.TempDir()
		g, _ := onlinetest.Set(t, "othello", "othello/patterns")
		_, err := online.Run(context.Background(), online.Options{Learner: l, Game: g, Episodes: 60, Conduct: online.Conduct{Dir: dir}})
		var diverged *online.DivergedError
		if !errors.As(err, &diverged) || diverged.Alpha != 1e30 {
			t.Errorf("%s: %v, want that learning diverges with alpha 1e30", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, online.CheckpointFile)); !os.IsNotExist(err) {
			t.Errorf("%s: a checkpoint of weights that are no numbers: %v", name, err)
		}
	}
}

// TestUnreadWeight checks that an infinite weight in a table is detected before it is written, even
// if no position has read it.
func TestUnreadWeight(t *testing.T) {
	for name, l := range patterns(t, 0.01) {
		onlinetest.Advance(t, l, 0, 2)
		if err := online.WriteSnapshot(io.Discard, l); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		table := l.Model().Table
		table[len(table)-1] = float32(math.Inf(1))
		var diverged *online.DivergedError
		if err := online.WriteSnapshot(io.Discard, l); !errors.As(err, &diverged) || diverged.What == "" {
			t.Errorf("%s: %v, want that learning diverges", name, err)
		}
	}
}

// FuzzCheckpoint checks that a checkpoint without its checksum is rejected. With a corrected
// checksum it may be accepted or rejected, but must not cause a panic.
func FuzzCheckpoint(f *testing.F) {
	dir := f.TempDir()
	c := tictactoeRun(f, dir, 20)
	vectors.Must(online.Run(context.Background(), c))
	path := filepath.Join(dir, online.CheckpointFile)
	whole := vectors.Must(os.ReadFile(path))
	body := whole[:len(whole)-crc32.Size]
	magic := string(body[:bytes.IndexByte(body, '\n')+1])
	f.Add(body)
	f.Add(body[:len(body)/2])
	f.Add(body[:len(magic)+8])
	f.Add([]byte(magic + "\xff\xff\xff\xff\xff\xff\xff\xff{}"))
	f.Add([]byte(magic + "\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, sealed := range []bool{false, true} {
			text := body
			if sealed {
				text = binary.BigEndian.AppendUint32(bytes.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
			}
			vectors.Check(os.WriteFile(path, text, 0o644))
			_, err := online.Run(context.Background(), tictactoeRun(t, dir, 20))
			if err == nil && !sealed {
				t.Error("a checkpoint without its checksum was taken")
			}
		}
	})
}
