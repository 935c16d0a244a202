package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/disk"
	"plyfit/learn/fit"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/work"
)

// Options configures a run.
type Options struct {
	Catalog catalog.Catalog // catalog that contains the twins
	World   *catalog.World
	Recipe  features.Recipe // complete, as returned by World.Recipe
	Seed    uint64
	Workers int    // number of goroutines; does not affect the result
	Dir     string // run directory
	Command string // command that repeats the run, for the report
	Log     io.Writer
	Quiet   bool

	pace *pace // plan of the current run
}

// Result is the result of a run. It contains either Stages and Test, or Rounds and Fitted.
type Result struct {
	Options Options // the options of the run; after a tournament, with the winner's recipe

	Trials []Trial // trials of a tournament of learners

	Stages []Stage // training stages
	Test   *Test   // test of the trained model's predictions

	Rounds  []Round     // rounds of self-play and regression
	Shipped int         // number of the round whose model is accepted, from 1
	Fitted  *fit.Result // result of that round's fit

	Learned  *models.Linear // the final model
	Model    string         // path of its file
	Contests []Contest
	Regrets  []Regret  // empty unless perfect play is known
	Exploits []Exploit // empty except for small two-player games with hidden information

	shown *Contest // pair of games, one of which the report shows; may be nil
}

type matches struct {
	Contests []Contest `json:"contests"`
	Regrets  []Regret  `json:"regrets,omitempty"`
	Exploits []Exploit `json:"exploits,omitempty"`
	Learner  string    `json:"learner"`
	Trials   []Trial   `json:"trials,omitempty"`
}

// Run runs all steps, or resumes them if the run was interrupted. Except for the log, the times and
// the command, the files in c.Dir depend only on the world, the recipe and the seed. Run returns an
// error if another process is using c.Dir.
func Run(ctx context.Context, c Options) (o *Result, err error) {
	err = work.Alone(c.Dir, func() error {
		o, err = run(ctx, c)
		return err
	})
	return o, err
}

func run(ctx context.Context, c Options) (*Result, error) {
	if err := c.checkSettings(); err != nil {
		return nil, err
	}
	var err error
	if c.pace, err = c.newPace(); err != nil {
		return nil, err
	}
	c.announce()
	c.log("begin", map[string]any{"game": c.World.Spec, "seed": c.Seed, "workers": c.Workers})
	o := &Result{Options: c, Model: filepath.Join(c.Dir, "model.json")}
	learn := o.learn
	if len(c.Recipe.Trials) > 0 {
		learn = o.tournament
	}
	if err := learn(ctx); err != nil {
		return nil, err
	}
	if len(o.Stages) > 0 {
		if err := o.test(ctx); err != nil {
			return nil, err
		}
	}
	if o.Contests, err = c.contests(ctx, o.Model); err != nil {
		return nil, err
	}
	o.correct()
	if err := o.playGame(ctx); err != nil {
		return nil, err
	}
	if o.Regrets, err = c.regrets(ctx, o.Model); err != nil {
		return nil, err
	}
	if o.Exploits, err = c.exploits(ctx, o.Model); err != nil {
		return nil, err
	}
	if err := disk.WriteJSON(filepath.Join(c.Dir, "match.json"), matches{o.Contests, o.Regrets, o.Exploits, o.Options.Recipe.Learner(), o.Trials}); err != nil {
		return nil, err
	}
	page, err := o.Page()
	if err != nil {
		return nil, err
	}
	if err := disk.Write(filepath.Join(c.Dir, "report.html"), page.HTML); err != nil {
		return nil, err
	}
	c.log("end", map[string]any{})
	return o, nil
}

func (o *Result) learn(ctx context.Context) error {
	if len(o.Options.Recipe.Training) > 0 {
		return o.train(ctx)
	}
	return o.rounds(ctx)
}

// opponent returns the evaluation with which the learned one is compared.
func (c *Options) opponent() string {
	if c.World.Entry.Ships("handwritten") {
		return "handwritten"
	}
	return "zero"
}

// learner returns a line that states how the evaluation was learned, and why in that way.
func (o *Result) learner() string {
	r := &o.Options.Recipe
	return "Learned by " + r.Learner() + ": " + r.Why + "."
}

// settings is the content of config.json, which determines the run's results.
type settings struct {
	Format string          `json:"format"`
	Game   string          `json:"game"`
	Seed   uint64          `json:"seed"`
	Recipe features.Recipe `json:"recipe"`
}

const settingsFormat = "plyfit-run/1"

func (c *Options) checkSettings() error {
	path := filepath.Join(c.Dir, "config.json")
	want := settings{settingsFormat, c.World.Spec, c.Seed, c.Recipe}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := work.Empty(c.Dir, "config.json", "one of a run"); err != nil {
			return err
		}
		if err := os.MkdirAll(c.Dir, 0o755); err != nil {
			return err
		}
		return disk.WriteJSON(path, want)
	case err != nil:
		return err
	}
	var have settings
	if err := json.Unmarshal(data, &have); err != nil {
		return fmt.Errorf("%s: invalid run settings: %w", path, err)
	}
	there, err := json.Marshal(have)
	if err != nil {
		return err
	}
	if asked, err := json.Marshal(want); err != nil || !bytes.Equal(there, asked) {
		return fmt.Errorf("%s: the directory contains a run of %s with seed %d or with other settings; repeat the command of that run or use another directory", c.Dir, have.Game, have.Seed)
	}
	return nil
}

// log adds an event to log.jsonl, together with the time.
func (c *Options) log(event string, fields map[string]any) {
	_ = online.AppendLog(c.pace.dir, event, fields) // an error while writing the log does not stop the run
}
