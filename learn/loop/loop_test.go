package loop

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/learn/fit"
	"plyfit/models"
)

// TestClaim checks that a run directory is accepted if it does not exist yet, if it contains the
// same run, or if the run was killed while writing its first file. A directory with other files,
// with an invalid configuration or with a run that has another seed must be rejected.
func TestClaim(t *testing.T) {
	w := vectors.Must(catalog.All().World("tictactoe"))
	c := Options{World: w, Recipe: w.Recipe(), Seed: 1}
	write := func(name string) string {
		dir := t.TempDir()
		vectors.Check(os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o644))
		return dir
	}
	for _, at := range []struct {
		dir string
		ok  bool
	}{
		{filepath.Join(t.TempDir(), "new"), true},
		{write(".config.json.123.tmp"), true},
		{write("notes.txt"), false},
		{write("config.json"), false},
	} {
		c.Dir = at.dir
		if err := c.checkSettings(); (err == nil) != at.ok {
			t.Errorf("%s: %v, want success: %v", at.dir, err, at.ok)
		}
		if !at.ok {
			continue
		}
		if err := c.checkSettings(); err != nil {
			t.Errorf("%s: not resumed: %v", at.dir, err)
		}
		other := c
		if other.Seed++; other.checkSettings() == nil {
			t.Errorf("%s: a run with another seed goes on in it", at.dir)
		}
	}
}

// TestChain checks that the first round fits outcomes of random games, and that each later round
// fits TD returns with an earlier model as its prior. Early rounds must have their own planner and
// fewer episodes. A recipe that improves a model must have no early rounds.
func TestChain(t *testing.T) {
	w := vectors.Must(catalog.All().World("tictactoe"))
	r := w.Recipe()
	r.Training, r.Trials = nil, nil
	r.Rounds, r.Episodes, r.EarlyRounds, r.EarlyEpisodes, r.Early, r.Planner = 3, 60, 2, 30, "alphabeta:depth=1", "alphabeta:depth=2"
	r.Returns, r.Penalty, r.Chain, r.Quiet = 0.8, 0.01, true, true
	r.Planners, r.Pairs, r.TwinPairs = []string{"alphabeta:depth=1"}, 4, 2
	dir := t.TempDir()
	c := Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: 1, Workers: 1, Dir: dir, Log: io.Discard, Quiet: true}
	o := vectors.Must(Run(context.Background(), c))
	for i, want := range []struct {
		agent, label string
		prior        bool
		episodes     int
	}{
		{r.First, "outcome", false, 30},
		{"alphabeta:depth=1,", "td:0.8", true, 30},
		{"alphabeta:depth=2,", "td:0.8", true, 60},
	} {
		if got := o.Rounds[i].Data.Episodes; int(got) != want.episodes {
			t.Errorf("round %d: %d episodes, want %d", i+1, got, want.episodes)
		}
		f := vectors.Must(models.Load(filepath.Join(dir, "round-"+string(rune('1'+i)), "model.json")))
		p := f.Provenance
		if !strings.HasPrefix(o.Rounds[i].Agent, strings.Split(want.agent, ",eval")[0]) {
			t.Errorf("round %d: played by %s, want %s", i+1, o.Rounds[i].Agent, want.agent)
		}
		if p.Label != want.label {
			t.Errorf("round %d: label %s, want %s", i+1, p.Label, want.label)
		}
		if got := p.Prior != "" && p.Prior != "none"; got != want.prior {
			t.Errorf("round %d: drawn to %q, want a model: %v", i+1, p.Prior, want.prior)
		}
	}
	r = vectors.Must(w.Improving(r, "handwritten"))
	if r.Rounds != 1 || r.EarlyRounds != 0 || r.Returns != 0.8 || r.Prior != "handwritten" {
		t.Errorf("improving: %+v, want the last round alone, drawn to the model", r)
	}
}

// TestLateSet checks that late rounds use the late feature set and the recipe's method. The prior,
// a model with fewer features, must be extended to the late set. The same must hold for a round
// that improves an evaluation.
func TestLateSet(t *testing.T) {
	w := vectors.Must(catalog.All().World("chess"))
	c := Options{Catalog: catalog.All(), World: w, Recipe: w.Recipe(), Seed: 1, Workers: 1}
	c.Recipe.EarlyRounds, c.Recipe.LateSet, c.Recipe.Method, c.Recipe.Steps = 2, "chess/wide", "lbfgs", 7
	check := func(k int, before, set string, method *fit.Method, steps int) {
		t.Helper()
		o := vectors.Must(c.fitOptions(k, before))
		if got, _ := w.Set(o.Set); got.Name() != set || o.Prior.Features != set || o.Method != method || o.Steps != steps {
			t.Errorf("round %d: by %v, %d steps, over %q, drawn to a model over %s: want %v, %d and %s", k, o.Method, o.Steps, o.Set, o.Prior.Features, method, steps, set)
		}
	}
	check(2, "chess/handwritten", "chess/classic", nil, 0)
	check(3, "chess/handwritten", "chess/wide", fit.LBFGS, 7)
	c.Recipe = vectors.Must(w.Improving(c.Recipe, "chess/material"))
	check(1, c.Recipe.Prior, "chess/wide", fit.LBFGS, 7)
}

// TestPaceLeft checks that each kind of work has its own speed, and that untimed work is not
// counted as taking no time.
func TestPaceLeft(t *testing.T) {
	var p pace
	p.work[kindTraining] = amount{left: 100, done: 50, took: 10 * time.Second}
	p.work[kindMatch] = amount{left: 3, done: 2, took: 8 * time.Second}
	if got, want := p.text(), "32s of the run remains"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.work[kindSelfPlay].left = 7
	if got, want := p.text(), "more than 32s of the run remains"; got != want {
		t.Errorf("with self-play to come: %q, want %q", got, want)
	}
	p = pace{}
	p.work[kindMatch].left = 3
	if got := p.text(); got != "" {
		t.Errorf("before anything was timed: %q", got)
	}
}

// TestPart checks that work reported as finished in the first call is neither timed nor counted as
// remaining, and that unneeded work of a part is not counted as remaining.
func TestPart(t *testing.T) {
	var out bytes.Buffer
	c := Options{Log: &out, Quiet: true, pace: &pace{}}
	w := &c.pace.work[kindMatch]
	w.left = 100
	part := c.startPart(kindMatch, "pairs", 40)
	part.set(10)
	if *w != (amount{left: 90}) {
		t.Errorf("after the first report: %+v, want 90 left and nothing timed", *w)
	}
	time.Sleep(time.Millisecond)
	part.set(15)
	if w.left != 85 || w.done != 5 || w.took < time.Millisecond {
		t.Errorf("after the second report: %+v, want 85 left, 5 done in more than 1 ms", *w)
	}
	if part.finish(); w.left != 60 {
		t.Errorf("a part of 40 of 100 is finished: %d left, want 60", w.left)
	}
}

var early = regexp.MustCompile(`(?m)^early, in tictactoe +learned against hand-written\nalphabeta:depth=1 +[0-9.]+%.*\nEarly model after [1-9]\d* of [1-9]\d* games: .*\n\n`)

// TestFinishedLines checks that a line is printed at the start of a run and at the end of every
// round, stage and trial, and that a run that is not resumed prints a table about an early model of
// its first training. At the end, also of a resumed run, no planned work may be left.
func TestFinishedLines(t *testing.T) {
	w := vectors.Must(catalog.All().World("tictactoe"))
	r := w.Recipe()
	r.Rounds, r.Episodes, r.Pairs, r.TwinPairs, r.Tests = 2, 20, 2, 1, 10
	r.Planners = []string{"alphabeta:depth=1"}
	training := []features.Training{{Method: "td", Episodes: 20, Lambda: 0.5, Starts: 2}, {Method: "td", Episodes: 10, Lambda: 0.5}}
	for _, run := range []struct {
		name     string
		training []features.Training
		trials   [][]features.Training
		want     string
	}{
		{"rounds", nil, nil,
			`^round 1 of 2: 20 games, [0-9].*% .* against handwritten; \d+s so far\nround 2 of 2: 20 games, [0-9].* against handwritten, [0-9].* against the best earlier model, (accepted|rejected); \d+s so far\n$`},
		{"training", training, nil,
			`^stage 1 of 2: 40 games, \d+ moves; \d+s so far\nstage 2 of 2: 10 games, \d+ moves; \d+s so far\n$`},
		{"tournament that training wins", nil, [][]features.Training{training[1:]},
			`^stage 1 of 1: .*\ntrial 1 of 1: td.*; \d+s so far\n$`},
		{"tournament", nil, [][]features.Training{nil, training[1:]},
			`^round 1 of 2: .*\nround 2 of 2: .*\ntrial 1 of 2: regression.*; \d+s so far\nstage 1 of 1: .*\ntrial 2 of 2: td.*, [0-9].* against the best earlier model, (accepted|rejected); \d+s so far\n$`},
	} {
		r.Training, r.Trials = run.training, run.trials
		dir := t.TempDir()
		for _, which := range []string{"first", "resumed"} {
			var out bytes.Buffer
			c := Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: 1, Workers: 1, Dir: dir, Log: &out}
			o := vectors.Must(Run(context.Background(), c))
			begin, lines, _ := strings.Cut(out.String(), "\n")
			tables := 0
			if which == "first" && strings.Contains(run.want, "stage") {
				tables = 1
			}
			if found := early.FindAllString(lines, -1); len(found) != tables {
				t.Errorf("%s, %s: %d tables of early models, want %d, in\n%s", run.name, which, len(found), tables, lines)
			}
			lines = early.ReplaceAllString(lines, "")
			if !regexp.MustCompile(`^learning tictactoe in \S+: .+, then [1-9]\d* pairs of games$`).MatchString(begin) || !regexp.MustCompile(run.want).MatchString(lines) {
				t.Errorf("%s, %s: printed\n%swant a match of\n%s", run.name, which, out.String(), run.want)
			}
			for k, work := range o.Options.pace.work {
				if work.left != 0 {
					t.Errorf("%s, %s: %d pieces of kind %d are left at the end", run.name, which, work.left, k)
				}
			}
		}
	}
}
