package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/cli/shell"
	"plyfit/internal/failure"
)

func (a *app) doctorCommand() *cobra.Command {
	var set string
	var games int
	var seed uint64
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
		RunE: a.InWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			s, err := w.Set(set)
			if err != nil {
				return err
			}
			r, err := examine(cmd.Context(), w.Game, s, games, seed)
			if err != nil {
				return err
			}
			complaints := r.complaints()
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
		}),
	}
	cmd.Flags().StringVar(&set, "features", "", "the feature set; default: the game's first")
	shell.WholeFlag(cmd, &games, "games", "", 200, 1, "random games to play")
	shell.SeedFlag(cmd, &seed)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

func (r *examined) print(a *app, complaints []string) error {
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
