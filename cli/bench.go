package cli

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"plyfit/bench"
	"plyfit/cli/shell"
	"plyfit/internal/atomicfile"
	"plyfit/internal/failure"
)

func (a *app) benchCommand() *cobra.Command {
	b := &bench.Bench{Catalog: a.Catalog}
	var asJSON bool
	var profile string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the speed of searches on this machine",
		Long: `Measure the speed of searches on this machine.

Times are CPU time of the process, medians of five runs or more. The signature
is the number of nodes of a fixed set of searches: it is the same on every
machine, and changes only when the search itself changes.`,
		Example: `  plyfit bench --quick
  plyfit bench --json > bench.jsonl
  plyfit bench --profile default.pgo`,
		Args: shell.Exactly(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if profile != "" {
				return shell.RunFailure(atomicfile.Write(profile, func(w io.Writer) error { return b.Profile(cmd.Context(), w) }))
			}
			if asJSON {
				b.Out = func(m bench.Measurement) error { return shell.WriteJSON(a.Stdout, m) }
				return b.Run(cmd.Context())
			}
			table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
			b.Out = func(m bench.Measurement) error { return printMeasure(table, m) }
			if err := b.Run(cmd.Context()); err != nil {
				return err
			}
			return failure.Of(table.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a measure")
	cmd.Flags().BoolVar(&b.Quick, "quick", false, "shorter runs")
	cmd.Flags().StringVar(&profile, "profile", "", "write a CPU profile of all searches to this file, for a profile-guided build, and measure nothing")
	cmd.MarkFlagsMutuallyExclusive("profile", "json")
	return cmd
}

func printMeasure(w io.Writer, m bench.Measurement) error {
	allocations := ""
	if m.Allocations != nil {
		allocations = fmt.Sprintf("%.3g allocations/node", *m.Allocations)
	}
	spread := ""
	if len(m.Runs) > 1 {
		spread = fmt.Sprintf("(%.4g to %.4g)", slices.Min(m.Runs), slices.Max(m.Runs))
	}
	median := fmt.Sprintf("%.4g", m.Median)
	if m.Median >= 1000 {
		median = fmt.Sprintf("%.0f", m.Median)
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, median, m.Unit, spread, allocations)
	return failure.Of(err)
}
