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

// Stage is one stage of learning while playing.
type Stage struct {
	Method   string              `json:"method"`
	Features string              `json:"features"`
	Settings []online.RecipeItem `json:"settings"` // what the weights depend on
	Points   []online.Point      `json:"points"`   // the learning curve
	Episodes int                 `json:"episodes"` // of all starts together
	Moves    int64               `json:"moves"`

	// Starts are the stage's tries from different seeds, of which the best goes on; none for one
	// try.
	Starts []Trial `json:"starts,omitempty"`

	// Guard is the match of the training's end against its state after half of its episodes; nil:
	// too few. Middle means that the end was significantly worse, so that the middle's weights go
	// on.
	Guard  *arena.Result `json:"guard,omitempty"`
	Middle bool          `json:"middle,omitempty"`
}

type trained struct {
	Stage
	set   features.Set
	model *models.Linear
}

// train learns by the recipe's training. The first stage has the run's seed, so that plyfit train
// gives its weights again.
func (o *Result) train(ctx context.Context) error {
	c := &o.Options
	var before *trained
	for k := range c.Recipe.Training {
		found, err := c.stage(ctx, k, before)
		if err != nil {
			return err
		}
		o.Stages = append(o.Stages, found.Stage)
		c.tell("stage %d of %d: %d games, %d moves", k+1, len(c.Recipe.Training), found.Episodes, found.Moves)
		c.log("stage", map[string]any{"stage": k + 1, "episodes": found.Episodes, "moves": found.Moves})
		before = found
	}
	o.Learned = before.model
	return o.Learned.File().Save(o.Model)
}

// stage runs stage k, from 0 on, or its rest: all starts, whose models then play each other.
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

// What a finished stage leaves beside its log: what it learned, and its Stage.
const (
	stageModel  = "model.json"
	stageResult = "stage.json"
)

// start runs one start of stage k in that folder below the run's, or its rest. It then deletes the
// checkpoint, which holds the weights several times over.
func (c *Options) start(ctx context.Context, k int, folder string, seed uint64, before *trained) (*trained, error) {
	dir := filepath.Join(c.Dir, folder)
	t := c.Recipe.Training[k]
	done, err := c.finished(dir)
	if done != nil || err != nil {
		c.pace.plan(kindTraining, -t.Episodes)
		c.pace.plan(kindMatch, -guardPairs(&c.Recipe, t.Episodes))
		return done, err
	}
	o, err := c.trainOptions(t)
	if err != nil {
		return nil, err
	}
	if before != nil && !t.Random {
		o.Init, o.From = fmt.Sprintf("stage %d", k), &train.Start{Set: before.set, Model: before.model}
	}
	o.Dir, o.Seed = dir, seed
	title := "games of " + c.World.Spec
	if n := len(c.Recipe.Training); n > 1 {
		title = fmt.Sprintf("%s of %d: %s", folder, n, title)
	}
	work := c.begin(kindTraining, title, t.Episodes)
	o.Progress, o.Measured = work.set, c.early(work.bar, t)
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

// finished reads what a stage left in dir; nil where it is not done.
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

// trainOptions are a stage's settings with the method's own choices in the gaps.
func (c *Options) trainOptions(t features.Training) (train.Options, error) {
	o, err := train.Defaults(c.World, t)
	o.Workers, o.Command = c.Workers, c.Command
	// The curve is for looking at: no setting and no stop follows from it.
	o.Curve.Every, o.Curve.Pairs, o.Curve.Planner = max(1, t.Episodes/5), min(30, c.Recipe.Pairs), c.Recipe.Planners[0]
	return o, err
}

// What a training has in its folder while it is under way: the model of its middle.
const (
	middleModel = "middle.json"
	middleTable = "middle.weights"
)

// Pairs of the match between a training's end and middle: at most mostGuardPairs, and one for
// guardShare episodes, so that it costs a few hundredths of the training. Fewer than
// leastGuardPairs show nothing and are not played.
const (
	mostGuardPairs  = 100
	leastGuardPairs = 20
	guardShare      = 80
)

// guardPairs is the pairs between end and middle of a training of so many episodes; 0: no match.
func guardPairs(r *features.Recipe, episodes int) int {
	n := min(mostGuardPairs, r.Pairs, episodes/guardShare)
	if n < leastGuardPairs {
		return 0
	}
	return n
}

// guard plays the end of the training in that folder against its middle. If the end's interval lies
// below even, learning had diverged, and the middle's model replaces it, in found and on file.
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

// guardSentence says how the end of stage k, from 0 on, fared against its middle.
func (s *Stage) guardSentence(k int) string {
	return say("guard", struct {
		*Stage
		Number int
	}{s, k + 1})
}
