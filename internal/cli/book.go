package cli

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/internal/disk"
	"plyfit/internal/progress"
)

func (a *App) bookCommand() *cobra.Command {
	var out, evaluator string
	var plies, count int
	var within float64
	var seed uint64
	var quiet bool
	cmd := &cobra.Command{
		Use:   "book GAME -o FILE",
		Short: "Make a file of balanced openings for matches",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, _ []string) error {
			if within == 0 { // arena.Book would replace 0 by its default
				return fmt.Errorf("--within 0: want a number above 0 and at most 1")
			}
			evaluator = cmp.Or(evaluator, w.Planner())
			book := arena.Book{Game: w.Game, Plies: plies, Size: count, Seed: seed, Within: within}
			var err error
			if book.Agent, err = w.Entrant(evaluator, w.Planner()); err != nil {
				return err
			}
			bar := progress.New(a.Stderr, "openings", int64(count), quiet)
			book.Progress = func(found, drawn int) {
				bar.Note(fmt.Sprintf("%d positions drawn", drawn))
				bar.Set(int64(found))
			}
			list, err := book.Make(cmd.Context())
			bar.Finish()
			if err != nil {
				return runFailure(err)
			}
			return runFailure(disk.Write(out, func(w io.Writer) error {
				for _, p := range list {
					if _, err := fmt.Fprintln(w, p); err != nil {
						return err
					}
				}
				return nil
			}))
		}),
	}
	flags := cmd.Flags()
	outFileFlag(cmd, &out, "file to write, with one position per line")
	wholeFlag(cmd, &plies, "plies", "", 8, 1, "random decisions")
	wholeFlag(cmd, &count, "count", "", 100, 1, "positions")
	flags.Float64Var(&within, "within", 0.2, "maximum distance from a draw, above 0 and at most 1")
	flags.StringVar(&evaluator, "judge", "", "agent that evaluates positions by search; default: the game's usual planner")
	flags.BoolVar(&quiet, "quiet", false, "do not print progress")
	seedFlag(cmd, &seed)
	return cmd
}
