// Package doctor is the command plyfit doctor: what seems wrong with a game and its
// features, from random games.
//
//  1. [Examine] plays them, and notes of every term what it was.
//
//  2. [Report.Complaints] says what seems wrong, a line each.
package doctor

import (
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/cli/shell"
	"plyfit/internal/failure"
)

// Command makes the command.
func Command(a *shell.App) *cobra.Command {
	var set string
	var o Options
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor GAME",
		Short: "Say what seems wrong with a game and its features",
		Long: `Play random games, and say what seems wrong with the game and with a feature set, a
line each: terms that never vary or are always 0, terms that are multiples of others,
terms that do not turn over with the players though the set says so, and positions that
share a hash and have other moves. The exit code is 1 where something does.

Random games do not come everywhere: a term that was always 0 may be one of rare
positions. The laws (game/gametest and features/featuretest) check the rules.`,
		Example: `  plyfit doctor connect4
  plyfit doctor chess --features chess/wide --games 1000`,
		Args: shell.Exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.Catalog.World(args[0])
			if err != nil {
				return err
			}
			s, err := w.Set(set)
			if err != nil {
				return err
			}
			r, err := Examine(cmd.Context(), w.Game, s, o)
			if err != nil {
				return err
			}
			complaints := r.Complaints()
			if asJSON {
				r.Found = complaints
				err = shell.WriteJSON(a.Stdout, r)
			} else {
				err = r.print(a, complaints)
			}
			if err == nil && len(complaints) > 0 {
				err = failure.Of(fmt.Errorf("doctor: %s with %s and %s", shell.Counted(len(complaints), "finding"), w.Spec, s.Name()))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&set, "features", "", "the feature set; default: the game's first")
	shell.WholeFlag(cmd, &o.Games, "games", "", 200, 1, "random games to play")
	shell.SeedFlag(cmd, &o.Seed)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

func (r *Report) print(a *shell.App, complaints []string) error {
	_, err := fmt.Fprintf(a.Stdout, "%s, %s: %d games, %d positions, %d distinct, %.0f played and %.0f extracted a second\n",
		r.Game, r.Set, r.Games, r.Positions, r.Distinct, r.Played, r.Extracted)
	for _, line := range complaints {
		if err == nil {
			_, err = fmt.Fprintln(a.Stdout, line)
		}
	}
	if err == nil && len(complaints) == 0 {
		_, err = fmt.Fprintln(a.Stdout, "nothing seems wrong")
	}
	return failure.Of(err)
}
