package cli

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/internal/failure"
	"plyfit/loop"
)

func (a *app) learnCommand() *cobra.Command {
	c := loop.Config{Catalog: a.catalog, Log: a.stderr}
	var asJSON bool
	var episodes, rounds, pairs int
	var set string
	cmd := &cobra.Command{
		Use:   "learn GAME",
		Short: "The whole loop: self-play, labels, fit, export, learned against hand-written",
		Long: `Learn an evaluation from self-play, export it, and set it against the
hand-written one and the one that knows nothing, under minimax and expectimax,
in the game's own world and in its twin: an adversary in place of chance, or a
slippery hand where there is no chance.

The run folder holds the data set, model.json, match.json, config.json, a log
and report.html. An interrupted run goes on where it was.`,
		Example: `  plyfit learn 2048
  plyfit learn connect4 --seed 7`,
		Args: exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.catalog.World(args[0])
			if err != nil {
				return err
			}
			c.World, c.Recipe = w, w.Recipe()
			c.Command = fmt.Sprintf("plyfit learn %s --seed %d", w.Spec, c.Seed)
			override := func(flag string, value int, field *int) {
				if cmd.Flags().Changed(flag) {
					*field = value
					c.Command += fmt.Sprintf(" --%s %d", flag, value)
				}
			}
			override("games", episodes, &c.Recipe.Episodes)
			override("rounds", rounds, &c.Recipe.Rounds)
			override("pairs", pairs, &c.Recipe.Pairs)
			if pairs > 0 {
				c.Recipe.TwinPairs = pairs
			}
			if set != "" {
				if _, err := w.Set(set); err != nil {
					return err
				}
				c.Recipe.Set = set
				c.Command += " --features " + set
			}
			if c.Dir == "" {
				name := strings.NewReplacer(":", "-", ",", "-", "=", "", "+", "-", "(", "", ")", "", "/", "-", "*", "").Replace(w.Spec)
				if len(name) > 100 { // a layout that stands in the spec
					sum := sha256.Sum256([]byte(w.Spec))
					name = fmt.Sprintf("%s-%x", w.Name, sum[:6])
				}
				c.Dir = filepath.Join("runs", fmt.Sprintf("%s-%d", name, c.Seed))
			}
			a.resumable = true
			o, err := loop.Run(cmd.Context(), c)
			if err != nil {
				return runFailure(err)
			}
			if asJSON {
				return writeJSON(a.stdout, learnAnswer{w.Spec, c.Seed, c.Dir, o.Model, o.Rounds, o.Contests, o.Regrets})
			}
			return a.printOutcome(o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&c.Dir, "out", "o", "", "run folder; without it runs/GAME-SEED")
	wholeFlag(cmd, &episodes, "games", "", 0, 1, "episodes a round; without it the game's own choice")
	wholeFlag(cmd, &rounds, "rounds", "", 0, 1, "rounds of self-play and fit; without it the game's own choice")
	wholeFlag(cmd, &pairs, "pairs", "", 0, 1, "pairs of games a comparison; without it the game's own choice")
	flags.StringVar(&set, "features", "", "feature set; without it the game's default")
	flags.BoolVar(&asJSON, "json", false, "the result as one JSON object")
	flags.BoolVar(&c.Quiet, "quiet", false, "no progress")
	seedFlag(cmd, &c.Seed)
	workersFlag(cmd, &c.Workers)
	return cmd
}

type learnAnswer struct {
	Game     string         `json:"game"`
	Seed     uint64         `json:"seed"`
	Folder   string         `json:"folder"`
	Model    string         `json:"model"`
	Rounds   []loop.Round   `json:"rounds"`
	Contests []loop.Contest `json:"contests"`
	Regrets  []loop.Regret  `json:"regrets,omitempty"`
}

func (a *app) printOutcome(o *loop.Outcome) error {
	data := o.Rounds[len(o.Rounds)-1].Data
	r := &o.Fitted.Report
	fmt.Fprintf(a.stdout, "%s, seed %d: %d weights of %s learned in %d rounds; last data set %d episodes, digest %.12s; held-out R² %.3f\n\n",
		o.Config.World.Spec, o.Config.Seed, len(r.Weights), o.Fitted.Model.Features, len(o.Rounds), data.Episodes, data.Digest, r.HeldOutR2)
	for _, t := range loop.EvaluationTables(o.Contests) {
		if err := a.printBlock(t); err != nil {
			return err
		}
	}
	if t, any := loop.PlannerTable(o.Contests); any {
		if err := a.printBlock(t); err != nil {
			return err
		}
	}
	if t, any := loop.RegretTable(o.Regrets); any {
		if err := a.printBlock(t); err != nil {
			return err
		}
	}
	for _, v := range o.Verdicts() {
		fmt.Fprintln(a.stdout, v)
	}
	_, err := fmt.Fprintf(a.stdout, "\nModel: %s\nReport: %s\n", o.Model, filepath.Join(o.Config.Dir, "report.html"))
	return failure.Of(err)
}
