package cli

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/learn/loop"
)

func (a *App) learnCommand() *cobra.Command {
	c := loop.Options{Catalog: a.Catalog, Log: a.Stderr}
	var asJSON bool
	var f learnFlags
	cmd := &cobra.Command{
		Use:   "learn GAME",
		Short: "Learn an evaluation by self-play and measure its strength",
		RunE: a.inCheckedWorld(func(cmd *cobra.Command, w *catalog.World, args []string) (err error) {
			c.World = w
			if c.Recipe, c.Command, err = f.recipe(cmd, w, c.Seed); err != nil {
				return err
			}
			c.Dir = cmp.Or(c.Dir, runFolder(w, "", c.Seed))
			a.resumable.Store(true)
			o, err := loop.Run(cmd.Context(), c)
			if err != nil {
				return runFailure(err)
			}
			if asJSON {
				return WriteJSON(a.Stdout, learnAnswer{w.Spec, c.Seed, c.Dir, o.Model, o.Rounds, o.Contests, o.Regrets, o.Exploits, o.Options.Recipe.Learner(), o.Options.Recipe.Why, o.Shipped, o.Stages, o.Test, o.Trials})
			}
			return a.printOutcome(o, args[0])
		}),
	}
	flags := cmd.Flags()
	flags.StringVarP(&c.Dir, "out", "o", "", "run folder; default: runs/GAME-SEED")
	flags.StringVar(&f.effort, "effort", string(catalog.Default), "effort: quick (a tenth of the games), default, or long (ten times the games)")
	flags.StringVar(&f.learner, "learner", "", "learner: training, regression or tournament; default: training if the game has a recipe for it")
	flags.StringVar(&f.improve, "improve", "", "start regression from handwritten, learned or a model file; default: start without a model")
	wholeFlag(cmd, &f.episodes, "games", "", 0, 1, "number of games in training, or in each round of regression; default: depends on the game")
	wholeFlag(cmd, &f.rounds, "rounds", "", 0, 1, "rounds of self-play and fitting; implies --learner regression; default: depends on the game")
	wholeFlag(cmd, &f.pairs, "pairs", "", 0, 1, "pairs of games per comparison; default: depends on the game")
	flags.StringVar(&f.set, "features", "", "feature set, which must contain all features of --improve; default: the game's usual set")
	answerFlags(cmd, &asJSON, "print the result as one JSON object", &c.Quiet)
	runFlags(cmd, &c.Seed, &c.Workers)
	return cmd
}

// runFolder returns the default folder of a run in the world. The parameter what distinguishes
// commands.
func runFolder(w *catalog.World, what string, seed uint64) string {
	name := strings.NewReplacer(":", "-", ",", "-", "=", "", "+", "-", "(", "", ")", "", "/", "-", "*", "").Replace(w.Label())
	if len(name) > 100 { // a spec that contains a layout may be too long for this
		sum := sha256.Sum256([]byte(w.Spec))
		name = fmt.Sprintf("%s-%x", w.Name, sum[:6])
	}
	return filepath.Join("runs", fmt.Sprintf("%s%s-%d", what, name, seed))
}

type learnFlags struct {
	episodes, rounds, pairs       int
	set, learner, effort, improve string
}

// recipe returns the game's recipe with the changes that the flags request, and the command that
// repeats the run.
func (f *learnFlags) recipe(cmd *cobra.Command, w *catalog.World, seed uint64) (r features.Recipe, command string, err error) {
	r = w.Recipe()
	command = fmt.Sprintf("plyfit learn %s --seed %d", w.Spec, seed)
	isSet := func(flag string) bool {
		if !cmd.Flags().Changed(flag) {
			return false
		}
		command += fmt.Sprintf(" --%s %s", flag, cmd.Flags().Lookup(flag).Value)
		r.Minutes = 0 // the estimated time applies to the unchanged recipe
		return true
	}
	if isSet("learner") || f.rounds > 0 || f.improve != "" {
		if err := f.choose(&r, w); err != nil {
			return r, "", err
		}
	}
	if isSet("improve") {
		if r, err = w.Improving(r, f.improve); err != nil {
			return r, "", fmt.Errorf("improve: %w", err)
		}
	}
	selfMade := map[string]func() []features.Training{tuples.Name: w.Tables, tuples.JoinedName: w.Joined}[f.set]
	if selfMade != nil && f.rounds == 0 && f.improve == "" && f.learner != "regression" {
		if r.Training, r.Trials, r.Why = selfMade(), nil, "it was requested"; r.Training == nil {
			return r, "", fmt.Errorf("features %s: learning during play requires a board (and, for %s, terms), which %s does not have; use --learner regression", f.set, tuples.JoinedName, w.Spec)
		}
	}
	if isSet("effort") {
		if r, err = catalog.Size(f.effort).At(r); err != nil {
			return r, "", err
		}
	}
	if isSet("games") {
		r = r.WithGames(f.episodes)
	}
	if isSet("rounds") {
		r.Rounds = f.rounds
	}
	if isSet("pairs") {
		r.Pairs, r.TwinPairs = f.pairs, f.pairs
	}
	if isSet("features") {
		if _, err := w.Set(f.set); err != nil {
			return r, "", err
		}
		if f.improve != "" {
			if _, _, err := w.ModelOver(f.improve, f.set); err != nil {
				return r, "", fmt.Errorf("--improve %s: %w", f.improve, err)
			}
		}
		r.Set, r.LateSet = f.set, ""
		r = r.EachTraining(func(stages []features.Training) []features.Training {
			return list.Map(stages, func(t features.Training) features.Training {
				t.Set = f.set
				return t
			})
		})
	}
	return r, command, nil
}

// choose changes r to use the requested learner.
func (f *learnFlags) choose(r *features.Recipe, w *catalog.World) error {
	switch {
	case f.learner != "" && f.learner != "training" && f.learner != "regression" && f.learner != "tournament":
		return fmt.Errorf("learner %q: want training, regression or tournament", f.learner)
	case f.learner != "" && f.learner != "regression" && f.rounds > 0:
		return fmt.Errorf("--rounds %d: applies only to --learner regression, not to %s", f.rounds, f.learner)
	case f.learner != "" && f.learner != "regression" && f.improve != "":
		return fmt.Errorf("--improve %s: applies only to --learner regression, not to %s", f.improve, f.learner)
	case f.learner == "tournament":
		tournament, err := w.Tournament()
		if err != nil {
			return fmt.Errorf("learner tournament: %w", err)
		}
		*r = tournament
	case f.learner == "training" && len(r.Training) == 0:
		return fmt.Errorf("learner training: %s; use regression, or plyfit train", r.Why)
	case f.learner != "training" && len(r.Training)+len(r.Trials) > 0:
		r.Training, r.Trials, r.Why = nil, nil, "it was requested"
	}
	return nil
}

type learnAnswer struct {
	Game     string         `json:"game"`
	Seed     uint64         `json:"seed"`
	Folder   string         `json:"folder"`
	Model    string         `json:"model"`
	Rounds   []loop.Round   `json:"rounds"`
	Contests []loop.Contest `json:"contests"`
	Regrets  []loop.Regret  `json:"regrets,omitempty"`
	Exploits []loop.Exploit `json:"exploits,omitempty"`
	Learner  string         `json:"learner"`
	Why      string         `json:"why"`
	Shipped  int            `json:"shipped_round,omitempty"`
	Stages   []loop.Stage   `json:"stages,omitempty"`
	Test     *loop.Test     `json:"test,omitempty"`
	Trials   []loop.Trial   `json:"trials,omitempty"`
}

// mostShown is the maximum number of learned weights that are printed.
const mostShown = 20

// printOutcome prints the verdict, the table that supports it, the weights if there are only a few,
// the paths of the model and the report, and the command that exports the model. The parameter spec
// is the game as the user named it.
func (a *App) printOutcome(o *loop.Result, spec string) error {
	w, m := o.Options.World, o.Learned
	blocks := []report.Block{o.Table()}
	if n := len(m.Weights); n > 0 && n <= mostShown {
		t := report.Table{Head: []string{"term", "weight"}}
		for i, weight := range m.Weights {
			t.Rows = append(t.Rows, []string{m.Name(int32(i)), fmt.Sprintf("%.4g", weight)})
		}
		blocks = append(blocks, t)
	}
	fmt.Fprintf(a.Stdout, "%s\n\n", o.Verdict())
	if err := a.printBlocks(blocks...); err != nil {
		return err
	}
	world := ""
	if spec != w.Entry.Name {
		world = fmt.Sprintf(" --game '%s'", spec)
	}
	return a.printf("Model: %s\nReport: %s\nUse it in your own program: %s model export %[1]s%[4]s -o evaluation.py (or .js, .go, .c)\n", o.Model, filepath.Join(o.Options.Dir, "report.html"), programName(w), world)
}
