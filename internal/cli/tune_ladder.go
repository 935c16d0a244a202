package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/internal/disk"
	"plyfit/internal/report"
	"plyfit/internal/settings"
	"plyfit/internal/spec"
	"plyfit/learn/tune"
	"plyfit/models"
)

// raceFlags are those of all commands that race weights.
type raceFlags struct {
	test          sprtFlags
	asJSON, quiet bool
}

func (f *raceFlags) add(cmd *cobra.Command, r *tune.Race, pairs int, file *string, usual string) {
	f.test.add(cmd, "0,20")
	outFlag(cmd, &r.Dir, "folder of weights and matches; the same command goes on with it")
	flags := cmd.Flags()
	flags.StringVar(file, "weights", usual, "what the files of weights are called; the ending is the format")
	wholeFlag(cmd, &r.Pairs, "pairs", "", pairs, 1, "pairs of games of each candidate in the first round, twice as many in the next")
	wholeFlag(cmd, &r.Confirm, "confirm", "", 1000, 1, "pairs that the confirmation may take, at most; with --sprt off all are played")
	flags.BoolVar(&f.asJSON, "json", false, "the result as one JSON object")
	flags.BoolVar(&f.quiet, "quiet", false, "no lines about progress")
}

func (f *raceFlags) read(cmd *cobra.Command, r *tune.Race, file string) error {
	var err error
	if r.Test, err = f.test.read(cmd); err != nil {
		return err
	}
	if strings.ContainsAny(file, `/\\`) {
		return fmt.Errorf("--weights %s: want the name of a file in a folder of each candidate", file)
	}
	if strings.ContainsAny(r.Dir, " \t,+()'\"") {
		return fmt.Errorf("--out %s: want a folder without blanks, quotes, commas, plus signs and parentheses, since specs of agents name it", r.Dir)
	}
	return models.CheckWeights(file, "eval")
}

// race runs what races, and prints what it found.
func race[T any](a *App, cmd *cobra.Command, f *raceFlags, r *tune.Race, run func(context.Context) (T, error), print func(found T, asJSON bool) error) error {
	if !f.quiet {
		r.Log = func(line string) { fmt.Fprintln(a.Stderr, line) }
	}
	a.resumable.Store(true)
	found, err := run(cmd.Context())
	if err != nil {
		return runFailure(err)
	}
	return print(found, f.asJSON)
}

type ladderFlags struct {
	raceFlags
	fit    fitFlags
	match  matchedFlags
	widths string
}

// passing are flags that never change a result.
var passing = []string{"out", "workers", "json", "quiet", "help"}

func (f *ladderFlags) add(cmd *cobra.Command, l *tune.Ladder) {
	f.fit.bind(cmd, slices.DeleteFunc(settings.Of(&f.fit), func(s settings.Setting) bool {
		return s.For() == forGame || s.Name == "prior-width" // which the ladder sets itself
	}), "")
	flags := cmd.Flags()
	f.match.add(cmd)
	f.raceFlags.add(cmd, &l.Race, 50, &l.Engine.File, "weights.h")
	flags.Lookup("scale").Usage = "scale of the link: a number, or start: fitted once to the starting weights; default: start"
	flags.StringVar(&l.Engine.Build, "build", "", "command that makes the program of ENGINE, with {} for the file of weights: make WEIGHTS={}")
	flags.StringVar(&f.widths, "widths", "3,6,12,25,50", "widths of the prior, comma-separated")
}

func (a *App) tuneLadderCommand() *cobra.Command {
	var f ladderFlags
	var l tune.Ladder
	cmd := &cobra.Command{
		Use:   "ladder TABLE ENGINE --start WEIGHTS -o DIR",
		Short: "Fit with several widths of the prior, and have matches choose",
		Args:  Exactly("TABLE", "ENGINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			l.Engine.Spec = args[1]
			if err := f.read(cmd, &l); err != nil {
				return err
			}
			var err error
			if l.World, err = a.Catalog.World(f.match.game); err != nil {
				return err
			}
			if l.Table, err = f.fit.columns(cmd.Context(), args[0], false); err != nil {
				return err
			}
			if l.Given, err = f.given(cmd, args, l.Table.Digest); err != nil {
				return err
			}
			l.Fit, l.Name, l.Seed, l.Workers = f.fit.Fit, f.fit.Name, f.fit.Fit.Seed, f.fit.Fit.Workers
			return race(a, cmd, &f.raceFlags, &l.Race, l.Run, a.printRace)
		},
	}
	f.add(cmd, &l)
	return cmd
}

func (f *ladderFlags) read(cmd *cobra.Command, l *tune.Ladder) error {
	if f.fit.Start == "" {
		return errors.New("--start: want the weights that the engine has now, .csv or .json by column")
	}
	if f.fit.Scale == "" { // else a narrow prior is spent on the scale alone
		f.fit.Scale = "start"
	}
	if err := f.match.check(); err != nil {
		return err
	}
	l.Book = f.match.book
	var err error
	if l.Widths, err = readWidths(f.widths); err != nil {
		return err
	}
	return cmp.Or(f.raceFlags.read(cmd, &l.Race, l.Engine.File), models.CheckWeights(l.Engine.File, f.fit.Name))
}

func readWidths(text string) (list []float64, err error) {
	for _, word := range strings.Split(text, ",") {
		width, ok := spec.Decimal(strings.TrimSpace(word))
		if !ok || width <= 0 {
			return nil, fmt.Errorf("--widths %s: want numbers above 0, comma-separated", text)
		}
		list = append(list, width)
	}
	return list, nil
}

// given is the input that a ladder depends on, by flags and arguments.
func (f *ladderFlags) given(cmd *cobra.Command, args []string, table string) (map[string]string, error) {
	files := slices.DeleteFunc([]string{f.fit.Start, f.fit.Fit.PriorName}, func(path string) bool { return path == "" || path == "none" })
	all, err := given(cmd, files...)
	if err == nil {
		all["table"], all["engine"] = table, args[1]
	}
	return all, err
}

// given are the flags of a command that change its result, and the digests of its files, whose paths
// do not.
func given(cmd *cobra.Command, files ...string) (map[string]string, error) {
	all := map[string]string{}
	cmd.Flags().VisitAll(func(x *pflag.Flag) {
		if !slices.Contains(passing, x.Name) && !slices.Contains(files, x.Value.String()) {
			all["--"+x.Name] = x.Value.String()
		}
	})
	var err error
	for i, path := range files {
		if all[fmt.Sprintf("file %d", i+1)], err = disk.Digest(path); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (a *App) printRace(o *tune.Outcome, asJSON bool) error {
	if asJSON {
		return WriteJSON(a.Stdout, o)
	}
	t := report.Table{
		Head:    []string{"candidate", "held-out loss", "pairs", "points", "Elo", "note"},
		Caption: "Each 95% interval is that of one candidate; the best of several owes part of its score to luck.",
	}
	if o.Start != 0 {
		t.Caption = fmt.Sprintf("The starting weights lose %.6g on the held-out rows. %s", o.Start, t.Caption)
	}
	for _, r := range o.Candidates {
		note := r.Out
		if r == o.Winner {
			note = "wins"
		}
		elo, loss := "-", "-"
		if r.HeldOut > 0 {
			loss = fmt.Sprintf("%.6g", r.HeldOut)
		}
		if r.Elo.Bounded {
			elo = r.Elo.Format("%.0f", 1)
		}
		t.Rows = append(t.Rows, []string{r.Name, loss, fmt.Sprint(r.Pairs), r.Score.Percent(), elo, note})
	}
	if o.Start == 0 {
		t = withoutColumn(t, slices.Index(t.Head, "held-out loss"))
	}
	if err := a.printBlocks(t); err != nil {
		return err
	}
	if o.Confirmed != nil {
		if err := a.printBlocks(report.Text("Confirmation on fresh openings: " + o.Confirmed.Sentence)); err != nil {
			return err
		}
	}
	return a.printf("%s\n", o.Sentence)
}
