package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/internal/report"
	"plyfit/study/measure"
)

// scored contains the result of an evaluation for the output of model score.
type scored struct {
	Evaluation string `json:"evaluation"`
	*measure.Score
}

func (a *App) modelScoreCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "score GAME EVAL...",
		Short: "Measure the moves of evaluations in positions with exact values",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("want a game and at least one evaluation")
			}
			b, err := measure.OpenBench(args[0])
			if err != nil {
				return err
			}
			w, err := a.Catalog.World(b.Game)
			if err != nil {
				return err
			}
			var rows []scored
			t := report.Table{Head: []string{"evaluation", "decision loss", "best moves"}}
			for _, name := range args[1:] {
				spec := name
				if !strings.Contains(name, ":cmd=") {
					spec = b.Planner + ",eval=" + name
				}
				agent, err := w.Agent(spec, catalog.AgentOptions{Complete: true})
				if err != nil {
					return err
				}
				score, err := b.Score(cmd.Context(), w, agent)
				if err != nil {
					return runFailure(err)
				}
				rows = append(rows, scored{name, score})
				t.Rows = append(t.Rows, []string{name, score.Loss.Format("%.4f", 1), score.Kept.Percent()})
			}
			if asJSON {
				return WriteJSON(a.Stdout, rows)
			}
			t.Caption = fmt.Sprintf("Moves of %s in %d positions of %d games of %s, with 95%% intervals clustered by game. The loss is the exact value of the best move minus that of the move played.",
				b.Planner, rows[0].Decisions, rows[0].Games, b.Game)
			return a.printBlocks(t)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array with an object for each evaluation")
	return cmd
}
