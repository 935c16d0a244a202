package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/internal/proc"
	"plyfit/models"
)

// Learned is the name of the folder in which [catalog.Entry.Models] has learned models.
const Learned = "learned"

// Registrable is the path dir/NAME.json of [Result.Register] for the run's model. It is an error
// if no build reads dir, or if the file there is not a model that this run may replace: one of
// another game, or of features that it does not learn.
func (c *Options) Registrable(dir string) (path string, err error) {
	all, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s: no such folder: want the folder %s of the game's module", dir, Learned)
	case err != nil:
		return "", err
	case !info.IsDir() || filepath.Base(all) != Learned:
		return "", fmt.Errorf("%s: want a folder named %s, which the game's models are looked up in", dir, Learned)
	}
	path = filepath.Join(dir, c.World.Name+".json")
	old, err := standing(path)
	if old == nil || err != nil {
		return path, err
	}
	if old.Game != c.World.Name {
		return "", fmt.Errorf("%s: is of game %q: want none, or one of %q", path, old.Game, c.World.Name)
	}
	for _, name := range c.sets() {
		set, err := c.World.Set(name)
		if err != nil {
			return "", err
		}
		if sameFeatures(old.Fingerprint, features.Fingerprint(set, c.World.Game)) {
			return path, nil
		}
	}
	return "", otherFeatures(path, old, c.World.Base().Spec)
}

// sets are the names of the feature sets that the recipe can learn; "" is the default.
func (c *Options) sets() (names []string) {
	last := func(stages []features.Training) {
		if len(stages) == 0 {
			names = append(names, c.set(c.Recipe.Rounds)) // rounds of regression
			return
		}
		names = append(names, stages[len(stages)-1].Set)
	}
	for _, t := range c.Recipe.Trials {
		last(t)
	}
	if len(names) == 0 {
		last(c.Recipe.Training)
	}
	return names
}

// Register puts the shipping model, with its table if any, into the folder dir, whole or not at
// all, in place of one of the same game and features. It fails if the report finds a planner with
// which the model falls short of its opponent; other errors are those of [Options.Registrable].
func (o *Result) Register(dir string) (path string, err error) {
	if path, err = o.Options.Registrable(dir); err != nil {
		return "", err
	}
	for i := range o.Exploits {
		for k := range o.Exploits {
			if e, rival := &o.Exploits[i], &o.Exploits[k]; e.Eval == "learned" && rival.Eval == o.Options.opponent() && e.Planner == rival.Planner && e.beside(rival) > 0 {
				return "", proc.Failure(fmt.Errorf("%s: not written: %s", path, strings.TrimSuffix(exploitFindings(o.Exploits[i : k+1])[0], ".")))
			}
		}
	}
	for i := range o.Contests {
		if t := &o.Contests[i]; o.decides(t) && len(o.Exploits) == 0 && t.Result.Conclusion == arena.BetterB {
			return "", proc.Failure(fmt.Errorf("%s: not written: %s", path, strings.TrimSuffix(finding(t), ".")))
		}
	}
	f, err := models.Load(o.Model)
	if err != nil {
		return "", err
	}
	old, err := standing(path)
	if err != nil {
		return "", err
	}
	if old != nil && !sameFeatures(old.Fingerprint, f.Fingerprint) {
		return "", otherFeatures(path, old, o.Options.World.Base().Spec)
	}
	return path, f.Save(path)
}

// standing is the model at path, without its table, which a killed run may have replaced first;
// nil: none.
func standing(path string) (*models.File, error) {
	f, err := models.LoadTerms(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// sameFeatures reports whether a model of fingerprint new may replace one of old: if old includes
// values, these and the game's options count, too.
func sameFeatures(old, new string) bool {
	return old == "" || old == new || !strings.Contains(old, "-") && models.SameFeatures(old, new)
}

// otherFeatures is the error of a model that is not to be replaced.
func otherFeatures(path string, old *models.File, game string) error {
	return fmt.Errorf("%s: is of other features, %s (%s), than this run learns for %s: want it away first", path, old.Features, old.Fingerprint, game)
}
