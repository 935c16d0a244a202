package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"plyfit/cli/shell"
	"plyfit/internal/failure"
	"plyfit/study"
	"plyfit/study/confirm"
	"plyfit/study/sources"
)

func (a *app) confirmCommand() *cobra.Command {
	s := &study.Session{Catalog: a.Catalog, Log: a.Stderr}
	var dryRun, asJSON bool
	var registered, rows string
	var permutations int
	cmd := &cobra.Command{
		Use:   "confirm PROTOCOL",
		Short: "Run hypotheses that were written down and committed first",
		Long: `Run a protocol: a JSON file with hypotheses, worlds, errors, seeds and sizes,
written down before the first game. Findings come from the file alone, with
Holm's correction over its family.

The run is refused where it would confirm nothing: the file or anything else in
its repository is not committed, the program was not built from a commit, a seed
was used before, the folder holds cells of another protocol or of other code, or
a contrast changes planner and world together. Where git knows of no repository,
--registered must give the SHA-256 under which the file was registered elsewhere.

The same command continues an interrupted run.`,
		Example: `  plyfit study confirm study/protocols/2026-11.json --dry-run
  plyfit study confirm study/protocols/2026-11.json`,
		Args: shell.Exactly("PROTOCOL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if sources.IsOne(args[0]) {
				for _, flag := range []string{"dry-run", "permute"} {
					if cmd.Flags().Changed(flag) {
						return fmt.Errorf("%s: a protocol of sources takes no --%s", args[0], flag)
					}
				}
				return a.sourcesProtocol(cmd.Context(), s, args[0], strings.ToLower(registered), rows, asJSON)
			}
			if rows != "" {
				return fmt.Errorf("%s: --rows goes with a protocol of sources", args[0])
			}
			p, err := confirm.Read(args[0], a.Catalog)
			if err != nil {
				return err
			}
			if dryRun {
				c, err := confirm.Cost(cmd.Context(), a.Catalog, p, rehearsedPairs)
				if err != nil {
					return shell.RunFailure(err)
				}
				if asJSON {
					return shell.WriteJSON(a.Stdout, c)
				}
				return a.printCosts(c)
			}
			if s.Dir == "" {
				s.Dir = filepath.Join("runs", "confirm-"+p.Name)
			}
			from, err := confirm.Guard(p.Registration(), s.Dir, strings.ToLower(registered))
			if err != nil {
				return err
			}
			a.Resumable = true
			again := "plyfit study confirm " + filepath.ToSlash(args[0])
			if permutations > 0 {
				again += fmt.Sprintf(" --permute %d", permutations)
			}
			r, err := confirm.Run(cmd.Context(), s, p, from, permutations, again)
			if err != nil {
				return shell.RunFailure(err)
			}
			if asJSON {
				err = shell.WriteJSON(a.Stdout, r)
			} else {
				err = a.printConfirmed(r, s.Dir)
			}
			if err == nil && r.Refused() {
				err = failure.Of(errors.New("study confirm: an instrument check failed, so nothing is decided"))
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&dryRun, "dry-run", false, "say what it will take, from a few timed pairs; play nothing of it")
	flags.StringVarP(&s.Dir, "out", "o", "", "run folder; default: runs/confirm-NAME")
	flags.StringVar(&registered, "registered", "", "SHA-256 under which the file was registered elsewhere")
	flags.StringVar(&rows, "rows", "", "play nothing: decide a protocol of sources again, from the rows.csv of a run")
	shell.WholeFlag(cmd, &permutations, "permute", "", 0, 0, "also decide so many families of permuted labels")
	flags.BoolVar(&asJSON, "json", false, "the verdicts as one JSON object")
	flags.BoolVar(&s.Quiet, "quiet", false, "no progress")
	shell.WorkersFlag(cmd, &s.Workers)
	return cmd
}

// rehearsedPairs is how many pairs of each cell a dry run times.
const rehearsedPairs = 3

func (a *app) printCosts(c *confirm.Costs) error {
	table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "world\tplanner\tdepth\tcell\tpairs\tms a pair\tCPU hours")
	for _, x := range c.Cells {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%d\t%.1f\t%.3f\n", x.World, x.Planner, x.Depth, x.What, x.Pairs, 1000*x.Seconds, x.Hours())
	}
	if err := table.Flush(); err != nil {
		return failure.Of(err)
	}
	_, err := fmt.Fprintf(a.Stdout, "\nBase evaluations and draws: %.3f CPU hours\n%v\nProtocol: %s\n", c.Bases, c, c.Protocol)
	return failure.Of(err)
}

func (a *app) printConfirmed(r *confirm.Result, dir string) error {
	table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "hypothesis\tverdict\tp by Holm\tp\testimate\tin plies\tunits")
	for _, v := range r.Findings {
		fmt.Fprintf(table, "%s\t%s\t%.2g\t%.2g\t%s\t%s\t%d\n", v.ID, v.Support, v.Holm, v.P, v.EstimateText(4), v.PliesText(), v.Units)
	}
	if err := table.Flush(); err != nil {
		return failure.Of(err)
	}
	fmt.Fprintf(a.Stdout, "\n%s\n%s\n", study.ChecksLine(r.Checks), r.DeviationsLine())
	if r.Permuted != nil {
		fmt.Fprintln(a.Stdout, r.Permuted)
	}
	_, err := fmt.Fprintf(a.Stdout, "Everything but these verdicts is exploratory.\n\nProtocol: %s, %s\nCode: %s\nReport: %s\n", r.Protocol, r.Provenance, r.Code, filepath.Join(dir, "report.html"))
	return failure.Of(err)
}
