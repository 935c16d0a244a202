package dataset

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plyfit/cli/shell"
	"plyfit/datasets"
	"plyfit/fit"
	"plyfit/internal/atomicfile"
	"plyfit/table"
)

func (a app) datasetExportCommand() *cobra.Command {
	var c fit.Options
	var out, leaves, label string
	cmd := &cobra.Command{
		Use:   "export DIR -o FILE",
		Short: "Write the samples of a fit as a table for other programs, .csv or .arff",
		Long: `Write the samples that a fit of the data set would use as a dense table, CSV or
ARFF by the file's ending. The columns are episode, weight, kind (0 exact, 1 lower
bound, 2 upper bound), bias (1, or -1 in the view of the second player of two),
the features by name, and last the label, in the same view. Every number reads
back unchanged. plyfit fit takes the file in place of the data set.`,
		Example: `  plyfit dataset export data -o table.csv
  plyfit dataset export data -o table.arff --features connect4/lines --label mix:0.5`,
		Args: shell.Exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !table.IsWritten(out) {
				return fmt.Errorf("--out %s: want a name that ends in .csv or .arff", out)
			}
			if err := atomicfile.Check(out); err != nil {
				return err
			}
			data, err := datasets.Open(args[0])
			if err != nil {
				return err
			}
			w, err := a.Catalog.Recorded(data.Game)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if c.Label, err = fit.ParseLabel(label); err != nil {
				return err
			}
			if c.Leaves, err = shell.LeavesFlag(leaves, w.Recipe().Leaves); err != nil {
				return err
			}
			rows, set, err := fit.Rows(cmd.Context(), w, data, c)
			if err != nil {
				return err
			}
			return shell.RunFailure(atomicfile.Write(out, func(f io.Writer) error { return fit.WriteTable(cmd.Context(), f, out, set, rows) }))
		},
	}
	flags := cmd.Flags()
	shell.OutFlag(cmd, &out, "file to write, .csv or .arff")
	flags.StringVar(&c.Set, "features", "", "feature set; default: the game's")
	flags.StringVar(&label, "label", "", "outcome, search, mix:SHARE of the outcome, or td:LAMBDA; default: outcome")
	flags.StringVar(&leaves, "leaves", "", "which positions: decision, or afterstate, right after the move; default: chosen by the game")
	shell.WorkersFlag(cmd, &c.Workers)
	return cmd
}
