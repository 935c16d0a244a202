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
		Long: `Make a file of openings for plyfit match --openings @FILE: different positions
after random decisions whose value is near a draw, by the search of --judge. The
scale of --within runs from 0, a draw, to 1, a win: 0.1 is a tenth of a win.`,
		Example: `  plyfit book connect4 -o book.txt --plies 8 --count 100 --within 0.1
  plyfit match connect4 alphabeta:depth=6 alphabeta:depth=4 --openings @book.txt --pairs 100`,
		Args: Exactly("GAME"),
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, _ []string) error {
			if within == 0 { // arena.Book's default
				return fmt.Errorf("--within 0: want above 0 and at most 1")
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
	outFileFlag(cmd, &out, "the file, one position a line")
	wholeFlag(cmd, &plies, "plies", "", 8, 1, "random decisions")
	wholeFlag(cmd, &count, "count", "", 100, 1, "positions")
	flags.Float64Var(&within, "within", 0.2, "how far from a draw a position may be, above 0 and at most 1")
	flags.StringVar(&evaluator, "judge", "", "the agent whose search evaluates positions; default: the planner that the game is learned with")
	flags.BoolVar(&quiet, "quiet", false, "no progress")
	seedFlag(cmd, &seed)
	return cmd
}
