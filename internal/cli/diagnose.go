package cli

import (
	"cmp"
	"context"
	"fmt"

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
	var asJSON, quiet, terms bool
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
			for _, flag := range map[bool][]string{true: {"depth", "budget", "report"}, false: {"nodes", "out"}}[terms] {
				if cmd.Flags().Changed(flag) {
					return fmt.Errorf("--%s: applies only %s --terms", flag, map[bool]string{true: "without", false: "with"}[terms])
				}
			}
			if terms {
				o.Dir = cmp.Or(o.Dir, runFolder(o.World, "terms-", o.Seed))
				a.resumable.Store(true)
				r, err := diagnosed(a, cmd.Context(), o, quiet, diagnose.Terms)
				if err != nil {
					return err
				}
				if form != "" {
					return proc.Failure(report.WriteTables(a.Stdout, form, r.Tables()...))
				}
				return printResult(a.Stdout, r, asJSON)
			}
			r, err := diagnosed(a, cmd.Context(), o, quiet, diagnose.Run)
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
	wholeFlag(cmd, &o.Games, "games", "", 0, 0, "maximum number of self-play games; 0: automatic (600, or more with a larger budget; 2000 with --terms)")
	wholeFlag(cmd, &o.Pairs, "pairs", "", 0, 0, "maximum number of pairs per match; 0: automatic (1000, or more with a larger budget; 400 with --terms)")
	flags.Float64Var(&o.Budget, "budget", diagnose.DefaultBudget, "limit in CPU seconds, estimated from node counts rather than measured")
	flags.StringVar(&page, "report", "", "HTML file to write")
	flags.BoolVar(&terms, "terms", false, "measure what each group of terms is worth at equal CPU time")
	wholeFlag(cmd, &o.Nodes, "nodes", "", diagnose.DefaultNodes, 10, "with --terms: number of nodes per move")
	flags.StringVarP(&o.Dir, "out", "o", "", "with --terms: run folder; default: runs/terms-GAME-SEED")
	answerFlags(cmd, &asJSON, "print the report as one JSON object", &quiet)
	tableFlag(cmd, &form)
	runFlags(cmd, &o.Seed, &o.Workers)
	return cmd
}

// diagnosed runs a diagnosis with a progress bar for each stage.
func diagnosed[R any](a *App, ctx context.Context, o diagnose.Options, quiet bool, run func(context.Context, diagnose.Options) (*R, error)) (*R, error) {
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
	r, err := run(ctx, o)
	if bar != nil {
		bar.Finish()
	}
	return r, runFailure(err)
}
