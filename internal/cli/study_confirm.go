package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
		Short: "Test preregistered hypotheses",
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := confirm.Read(args[0], a.Catalog)
			if err != nil {
				return err
			}
			again := "plyfit study confirm " + filepath.ToSlash(args[0])
			var r *confirm.Result
			if rows != "" {
				table, err := os.ReadFile(rows)
				if err == nil {
					r, err = p.ReadTable(table)
				}
				if err != nil {
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
				return WriteJSON(a.Stdout, r)
			case form != "":
				return proc.Failure(report.WriteTables(a.Stdout, form, p.Tables(r)...))
			}
			return a.printConfirmed(r, s.Dir)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&s.Dir, "out", "o", "", "run folder; default: runs/confirm-NAME")
	flags.StringVar(&registered, "registered", "", "SHA-256 under which the file was registered")
	flags.StringVar(&rows, "rows", "", "decide from a run's table NAME-rows.csv, without playing games")
	answerFlags(cmd, &asJSON, "print the verdicts as one JSON object", &s.Quiet)
	tableFlag(cmd, &form)
	WorkersFlag(cmd, &s.Workers)
	return cmd
}

// printConfirmed prints the verdicts. If dir, which is the folder of a run, is not empty, it also
// prints the deviations, the provenance and the paths.
func (a *App) printConfirmed(r *confirm.Result, dir string) error {
	t := report.Table{Head: []string{"hypothesis", "verdict", "p by Holm", "p", "batches", "estimate"}, Words: 6}
	for _, v := range r.Decisions {
		t.Rows = append(t.Rows, []string{v.ID, string(v.Support), fmt.Sprintf("%.2g", v.Holm), fmt.Sprintf("%.2g", v.P), fmt.Sprint(v.Batches), v.String()})
	}
	if err := t.Print(a.Stdout); err != nil || dir == "" {
		return proc.Failure(err)
	}
	return a.printf("\n%s\nAll results except these verdicts are exploratory.\n\nProtocol: %s, %s\nCode: %s\nReport: %s\n", r.DeviationsLine(), r.Protocol, r.Provenance, r.Code, filepath.Join(dir, "report.html"))
}
