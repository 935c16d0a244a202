package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/internal/terminal"
)

func (a *App) evalCommand() *cobra.Command {
	var position, model string
	var asJSON bool
	var player int
	cmd := &cobra.Command{
		Use:   "eval GAME --model FILE",
		Short: "Evaluate a position, term by term",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			set, m, err := w.Model(model)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("player") && (player < 0 || player >= w.Players) {
				return fmt.Errorf("--player %d: want 0 to %d", player, w.Players-1)
			}
			evaluator := features.NewEvaluator(w.Game, set, m)
			return a.eachPosition(w, position, func(s game.State) error {
				if s.Turn() == game.Nobody {
					return fmt.Errorf("%s: the game is over; want an unfinished position", s)
				}
				view, whose := catalog.Mover(s), "the mover's"
				if cmd.Flags().Changed("player") {
					view = game.Player(player)
				}
				if view != s.Turn() {
					whose = w.Seat(view) + "'s"
				}
				x := evaluator.Explain(s, view)
				if asJSON {
					return WriteJSON(a.Stdout, x)
				}
				return a.printExplanation(s, x, whose)
			})
		}),
	}
	positionFlag(cmd, &position)
	cmd.Flags().StringVarP(&model, "model", "m", "handwritten", "evaluation: handwritten, learned or a model file")
	cmd.Flags().IntVar(&player, "player", 0, "player whose point of view is used, numbered from 0 (default: the mover)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per position")
	return cmd
}

func (a *App) printExplanation(s game.State, x features.Explanation, whose string) error {
	t := report.Table{Head: []string{"term", "value", "weight", "product"}}
	for _, e := range x.Terms {
		t.Rows = append(t.Rows, []string{cmp.Or(e.Reads, e.Name), terminal.Number(e.Value), terminal.Number(e.Weight), terminal.Number(e.Product)})
	}
	t.Rows = append(t.Rows, []string{"bias", "", "", terminal.Number(x.Bias)})
	names, values := x.Ending(terminal.Number)
	for i, name := range names {
		t.Rows = append(t.Rows, []string{name, "", "", terminal.Number(values[i])})
	}
	fmt.Fprintf(a.Stdout, "position  %s\nvalue     %s (%s)\n%s\n", s, terminal.Number(x.Leaf), whose, strings.Repeat("-", 40))
	return proc.Failure(t.Print(a.Stdout))
}
