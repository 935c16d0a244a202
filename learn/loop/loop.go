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

// Options is one run.
type Options struct {
	Catalog catalog.Catalog // where twins are found
	World   *catalog.World
	Recipe  features.Recipe // complete, as World.Recipe gives it
	Seed    uint64
	Workers int    // never changes a result
	Dir     string // the run folder
	Command string // what repeats the run, for the report
	Log     io.Writer
	Quiet   bool

	pace *pace // of the run under way
}

// Result is what a run found. Either Stages and Test are there or Rounds and Fitted.
type Result struct {
	Options Options // after a tournament with the winner's recipe

	Trials []Trial // of a tournament of learners

	Stages []Stage // of training
	Test   *Test   // the trained model's predictions

	Rounds  []Round     // of regression
	Shipped int         // the round whose model ships, counted from 1
	Fitted  *fit.Result // of that round

	Learned  *models.Linear // the model that ships
	Model    string         // path of its file
	Contests []Contest
	Regrets  []Regret  // where perfect play is known
	Exploits []Exploit // in small games of two who hide something

	shown *Contest // one pair of a contest, whose game the report shows; nil: none
}

type matches struct {
	Contests []Contest `json:"contests"`
	Regrets  []Regret  `json:"regrets,omitempty"`
	Exploits []Exploit `json:"exploits,omitempty"`
	Learner  string    `json:"learner"`
	Trials   []Trial   `json:"trials,omitempty"`
}

// Run completes the run. Its files in Dir depend on world, recipe and seed alone, except the log
// and times. A folder in which another process is at work is refused.
func Run(ctx context.Context, c Options) (o *Result, err error) {
	err = work.Alone(c.Dir, func() error {
		o, err = run(ctx, c)
		return err
	})
	return o, err
}

func run(ctx context.Context, c Options) (*Result, error) {
	if err := c.claim(); err != nil {
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

// opponent is the evaluation that a learned one is measured against.
func (c *Options) opponent() string {
	if c.World.Entry.Ships("handwritten") {
		return "handwritten"
	}
	return "zero"
}

// learner says in one line how the evaluation was learned, and why so.
func (o *Result) learner() string {
	r := &o.Options.Recipe
	return "Learned by " + r.Learner() + ": " + r.Why + "."
}

// settings is config.json: what a run folder's contents depend on.
type settings struct {
	Format string          `json:"format"`
	Game   string          `json:"game"`
	Seed   uint64          `json:"seed"`
	Recipe features.Recipe `json:"recipe"`
}

const settingsFormat = "plyfit-run/1"

func (c *Options) claim() error {
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
		return fmt.Errorf("%s: want a run's settings: %w", path, err)
	}
	there, err := json.Marshal(have)
	if err != nil {
		return err
	}
	if asked, err := json.Marshal(want); err != nil || !bytes.Equal(there, asked) {
		return fmt.Errorf("%s: holds a run of %s with seed %d or other settings: want its command again, or another folder", c.Dir, have.Game, have.Seed)
	}
	return nil
}

// log adds an event to log.jsonl. Times and other facts about the machine are only recorded there.
func (c *Options) log(event string, fields map[string]any) {
	_ = online.AppendLog(c.pace.dir, event, fields) // a log that cannot be written stops nothing
}
