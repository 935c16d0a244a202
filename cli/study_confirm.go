package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"plyfit/cli/shell"
	"plyfit/internal/failure"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/confirm"
)

func (a *app) confirmCommand() *cobra.Command {
	s := &study.Session{Catalog: a.Catalog, Log: a.Stderr}
	var dryRun, asJSON bool
	var form report.Format
	var registered, rows string
	var permutations int
	cmd := &cobra.Command{
		Use:   "confirm PROTOCOL",
		Short: "Run hypotheses that were written down and committed first",
		Long: `Run a protocol: a JSON file that says what is claimed, how it is measured and how
it is decided, written down before the first game. It asks whether one agent or
evaluation beats another in matches, or what evaluations of several sources lose
under either planner. Verdicts come from the file alone, with Holm's correction.

The run is refused where it would confirm nothing: the file, a model that it
names or anything else in its repository is not committed, the program was not
built from a commit, a seed was used before, or the folder holds cells of another
protocol or of other code. Where git knows of no repository, --registered must
give the SHA-256 under which the file was registered elsewhere.

The same command continues an interrupted run, and makes the report again of one
that is done. --rows decides again from the table that a run wrote.`,
		Example: `  plyfit study confirm study/protocols/2026-12.json
  plyfit study confirm study/protocols/2026-12.json --rows data/2026-12-rows.csv`,
		Args: shell.Exactly("PROTOCOL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := confirm.Read(args[0], a.Catalog)
			if err != nil {
				return err
			}
			if dryRun {
				return a.dryRun(cmd, p, asJSON)
			}
			again := "plyfit study confirm " + filepath.ToSlash(args[0])
			if permutations > 0 {
				again += fmt.Sprintf(" --permute %d", permutations)
			}
			var r *confirm.Result
			if rows != "" {
				if r, err = decidedAgain(p, rows, permutations); err != nil {
					return fmt.Errorf("--rows %s: %w", rows, err)
				}
			} else {
				if s.Dir == "" {
					s.Dir = filepath.Join("runs", "confirm-"+p.Name)
				}
				from, err := confirm.Guard(p, s.Dir, strings.ToLower(registered))
				if err != nil {
					return err
				}
				a.Resumable.Store(true)
				if r, err = confirm.Run(cmd.Context(), s, p, from, permutations, again); err != nil {
					return shell.RunFailure(err)
				}
			}
			switch {
			case asJSON:
				err = shell.WriteJSON(a.Stdout, r)
			case form != "":
				err = failure.Of(report.WriteTables(a.Stdout, form, p.Tables(r)...))
			default:
				err = a.printConfirmed(r, s.Dir)
			}
			if err == nil && r.Refused() {
				err = failure.Of(errors.New("study confirm: an instrument check failed, so nothing is decided"))
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&dryRun, "dry-run", false, "say what it will take, from a small rehearsal; play nothing of it")
	flags.StringVarP(&s.Dir, "out", "o", "", "run folder; default: runs/confirm-NAME")
	flags.StringVar(&registered, "registered", "", "SHA-256 under which the file was registered elsewhere")
	flags.StringVar(&rows, "rows", "", "play nothing: decide again, from the table NAME-rows.csv of a run")
	shell.WholeFlag(cmd, &permutations, "permute", "", 0, 0, "also decide so many families of permuted labels")
	flags.BoolVar(&asJSON, "json", false, "the verdicts as one JSON object")
	shell.TableFlag(cmd, &form)
	flags.BoolVar(&s.Quiet, "quiet", false, "no progress")
	shell.WorkersFlag(cmd, &s.Workers)
	return cmd
}

// decidedAgain is what follows from the table that a run wrote.
func decidedAgain(p *confirm.Protocol, path string, permutations int) (*confirm.Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := p.ReadTable(f)
	if err != nil {
		return nil, err
	}
	return p.Again(t, permutations), nil
}

func (a *app) dryRun(cmd *cobra.Command, p *confirm.Protocol, asJSON bool) error {
	c, err := confirm.Cost(cmd.Context(), a.Catalog, p)
	switch {
	case err != nil:
		return shell.RunFailure(err)
	case asJSON:
		return shell.WriteJSON(a.Stdout, c)
	}
	table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "match or world\tpairs or evaluations\tmaking, ms each\tplaying, ms each\tCPU hours")
	for _, x := range c.Parts {
		fmt.Fprintf(table, "%s\t%d\t%.1f\t%.1f\t%.3f\n", x.Name, x.Units, 1000*x.Making, 1000*x.Playing, x.Hours())
	}
	if err := table.Flush(); err != nil {
		return failure.Of(err)
	}
	_, err = fmt.Fprintf(a.Stdout, "\n%v\nProtocol: %s\n", c, c.Protocol)
	return failure.Of(err)
}

// printConfirmed prints verdicts; of a run, whose folder is given, with what they rest on.
func (a *app) printConfirmed(r *confirm.Result, dir string) error {
	table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "hypothesis\tverdict\tp by Holm\tp\tgroups\tworlds\testimate")
	for _, v := range r.Decisions {
		fmt.Fprintf(table, "%s\t%s\t%.2g\t%.2g\t%d\t%d\t%s\n", v.ID, v.Support, v.Holm, v.P, v.Groups, v.Worlds, v)
	}
	if err := table.Flush(); err != nil {
		return failure.Of(err)
	}
	if r.Permuted != nil {
		fmt.Fprintf(a.Stdout, "\n%v\n", r.Permuted)
	}
	if dir == "" {
		return nil
	}
	fmt.Fprintln(a.Stdout)
	if line := study.ChecksLine(r.Checks); line != "" {
		fmt.Fprintln(a.Stdout, line)
	}
	_, err := fmt.Fprintf(a.Stdout, "%s\nEverything but these verdicts is exploratory.\n\nProtocol: %s, %s\nCode: %s\nReport: %s\n", r.DeviationsLine(), r.Protocol, r.Provenance, r.Code, filepath.Join(dir, "report.html"))
	return failure.Of(err)
}
