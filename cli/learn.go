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
	c := loop.Options{Catalog: a.catalog, Log: a.stderr}
	var asJSON bool
	var episodes, rounds, pairs int
	var set string
	cmd := &cobra.Command{
		Use:   "learn GAME",
		Short: "Learn an evaluation by self-play and measure it: the whole loop",
		Long: `Learn an evaluation by self-play. Then play matches between it, the hand-written
evaluation and the one that knows nothing, under minimax and expectimax, in the
game and in its twin. In the twin of a game of chance an adversary makes nature's
moves; in the twin of any other game moves may slip.

The run folder holds the data set, model.json, match.json, config.json, a log
and report.html. The same command continues an interrupted run.`,
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
	flags.StringVarP(&c.Dir, "out", "o", "", "run folder; default: runs/GAME-SEED")
	wholeFlag(cmd, &episodes, "games", "", 0, 1, "episodes a round; default: chosen by the game")
	wholeFlag(cmd, &rounds, "rounds", "", 0, 1, "rounds of self-play and fit; default: chosen by the game")
	wholeFlag(cmd, &pairs, "pairs", "", 0, 1, "pairs of games a comparison; default: chosen by the game")
	flags.StringVar(&set, "features", "", "feature set; default: the game's")
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

func (a *app) printOutcome(o *loop.Result) error {
	data := o.Rounds[len(o.Rounds)-1].Data
	r := &o.Fitted.Report
	fmt.Fprintf(a.stdout, "%s, seed %d: %d weights of %s learned in %d rounds; last data set %d episodes, digest %.12s; held-out R² %.3f\n\n",
		o.Options.World.Spec, o.Options.Seed, len(r.Weights), o.Fitted.Model.Features, len(o.Rounds), data.Episodes, data.Digest, r.HeldOutR2)
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
	for _, v := range o.Findings() {
		fmt.Fprintln(a.stdout, v)
	}
	_, err := fmt.Fprintf(a.stdout, "\nModel: %s\nReport: %s\n", o.Model, filepath.Join(o.Options.Dir, "report.html"))
	return failure.Of(err)
}
