package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/fit"
	"plyfit/game"
	"plyfit/internal/atomicfile"
	"plyfit/internal/lease"
	"plyfit/internal/progress"
	"plyfit/search"
	"plyfit/selfplay"
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
}

// Round is one turn of self-play and fit.
type Round struct {
	Agent    string             `json:"agent"`
	Data     *datasets.Manifest `json:"data"`
	Outcome  stats.Estimate     `json:"outcome"` // mean outcome of player 0 over the episodes
	Loss     float64            `json:"held_out_loss"`
	R2       float64            `json:"held_out_r2"`
	Strength arena.Result       `json:"strength"` // of the round's model in a short match
}

// Result is what a run found.
type Result struct {
	Options  Options
	Rounds   []Round
	Fitted   *fit.Result // of the last round
	Model    string      // path of the model file
	Contests []Contest
	Regrets  []Regret // where perfect play is known
}

// matches is match.json.
type matches struct {
	Contests []Contest `json:"contests"`
	Regrets  []Regret  `json:"regrets,omitempty"`
}

// settings is config.json: what a run folder's contents depend on.
type settings struct {
	Format string          `json:"format"`
	Game   string          `json:"game"`
	Seed   uint64          `json:"seed"`
	Recipe features.Recipe `json:"recipe"`
}

const settingsFormat = "plyfit-run/1"

// Run takes the run to its end. What it leaves in Dir depends on world, recipe
// and seed alone, but for the log and the times in it. A folder in which another
// process is at work is refused.
func Run(ctx context.Context, c Options) (o *Result, err error) {
	err = lease.HoldFolder(ctx, c.Dir, func(ctx context.Context) error {
		o, err = run(ctx, c)
		return err
	})
	return o, err
}

func run(ctx context.Context, c Options) (*Result, error) {
	if err := c.claim(); err != nil {
		return nil, err
	}
	log, err := openLog(filepath.Join(c.Dir, "log.jsonl"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	log.write("begin", map[string]any{"game": c.World.Spec, "seed": c.Seed, "workers": c.Workers})
	o := &Result{Options: c, Model: filepath.Join(c.Dir, "model.json")}
	model := ""
	for k := 1; k <= c.Recipe.Rounds; k++ {
		round, fitted, err := c.round(ctx, k, model)
		if err != nil {
			return nil, err
		}
		o.Rounds, o.Fitted = append(o.Rounds, *round), fitted
		model = c.modelPath(k)
		log.write("round", map[string]any{"round": k, "digest": round.Data.Digest, "held_out_loss": round.Loss})
	}
	if o.Contests, err = c.contests(ctx, model); err != nil {
		return nil, err
	}
	if o.Regrets, err = c.regrets(ctx, model); err != nil {
		return nil, err
	}
	if err := writeJSONFile(filepath.Join(c.Dir, "match.json"), matches{o.Contests, o.Regrets}); err != nil {
		return nil, err
	}
	page, err := o.Page()
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(filepath.Join(c.Dir, "report.html"), page.HTML); err != nil {
		return nil, err
	}
	log.write("end", nil)
	return o, nil
}

// claim makes the run folder, or finds that it holds this very run.
func (c *Options) claim() error {
	path := filepath.Join(c.Dir, "config.json")
	want := settings{settingsFormat, c.World.Spec, c.Seed, c.Recipe}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if entries, err := os.ReadDir(c.Dir); err == nil {
			for _, e := range entries {
				if !atomicfile.Leftover(e.Name()) && !lease.Is(e.Name()) {
					return fmt.Errorf("%s: holds %s, but no config.json: want an empty folder or one of a run", c.Dir, e.Name())
				}
			}
		}
		if err := os.MkdirAll(c.Dir, 0o755); err != nil {
			return err
		}
		return writeJSONFile(path, want)
	case err != nil:
		return err
	}
	var have settings
	if err := json.Unmarshal(data, &have); err != nil {
		return fmt.Errorf("%s: want a run's settings: %w", path, err)
	}
	again, err := json.Marshal(want) // through JSON, so that nil and empty are alike
	if err != nil {
		return err
	}
	var asked settings
	if err := json.Unmarshal(again, &asked); err != nil {
		return err
	}
	if !reflect.DeepEqual(have, asked) {
		return fmt.Errorf("%s: holds a run of %s with seed %d or other settings: want its command again, or another folder", c.Dir, have.Game, have.Seed)
	}
	return nil
}

// modelPath and dataPath are where the files of round k are: those of the last round
// are the run's own.
func (c *Options) modelPath(k int) string {
	if k == c.Recipe.Rounds {
		return filepath.Join(c.Dir, "model.json")
	}
	return filepath.Join(c.Dir, fmt.Sprintf("round-%d", k), "model.json")
}

func (c *Options) dataPath(k int) string {
	if k == c.Recipe.Rounds {
		return filepath.Join(c.Dir, "data")
	}
	return filepath.Join(c.Dir, fmt.Sprintf("round-%d", k), "data")
}

// round plays and fits once. model is the path of the model to play with, "" in the
// first round.
func (c *Options) round(ctx context.Context, k int, model string) (*Round, *fit.Result, error) {
	agent := c.Recipe.First
	if model != "" {
		agent = catalog.WithEval(c.Recipe.Planner, model)
	}
	player, err := c.World.Agent(agent, catalog.AgentOptions{})
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(filepath.Dir(c.dataPath(k)), 0o755); err != nil {
		return nil, nil, err
	}
	bar := progress.New(c.Log, fmt.Sprintf("round %d of %d: games of %s", k, c.Recipe.Rounds, c.World.Spec), int64(c.Recipe.Episodes), c.Quiet)
	// Episodes are played to their ends: where they stop at the first proof, terms
	// such as connect four's win-now have hardly a row, and what is learned plays
	// worse than the hand-written model (29.9, 41.8 and 43.3% at depths 1, 3 and 5).
	manifest, err := selfplay.Run(ctx, selfplay.Config{
		Game: c.World.Game, Agents: []search.Factory{player.Factory},
		Episodes: c.Recipe.Episodes, Seed: c.roundSeed(k), Openings: c.Recipe.Openings, Explore: c.Recipe.Explore,
		Workers: c.Workers, Dir: c.dataPath(k), Progress: func(n int) { bar.Set(int64(n)) },
	})
	bar.Finish()
	if err != nil {
		return nil, nil, err
	}
	data, err := datasets.Open(c.dataPath(k))
	if err != nil {
		return nil, nil, err
	}
	method, err := fit.MethodNamed(c.Recipe.Method)
	if err != nil {
		return nil, nil, err
	}
	fitted, err := fit.Run(ctx, c.World, data, fit.Options{
		Set: c.Recipe.Set, Method: method, Label: c.label(), Lambda: c.Recipe.Lambda, Penalty: c.Recipe.Penalty,
		Leaves: c.Recipe.Leaves, Frozen: c.Recipe.Frozen, Seed: c.Seed, Workers: c.Workers,
	})
	if err != nil {
		return nil, nil, err
	}
	fitted.Model.Provenance.Command = c.Command
	if err := fitted.Model.File().Save(c.modelPath(k)); err != nil {
		return nil, nil, err
	}
	r := &Round{Agent: player.Identity, Data: manifest, Loss: fitted.Report.HeldOutLoss, R2: fitted.Report.HeldOutR2}
	if r.Outcome, err = meanOutcome(data); err != nil {
		return nil, nil, err
	}
	contest := Contest{World: c.World, Planner: c.Recipe.Planner, A: "learned", B: c.opponent(), Pairs: max(20, c.Recipe.Pairs/2), file: fmt.Sprintf("round-%d", k)}
	if err := c.play(ctx, &contest, c.modelPath(k)); err != nil {
		return nil, nil, err
	}
	r.Strength = contest.Result
	return r, fitted, nil
}

// label is that of the recipe.
func (c *Options) label() fit.Label {
	switch share := c.Recipe.Search; share {
	case 0:
		return fit.OutcomeLabel()
	case 1:
		return fit.SearchLabel()
	default:
		return fit.MixedLabel(1 - share)
	}
}

// roundSeed is the seed of round k's data set, unlike those of all other rounds
// of all other runs.
func (c *Options) roundSeed(k int) uint64 { return game.Seed(c.Seed, game.StreamRound, uint64(k)) }

// opponent is the evaluation that a learned one is measured against.
func (c *Options) opponent() string {
	if c.World.Entry.Ships("handwritten") {
		return "handwritten"
	}
	return "zero"
}

// meanOutcome is what player 0 got at the end of the episodes.
func meanOutcome(data *datasets.Set) (stats.Estimate, error) {
	var outcomes []float64
	last, any := uint64(0), false
	for r, err := range data.Records() {
		if err != nil {
			return stats.Estimate{}, err
		}
		if any && r.Episode == last || r.Truncated {
			continue
		}
		last, any = r.Episode, true
		outcomes = append(outcomes, r.Outcome[0])
	}
	return stats.MeanOf(outcomes), nil
}

func writeJSONFile(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}

// runLog is log.jsonl: what happened when, and all that depends on the machine.
type runLog struct{ f *os.File }

func openLog(path string) (*runLog, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return &runLog{f}, err
}

func (l *runLog) Close() error { return l.f.Close() }

func (l *runLog) write(event string, more map[string]any) {
	line := map[string]any{"time": time.Now().UTC().Format(time.RFC3339), "event": event}
	for k, v := range more {
		line[k] = v
	}
	if data, err := json.Marshal(line); err == nil {
		l.f.Write(append(data, '\n')) // a log that cannot be written stops nothing
	}
}
