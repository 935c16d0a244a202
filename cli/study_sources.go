package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"plyfit/cli/shell"
	"plyfit/internal/failure"
	"plyfit/study"
	"plyfit/study/confirm"
	"plyfit/study/sources"
)

// sourcesProtocol runs a protocol of sources, or decides it again from the rows of a run.
func (a *app) sourcesProtocol(ctx context.Context, s *study.Session, path, registered, rows string, asJSON bool) error {
	p, err := sources.Read(path, a.Catalog)
	if err != nil {
		return err
	}
	if rows != "" {
		return a.decideAgain(p, rows, asJSON)
	}
	if s.Dir == "" {
		s.Dir = filepath.Join("runs", "confirm-"+p.Name)
	}
	from, err := confirm.Guard(p.Registration(), s.Dir, registered)
	if err != nil {
		return err
	}
	a.Resumable = true
	r, err := sources.Run(ctx, s, p, string(from), "plyfit study confirm "+filepath.ToSlash(path))
	if err != nil {
		return shell.RunFailure(err)
	}
	if asJSON {
		err = shell.WriteJSON(a.Stdout, r)
	} else if err = a.printDecisions(r.Decisions); err == nil {
		_, err = fmt.Fprintf(a.Stdout, "\n%s\n%s\nEverything but these verdicts is exploratory.\n\nProtocol: %s, %s\nCode: %s\nReport: %s\n", study.ChecksLine(r.Checks), r.DeviationsLine(), r.Protocol, r.Provenance, r.Code, filepath.Join(s.Dir, "report.html"))
	}
	if err == nil && r.Refused() {
		err = errors.New("study confirm: an instrument check failed, so nothing is decided")
	}
	return failure.Of(err)
}

func (a *app) decideAgain(p *sources.Protocol, path string, asJSON bool) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("--rows: %w", err)
	}
	defer f.Close()
	rows, err := sources.ReadRows(f)
	if err != nil {
		return fmt.Errorf("--rows %s: %w", path, err)
	}
	list := p.Decide(rows)
	if asJSON {
		return shell.WriteJSON(a.Stdout, list)
	}
	return a.printDecisions(list)
}

func (a *app) printDecisions(list []sources.Decision) error {
	table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "hypothesis\tverdict\tp by Holm\tp\tgroups\tworlds\testimate")
	for _, v := range list {
		fmt.Fprintf(table, "%s\t%s\t%.2g\t%.2g\t%d\t%d\t%s\n", v.ID, v.Support, v.Holm, v.P, v.Groups, v.Worlds, v)
	}
	return failure.Of(table.Flush())
}
