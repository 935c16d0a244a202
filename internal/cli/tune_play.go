package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plyfit/internal/protocol"
	"plyfit/learn/tune"
	"plyfit/models"
)

func (a *App) tunePlayCommand() *cobra.Command {
	var p tune.Play
	var referee string
	var oneGame, difference bool
	var timeout time.Duration
	var f raceFlags
	var start string
	cmd := &cobra.Command{
		Use:   "play [FILE...] --referee COMMAND -o DIR",
		Short: "Select or evolve weights by games that your own program plays",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			switch {
			case len(args) > 0 && start != "":
				return fmt.Errorf("--start %s: use either --start or files, of which the first is the start", start)
			case len(args) == 1:
				return fmt.Errorf("%s: want a second file to race against it, or --start %[1]s", args[0])
			case len(args) > 0:
				start, p.Files = args[0], args[1:]
			case start == "":
				return errors.New("--start: want the program's current weights, .csv or .json with name and weight")
			}
			if referee == "" {
				return errors.New("--referee: want the command that plays, such as 'node match.js {A} {B} {SEED}'")
			}
			field, end, err := tune.Referee(referee, oneGame, difference, timeout)
			if err != nil {
				return err
			}
			defer end()
			if p.Weights, err = models.ReadWeights(start); err != nil {
				return err
			}
			for _, path := range p.Files {
				if _, err := models.ReadWeights(path); err != nil {
					return err
				}
			}
			if err := f.read(cmd, &p.Race, p.File); err != nil {
				return err
			}
			if p.Given, err = resultInputs(cmd, append([]string{start}, p.Files...)...); err != nil {
				return err
			}
			p.Field, p.Name = field, "eval"
			return race(a, cmd, &f, &p.Race, p.Run, a.printRace)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&start, "start", "", "current weights: .csv with name, weight and optional width, min, max; or .json")
	flags.StringVar(&referee, "referee", "", "command that plays: 'node match.js {A} {B} {SEED}', or one that reads lines if it has none of these")
	flags.BoolVar(&oneGame, "one-game", false, "COMMAND plays one game, with A in the first seat, and prints one result")
	flags.BoolVar(&difference, "difference", false, "results are score differences, A minus B; only the sign counts")
	flags.DurationVar(&timeout, "timeout", protocol.RefereeTimeout, "time limit per answer")
	wholeFlag(cmd, &p.Games, "games", "", 10000, 1, "games to play during evolution")
	f.add(cmd, &p.Race, 150, &p.File, "weights.csv")
	runFlags(cmd, &p.Seed, &p.Workers)
	return cmd
}
