package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/learn/online"
	"plyfit/learn/train"
	"plyfit/models"
)

// A Stage is one stage in which the evaluation learns while playing.
type Stage struct {
	Method   string              `json:"method"`
	Features string              `json:"features"`
	Settings []online.RecipeItem `json:"settings"` // everything on which the weights depend
	Points   []online.Point      `json:"points"`   // learning curve
	Episodes int                 `json:"episodes"` // total over all starts
	Moves    int64               `json:"moves"`

	// Starts contains the stage's runs with different seeds, of which the best is kept. It is empty
	// if there is only one run.
	Starts []Trial `json:"starts,omitempty"`

	// Guard is the match between the final weights and the weights after half of the episodes. It
	// is nil if there are too few episodes. Middle is set if the final weights were significantly
	// worse and were therefore replaced by the earlier ones.
	Guard  *arena.Result `json:"guard,omitempty"`
	Middle bool          `json:"middle,omitempty"`
}

type trained struct {
	Stage
	set   features.Set
	model *models.Linear
}

// train runs the recipe's training stages. A first stage with a single start uses the run's seed,
// so that plyfit train can reproduce its weights.
func (o *Result) train(ctx context.Context) error {
	c := &o.Options
	var before *trained
	for k := range c.Recipe.Training {
		found, err := c.stage(ctx, k, before)
		if err != nil {
			return err
		}
		o.Stages = append(o.Stages, found.Stage)
		c.printf("stage %d of %d: %d games, %d moves", k+1, len(c.Recipe.Training), found.Episodes, found.Moves)
		c.log("stage", map[string]any{"stage": k + 1, "episodes": found.Episodes, "moves": found.Moves})
		before = found
	}
	o.Learned = before.model
	return o.Learned.File().Save(o.Model)
}

// stage runs or resumes stage k, counted from 0. If there are several starts, their models play
// each other.
func (c *Options) stage(ctx context.Context, k int, before *trained) (*trained, error) {
	name := fmt.Sprintf("stage-%d", k+1)
	starts := max(1, c.Recipe.Training[k].Starts)
	if starts == 1 {
		seed := c.Seed
		if k > 0 {
			seed = game.Seed(c.Seed, game.StreamStage, uint64(k))
		}
		return c.start(ctx, k, name, seed, before)
	}
	all := make([]*trained, starts)
	var trials []Trial
	best, episodes, moves := 0, 0, int64(0)
	for j := range all {
		var err error
		if all[j], err = c.start(ctx, k, filepath.Join(name, fmt.Sprintf("start-%d", j+1)), game.Seed(c.Seed, game.StreamStage, uint64(k), uint64(j)), before); err != nil {
			return nil, err
		}
		episodes, moves = episodes+all[j].Episodes, moves+all[j].Moves
		t := Trial{Learner: fmt.Sprintf("start %d", j+1), Model: filepath.Join(c.Dir, name, fmt.Sprintf("start-%d", j+1), stageModel)}
		if err := c.challenge(ctx, &t, trials, fmt.Sprintf("%s-start-%d", name, j+1)); err != nil {
			return nil, err
		}
		if trials = append(trials, t); t.Best {
			best = j
		}
	}
	found := *all[best]
	found.Starts, found.Episodes, found.Moves = trials, episodes, moves
	return &found, nil
}

// These are the files of a finished stage: its model, and the Stage itself.
const (
	stageModel  = "model.json"
	stageResult = "stage.json"
)

// start runs or resumes one start of stage k in the given subdirectory. It then deletes the
// checkpoint, which is several times as large as the weights.
func (c *Options) start(ctx context.Context, k int, folder string, seed uint64, before *trained) (*trained, error) {
	dir := filepath.Join(c.Dir, folder)
	t := c.Recipe.Training[k]
	done, err := c.finished(dir)
	if done != nil || err != nil {
		c.pace.plan(kindTraining, -t.Episodes)
		c.pace.plan(kindMatch, -guardPairs(&c.Recipe, t.Episodes))
		return done, err
	}
	o, err := train.Defaults(c.World, t)
	if err != nil {
		return nil, err
	}
	o.Workers, o.Command = c.Workers, c.Command
	// The curve is only displayed. No setting or stopping rule depends on it.
	o.Curve.Every, o.Curve.Pairs, o.Curve.Planner = max(1, t.Episodes/5), min(30, c.Recipe.Pairs), c.Recipe.Planners[0]
	if before != nil && !t.Random {
		o.Init, o.From = fmt.Sprintf("stage %d", k), &train.Start{Set: before.set, Model: before.model}
	}
	o.Dir, o.Seed = dir, seed
	title := "games of " + c.World.Label()
	if n := len(c.Recipe.Training); n > 1 {
		title = fmt.Sprintf("%s of %d: %s", folder, n, title)
	}
	work := c.startPart(kindTraining, title, t.Episodes)
	o.Progress, o.Measured = work.set, c.printEarly(work.bar, t)
	guarded := guardPairs(&c.Recipe, t.Episodes) > 0
	if guarded {
		o.Middle = func(m *models.Linear) error { return m.File().Save(filepath.Join(dir, middleModel)) }
	}
	found, err := train.Run(ctx, c.World, o)
	work.finish()
	if err != nil {
		return nil, err
	}
	tally := &found.Report.Tally
	done = &trained{Stage: Stage{Method: found.Model.Provenance.Method, Features: found.Set.Name(), Settings: found.Recipe, Points: found.Report.Points, Episodes: tally.Episodes, Moves: tally.Moves}, set: found.Set, model: found.Model}
	if err := done.model.File().Save(filepath.Join(dir, stageModel)); err != nil {
		return nil, err
	}
	if guarded {
		if err := c.guard(ctx, done, folder, seed, found.Report.Episodes); err != nil {
			return nil, err
		}
	}
	if err := disk.WriteSealed(filepath.Join(dir, stageResult), done.Stage); err != nil {
		return nil, err
	}
	for _, name := range []string{online.CheckpointFile, middleModel, middleTable} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return done, nil
}

// finished reads the result of a finished stage in dir. It returns nil if the stage is not
// finished.
func (c *Options) finished(dir string) (*trained, error) {
	var t trained
	switch err := disk.ReadSealed(filepath.Join(dir, stageResult), &t.Stage); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var err error
	t.set, t.model, err = c.World.Model(filepath.Join(dir, stageModel))
	return &t, err
}

// These files of a stage in progress contain the model after half of the stage's episodes.
const (
	middleModel = "middle.json"
	middleTable = "middle.weights"
)

// The match between the final and the middle weights has at most mostGuardPairs pairs, and at most
// one pair for every guardShare episodes, so that it takes only a few percent of the training time.
// If this allows fewer than leastGuardPairs pairs, the match would show nothing and is not played.
const (
	mostGuardPairs  = 100
	leastGuardPairs = 20
	guardShare      = 80
)

// guardPairs returns the number of pairs in the match between the final and the middle weights of a
// stage with the given number of episodes, or 0 if the match is not played.
func guardPairs(r *features.Recipe, episodes int) int {
	n := min(mostGuardPairs, r.Pairs, episodes/guardShare)
	if n < leastGuardPairs {
		return 0
	}
	return n
}

// guard plays the match between the final and the middle weights of the stage in the given
// subdirectory. If the whole interval for the final weights is below even, learning has diverged.
// In that case the middle model replaces the final one, both in *found and in the model file.
func (c *Options) guard(ctx context.Context, found *trained, folder string, seed uint64, episodes int) error {
	dir := filepath.Join(c.Dir, folder)
	end, before := filepath.Join(dir, stageModel), filepath.Join(dir, middleModel)
	t := Contest{
		World: c.World, Planner: c.Recipe.Planners[0], A: "learned", B: "before", Pairs: guardPairs(&c.Recipe, episodes),
		Seed: game.Seed(seed, game.StreamMiddle), file: strings.ReplaceAll(folder, string(filepath.Separator), "-") + "-guard", before: before,
	}
	if err := c.play(ctx, &t, end); err != nil {
		return err
	}
	found.Guard, found.Middle = &t.Result, t.Result.Conclusion == arena.BetterB
	if !found.Middle {
		return nil
	}
	_, m, err := c.World.Model(before)
	if err != nil {
		return err
	}
	provenance := *found.model.Provenance
	provenance.Episodes = episodes / 2
	provenance.Notes = append(provenance.Notes, fmt.Sprintf("half of the training: its end was clearly worse, %s", shareText(found.Guard)))
	m.Provenance = &provenance
	found.model = m
	return m.File().Save(end)
}

// guardSentence describes the result of the match between the final and the middle weights of stage
// k, counted from 0.
func (s *Stage) guardSentence(k int) string {
	return say("guard", struct {
		*Stage
		Number int
	}{s, k + 1})
}
