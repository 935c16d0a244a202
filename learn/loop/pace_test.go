package loop

import (
	"bytes"
	"context"
	"regexp"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/features"
)

// TestPaceLeft: each kind of work has its own speed, and what was never timed is not
// taken for nothing.
func TestPaceLeft(t *testing.T) {
	var p pace
	p.work[kindTraining] = amount{left: 100, done: 50, took: 10 * time.Second}
	p.work[kindMatch] = amount{left: 3, done: 2, took: 8 * time.Second}
	if got, want := p.text(), "32s of the run left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.work[kindSelfPlay].left = 7
	if got, want := p.text(), "more than 32s of the run left"; got != want {
		t.Errorf("with self-play to come: %q, want %q", got, want)
	}
	p = pace{}
	p.work[kindMatch].left = 3
	if got := p.text(); got != "" {
		t.Errorf("before anything was timed: %q", got)
	}
}

// TestPart: what the first report finds done is neither left nor timed, and what a part
// did not need is not left.
func TestPart(t *testing.T) {
	var out bytes.Buffer
	c := Options{Log: &out, Quiet: true, pace: &pace{}}
	w := &c.pace.work[kindMatch]
	w.left = 100
	part := c.begin(kindMatch, "pairs", 40)
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

// TestFinishedLines: every round, stage and trial ends with a line, and the plan of the
// run holds neither more nor less than what it does, also when it is resumed.
func TestFinishedLines(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
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
			`^round 1 of 2: 20 games, [0-9].*% .* against handwritten; \d+s so far\nround 2 of 2: 20 games, [0-9].* against handwritten, [0-9].* against the best before, (goes on|dropped); \d+s so far\n$`},
		{"training", training, nil,
			`^stage 1 of 2: 40 games, \d+ moves; \d+s so far\nstage 2 of 2: 10 games, \d+ moves; \d+s so far\n$`},
		{"tournament that training wins", nil, [][]features.Training{training[1:]},
			`^stage 1 of 1: .*\ntrial 1 of 1: td.*; \d+s so far\n$`},
		{"tournament", nil, [][]features.Training{nil, training[1:]},
			`^round 1 of 2: .*\nround 2 of 2: .*\ntrial 1 of 2: regression.*; \d+s so far\nstage 1 of 1: .*\ntrial 2 of 2: td.*, [0-9].* against the best before, (goes on|dropped); \d+s so far\n$`},
	} {
		r.Training, r.Trials = run.training, run.trials
		dir := t.TempDir()
		for _, which := range []string{"first", "resumed"} {
			var out bytes.Buffer
			c := Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: 1, Workers: 1, Dir: dir, Log: &out}
			o, err := Run(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			if !regexp.MustCompile(run.want).MatchString(out.String()) {
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
