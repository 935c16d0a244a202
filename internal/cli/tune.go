package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/arena"
	"plyfit/internal/disk"
	"plyfit/internal/report"
	"plyfit/learn/tune"
	"plyfit/models"
)

func (a *App) tuneCommand() *cobra.Command {
	return Group("tune", "Tune the evaluation of your own engine",
		a.tuneSelfplayCommand(), a.tuneLadderCommand(), a.tuneOptionsCommand(), a.tunePlayCommand())
}

// matchedFlags contains the flags shared by all commands that let an engine play.
type matchedFlags struct {
	game   string
	book   arena.Book
	asJSON bool
	quiet  bool
}

func (m *matchedFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&m.game, "game", "chess", "game that the engine plays")
	wholeFlag(cmd, &m.book.Plies, "plies", "", 8, 1, "random decisions per opening")
	flags.Float64Var(&m.book.Within, "within", 0.2, "maximum distance of an opening from a draw, from 0 (a draw) to 1 (a win)")
}

// check returns an error if the flags of the openings are invalid.
func (m *matchedFlags) check() error {
	if !(m.book.Within > 0 && m.book.Within <= 1) {
		return fmt.Errorf("--within %v: want a number above 0 and at most 1", m.book.Within)
	}
	return nil
}

// raceFlags contains the flags shared by all commands that race weights.
type raceFlags struct {
	test          sprtFlags
	asJSON, quiet bool
}

func (f *raceFlags) add(cmd *cobra.Command, r *tune.Race, pairs int, file *string, usual string) {
	f.test.add(cmd, "0,20")
	outFlag(cmd, &r.Dir, "folder for weights and matches; if the folder exists, the run is resumed")
	flags := cmd.Flags()
	flags.StringVar(file, "weights", usual, "name of the weight files, with an extension that selects the format")
	wholeFlag(cmd, &r.Pairs, "pairs", "", pairs, 1, "pairs of games per candidate in the first round; each further round doubles the total")
	wholeFlag(cmd, &r.Confirm, "confirm", "", 1000, 1, "maximum number of pairs for the confirmation (the exact number with --sprt off)")
	answerFlags(cmd, &f.asJSON, "print the result as one JSON object", &f.quiet)
}

func (f *raceFlags) read(cmd *cobra.Command, r *tune.Race, file string) error {
	var err error
	if r.Test, err = f.test.read(cmd); err != nil {
		return err
	}
	if strings.ContainsAny(file, `/\\`) {
		return fmt.Errorf("--weights %s: want a file name without a folder, since each candidate has its own folder", file)
	}
	if strings.ContainsAny(r.Dir, " \t,+()'\"") {
		return fmt.Errorf("--out %s: want a name without blanks, quotes, commas, plus signs or parentheses, because agent specs contain the name", r.Dir)
	}
	return models.CheckWeights(file, "eval")
}

// race calls run and prints its result: as JSON, or with print.
func race[T any](a *App, cmd *cobra.Command, f *raceFlags, r *tune.Race, run func(context.Context) (T, error), print func(T) error) error {
	if !f.quiet {
		r.Log = func(line string) { fmt.Fprintln(a.Stderr, line) }
	}
	a.resumable.Store(true)
	found, err := run(cmd.Context())
	switch {
	case err != nil:
		return runFailure(err)
	case f.asJSON:
		return WriteJSON(a.Stdout, found)
	}
	return print(found)
}

// neutralFlags lists the flags that never change a result.
var neutralFlags = []string{"out", "workers", "json", "quiet", "help"}

// resultInputs returns the flags that change a command's result, and the digests of the command's
// files. The paths of these files do not affect the result.
func resultInputs(cmd *cobra.Command, files ...string) (map[string]string, error) {
	all := map[string]string{}
	cmd.Flags().VisitAll(func(x *pflag.Flag) {
		if !slices.Contains(neutralFlags, x.Name) && !slices.Contains(files, x.Value.String()) {
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

func (a *App) printRace(o *tune.Outcome) error {
	t := report.Table{
		Head:    []string{"candidate", "held-out loss", "pairs", "points", "Elo", "note"},
		Caption: "Each 95% interval applies to one candidate alone. The score of the best candidate is partly due to luck.",
	}
	if o.Start != 0 {
		t.Caption = fmt.Sprintf("The loss of the starting weights on the held-out rows is %.6g. %s", o.Start, t.Caption)
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
