package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/progress"
	"plyfit/selfplay"
	"plyfit/work"
)

func (a *App) selfplayCommand() *cobra.Command {
	var cfg selfplay.Config
	var agents []string
	var adjudicate string
	var asJSON, quiet bool
	cmd := &cobra.Command{
		Use:   "selfplay GAME -o DIR",
		Short: "Generate or extend a data set by self-play",
		RunE: a.inCheckedWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			if len(agents) == 0 {
				agents = []string{w.SelfPlayAgent()}
			}
			if !cmd.Flags().Changed("openings") {
				cfg.Openings = w.Recipe().Openings
			}
			switch adjudicate {
			case datasets.AdjudicateProven:
				cfg.Adjudicate = adjudicate
			case "off":
			default:
				return fmt.Errorf("--adjudicate %s: want %s or off", adjudicate, datasets.AdjudicateProven)
			}
			cfg.Game = w.Game
			for _, text := range agents {
				p, err := w.Agent(text, catalog.AgentOptions{})
				if err != nil {
					return err
				}
				if p.Unrepeatable {
					return fmt.Errorf("agent %s: external engines, time limits and several threads make games unrepeatable; use one thread and limit depth, nodes or simulations", text)
				}
				cfg.Agents = append(cfg.Agents, p.Factory)
			}
			bar := progress.New(a.Stderr, "games of "+w.Spec, int64(cfg.Episodes), quiet)
			bar.OnProgress(work.ProgressWriter(cfg.Dir))
			cfg.Progress = func(n int) { bar.Set(int64(n)) }
			a.resumable.Store(true)
			m, err := selfplay.Run(cmd.Context(), cfg)
			bar.Finish()
			if err != nil {
				return runFailure(err)
			}
			return a.printManifest(m, asJSON)
		}),
	}
	flags := cmd.Flags()
	outFlag(cmd, &cfg.Dir, "data set folder")
	wholeFlag(cmd, &cfg.Episodes, "games", "", 1000, 1, "episodes")
	flags.StringArrayVarP(&agents, "agent", "a", nil, "agent for all seats; repeat the flag to give each seat its own agent; default: depends on the game")
	wholeFlag(cmd, &cfg.Openings, "openings", "", 0, 0, "maximum number of random opening decisions; default: depends on the game")
	flags.Float64Var(&cfg.Explore, "explore", 0, "probability of a random move after the opening")
	wholeFlag(cmd, &cfg.EpisodesPerShard, "games-per-shard", "", 0, 0, "episodes per shard; 0: 256")
	flags.StringVar(&adjudicate, "adjudicate", datasets.AdjudicateProven, "proven: end an episode once a search has proven its outcome; off: play to the end")
	answerFlags(cmd, &asJSON, "print the data set's manifest as one JSON object", &quiet)
	runFlags(cmd, &cfg.Seed, &cfg.Workers)
	return cmd
}
