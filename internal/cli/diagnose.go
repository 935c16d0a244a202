package cli

import (
	"context"

	"github.com/spf13/cobra"

	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/progress"
	"plyfit/internal/report"
	"plyfit/study/diagnose"
)

func (a *App) diagnoseCommand() *cobra.Command {
	var o diagnose.Options
	var world, page string
	var form report.Format
	var asJSON, quiet bool
	cmd := &cobra.Command{
		Use:   "diagnose EVAL --game GAME",
		Short: "Measure how much an evaluation loses through ranking errors and scale errors",
		RunE: func(cmd *cobra.Command, args []string) error {
			err := disk.Check(page)
			if err != nil {
				return err
			}
			if o.World, err = a.Catalog.World(world); err != nil {
				return err
			}
			if o.Evaluation, err = o.World.Evaluation(args[0]); err != nil {
				return err
			}
			o.Program = programName(o.World)
			r, err := a.diagnosed(cmd.Context(), o, quiet)
			if err != nil {
				return err
			}
			if page != "" {
				if err := disk.Write(page, r.Page().HTML); err != nil {
					return runFailure(err)
				}
			}
			if form != "" {
				return proc.Failure(report.WriteTables(a.Stdout, form, r.Tables()...))
			}
			return printResult(a.Stdout, r, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&world, "game", "", "game; add +slip=P for random slips")
	cmd.MarkFlagRequired("game")
	wholeFlag(cmd, &o.Depth, "depth", "", 0, 0, "search depth in decisions; 0: automatic (2, or 1 if depth 2 takes too long)")
	wholeFlag(cmd, &o.Games, "games", "", 0, 0, "maximum number of self-play games; 0: automatic (600, or more with a larger budget)")
	wholeFlag(cmd, &o.Pairs, "pairs", "", 0, 0, "maximum number of pairs per match; 0: automatic (1000, or more with a larger budget)")
	flags.Float64Var(&o.Budget, "budget", diagnose.DefaultBudget, "limit in CPU seconds, estimated from node counts rather than measured")
	flags.StringVar(&page, "report", "", "HTML file to write")
	answerFlags(cmd, &asJSON, "print the report as one JSON object", &quiet)
	tableFlag(cmd, &form)
	runFlags(cmd, &o.Seed, &o.Workers)
	return cmd
}

// diagnosed runs the diagnosis with a progress bar for each stage.
func (a *App) diagnosed(ctx context.Context, o diagnose.Options, quiet bool) (*diagnose.Report, error) {
	var bar *progress.Bar
	var at string
	o.Progress = func(stage string, done, of int) {
		if bar == nil || stage != at {
			if bar != nil {
				bar.Finish()
			}
			bar, at = progress.New(a.Stderr, stage, int64(of), quiet), stage
		}
		bar.Set(int64(done))
	}
	r, err := diagnose.Run(ctx, o)
	if bar != nil {
		bar.Finish()
	}
	return r, runFailure(err)
}
