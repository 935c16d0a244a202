package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/study"
	"plyfit/study/confirm"
)

func (a *App) confirmCommand() *cobra.Command {
	s := &study.Session{Catalog: a.Catalog, Log: a.Stderr}
	var asJSON bool
	var form report.Format
	var registered, rows string
	cmd := &cobra.Command{
		Use:   "confirm PROTOCOL",
		Short: "Run hypotheses that were written down and committed first",
		Long: `Run a protocol: a JSON file that says which agent or evaluation beats which other
one, and how that is measured and decided, written down before the first game.
Verdicts come from the file alone, with Holm's correction.

The run is refused where it would confirm nothing: the file, a model that it
names or anything else in its repository is not committed, or the program was not
built from a commit. Where git knows of no repository, --registered must give the
SHA-256 under which the file was registered elsewhere.

The same command continues an interrupted run, and makes the report again of one
that is done. --rows decides again from the table that a run wrote.`,
		Example: `  plyfit study confirm my.json
  plyfit study confirm my.json --rows runs/confirm-mine/data/mine-rows.csv`,
		Args: Exactly("PROTOCOL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := confirm.Read(args[0], a.Catalog)
			if err != nil {
				return err
			}
			again := "plyfit study confirm " + filepath.ToSlash(args[0])
			var r *confirm.Result
			if rows != "" {
				if r, err = decidedAgain(p, rows); err != nil {
					return fmt.Errorf("--rows %s: %w", rows, err)
				}
			} else {
				s.Dir = cmp.Or(s.Dir, filepath.Join("runs", "confirm-"+p.Name))
				from, err := confirm.Guard(p, s.Dir, strings.ToLower(registered))
				if err != nil {
					return err
				}
				a.resumable.Store(true)
				if r, err = confirm.Run(cmd.Context(), s, p, from, again); err != nil {
					return runFailure(err)
				}
			}
			switch {
			case asJSON:
				err = WriteJSON(a.Stdout, r)
			case form != "":
				err = proc.Failure(report.WriteTables(a.Stdout, form, p.Tables(r)...))
			default:
				err = a.printConfirmed(r, s.Dir)
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&s.Dir, "out", "o", "", "run folder; default: runs/confirm-NAME")
	flags.StringVar(&registered, "registered", "", "SHA-256 under which the file was registered elsewhere")
	flags.StringVar(&rows, "rows", "", "play nothing: decide again, from the table NAME-rows.csv of a run")
	flags.BoolVar(&asJSON, "json", false, "the verdicts as one JSON object")
	tableFlag(cmd, &form)
	flags.BoolVar(&s.Quiet, "quiet", false, "no progress")
	WorkersFlag(cmd, &s.Workers)
	return cmd
}

// decidedAgain draws the conclusions from the table that a run wrote.
func decidedAgain(p *confirm.Protocol, path string) (*confirm.Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := p.ReadTable(f)
	if err != nil {
		return nil, err
	}
	return p.Again(t), nil
}

// printConfirmed prints verdicts; of a run, whose folder is given, with what they rest on.
func (a *App) printConfirmed(r *confirm.Result, dir string) error {
	table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "hypothesis\tverdict\tp by Holm\tp\tbatches\testimate")
	for _, v := range r.Decisions {
		fmt.Fprintf(table, "%s\t%s\t%.2g\t%.2g\t%d\t%s\n", v.ID, v.Support, v.Holm, v.P, v.Batches, v)
	}
	if err := table.Flush(); err != nil {
		return proc.Failure(err)
	}
	if dir == "" {
		return nil
	}
	return a.printf("\n%s\nEverything but these verdicts is exploratory.\n\nProtocol: %s, %s\nCode: %s\nReport: %s\n", r.DeviationsLine(), r.Protocol, r.Provenance, r.Code, filepath.Join(dir, "report.html"))
}
