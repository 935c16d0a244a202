package dataset

import (
	"github.com/spf13/cobra"

	"plyfit/cli/shell"
	"plyfit/datasets"
)

func (a app) datasetMergeCommand() *cobra.Command {
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "merge DIR... -o DIR",
		Short: "Put the slices of a data set together",
		Long: `Put the slices of a data set together, which plyfit selfplay --slice or plyfit
dataset relabel --slice have made in folders of their own. The set has the same
bytes as one that was made by a single process.`,
		Example: "  plyfit dataset merge part1 part2 part3 part4 -o data",
		Args:    shell.AtLeast("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Resumable.Store(true)
			m, err := datasets.Merge(cmd.Context(), out, args)
			if err != nil {
				return shell.RunFailure(err)
			}
			return a.PrintManifest(m, asJSON)
		},
	}
	shell.OutFlag(cmd, &out, "folder of the whole data set")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the data set's description as one JSON object")
	return cmd
}
