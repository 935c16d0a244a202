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
		Short: "Select or evolve weights in games that your own program plays",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			switch {
			case len(args) > 0 && start != "":
				return fmt.Errorf("--start %s: cannot be combined with files; name the starting weights as the first file", start)
			case len(args) == 1:
				return fmt.Errorf("%s: want at least two files, or --start %[1]s", args[0])
			case len(args) > 0:
				start, p.Files = args[0], args[1:]
			case start == "":
				return errors.New("--start: want a .csv or .json file with the names and values of the program's current weights")
			}
			if referee == "" {
				return errors.New("--referee: want the command that plays the games, such as 'node match.js {A} {B} {SEED}'")
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
			if p.Settings, err = resultInputs(cmd, append([]string{start}, p.Files...)...); err != nil {
				return err
			}
			p.Field, p.Name = field, "eval"
			return race(a, cmd, &f, &p.Race, p.Run, a.printRace)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&start, "start", "", "current weights: .json, or .csv with name, weight and optionally width, min and max")
	flags.StringVar(&referee, "referee", "", "command that plays the games, such as 'node match.js {A} {B} {SEED}'; without {A}, {B} and {SEED}, the command reads lines")
	flags.BoolVar(&oneGame, "one-game", false, "let COMMAND play one game, with A in the first seat, and print one result")
	flags.BoolVar(&difference, "difference", false, "read results as score differences, A minus B; only the sign counts")
	flags.DurationVar(&timeout, "timeout", protocol.RefereeTimeout, "time limit per answer")
	wholeFlag(cmd, &p.Games, "games", "", 10000, 1, "games to play during evolution")
	f.add(cmd, &p.Race, 150, &p.File, "weights.csv")
	runFlags(cmd, &p.Seed, &p.Workers)
	return cmd
}
