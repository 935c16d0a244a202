package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/arena"
	"plyfit/internal/proc"
	"plyfit/internal/spec"
	"plyfit/learn/fit"
	"plyfit/learn/tune"
	"plyfit/models"
	"plyfit/study/report"
)

type ladderFlags struct {
	fit    fitFlags
	table  tuneFlags
	match  matchedFlags
	test   sprtFlags
	widths string
	c      fit.Options
}

// ofNoLadder are the flags of a fit that a ladder sets itself.
var ofNoLadder = []string{"out", "prior-width", "json", "quiet"}

// passing are flags that never change a result.
var passing = []string{"out", "workers", "json", "quiet", "help"}

func (f *ladderFlags) add(cmd *cobra.Command, l *tune.Ladder) {
	fits := &cobra.Command{}
	f.fit.add(fits, &f.c)
	f.table.add(fits, &f.c)
	flags := cmd.Flags()
	fits.Flags().VisitAll(func(x *pflag.Flag) {
		if (slices.Contains(ofTables, x.Name) || slices.Contains(ofBoth, x.Name)) && !slices.Contains(ofNoLadder, x.Name) {
			x.Usage = strings.TrimPrefix(x.Usage, "of a table without --game: ")
			flags.AddFlag(x)
		}
	})
	f.match.add(cmd)
	f.test.add(cmd, "0,20")
	outFlag(cmd, &l.Dir, "folder of weights, engines and matches; the same command goes on with it")
	flags.StringVar(&f.match.game, "game", "chess", "what the engine plays")
	flags.Lookup("scale").Usage = "scale of the link: a number, or start: fitted once to the starting weights; default: start"
	flags.StringVar(&l.Engine.Build, "build", "", "command that makes the program of ENGINE, {} standing for the file of weights: make WEIGHTS={}")
	flags.StringVar(&l.Engine.File, "weights", "weights.h", "what the files of weights are called; the ending is the format")
	flags.StringVar(&f.widths, "widths", "3,6,12,25,50", "widths of the prior, comma-separated")
	wholeFlag(cmd, &l.Pairs, "pairs", "", 50, 1, "pairs of games of each width in the first round, twice as many in the next")
	wholeFlag(cmd, &l.Confirm, "confirm", "", 1000, 1, "pairs that the confirmation may take, at most")
	flags.BoolVar(&f.match.asJSON, "json", false, "the result as one JSON object")
	flags.BoolVar(&f.match.quiet, "quiet", false, "do not say what is done now")
}

func (a *App) tuneLadderCommand() *cobra.Command {
	var f ladderFlags
	var l tune.Ladder
	cmd := &cobra.Command{
		Use:   "ladder TABLE ENGINE --start WEIGHTS -o DIR",
		Short: "Fit with several widths of the prior, and have matches choose",
		Long: `Fit weights to the columns of an engine's own evaluation with one width of the prior
after another (plyfit fit --prior-width), make the engine with each, and play it
against the engine with the starting weights. After each round of the race the widths
that are behind the start and the worse half are out, and the others play twice as many
pairs. The last one is tested once, by a sequential test on openings and seeds that
chose nothing. Only if the test accepts HIGH of --sprt does it win; else none does.
--build makes the program that ENGINE names, {} standing for the file of weights; the
program of each width is copied to DIR. Without --build {} stands in ENGINE, whose
program reads the file.`,
		Example: `  plyfit tune ladder trace.csv 'uci:cmd=./engine,nodes=5000' --build 'make -B WEIGHTS={}' --start start.csv --group game --integers -o ladder
  plyfit tune ladder trace.csv 'uci:cmd=(./engine {}),nodes=5000' --weights w.txt --start start.csv --group game -o ladder`,
		Args: Exactly("TABLE", "ENGINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			l.Engine.Spec = args[1]
			if err := f.read(cmd, &l); err != nil {
				return err
			}
			var err error
			if l.World, err = a.Catalog.World(f.match.game); err != nil {
				return err
			}
			if l.Table, err = f.table.prepare(cmd.Context(), args[0], &f.fit, &f.c); err != nil {
				return err
			}
			if l.Given, err = f.given(cmd, args, l.Table.Digest); err != nil {
				return err
			}
			l.Fit, l.Name, l.Seed, l.Workers = f.c, f.table.name, f.c.Seed, f.c.Workers
			if !f.match.quiet {
				l.Told = func(what string) { fmt.Fprintln(a.Stderr, what) }
			}
			a.resumable.Store(true)
			o, err := l.Run(cmd.Context())
			if err != nil {
				return runFailure(err)
			}
			return a.printLadder(o, f.match.asJSON)
		},
	}
	f.add(cmd, &l)
	return cmd
}

func (f *ladderFlags) read(cmd *cobra.Command, l *tune.Ladder) error {
	if f.table.start == "" {
		return errors.New("--start: want the weights that the engine has now, .csv or .json by column")
	}
	if f.fit.scale == "" { // else a narrow prior is spent on the scale alone
		f.fit.scale = "start"
	}
	if err := f.match.check(); err != nil {
		return err
	}
	l.Openings = f.match.openings
	for _, text := range strings.Split(f.widths, ",") {
		width, ok := spec.Decimal(strings.TrimSpace(text))
		if !ok {
			return fmt.Errorf("--widths %s: want numbers, comma-separated", f.widths)
		}
		l.Widths = append(l.Widths, width)
	}
	test, err := f.test.read()
	if err != nil {
		return err
	}
	if test == nil {
		return errors.New("--sprt: want LOW,HIGH, by which the winner is confirmed")
	}
	l.Test = *test
	if strings.ContainsAny(l.Engine.File, `/\`) {
		return fmt.Errorf("--weights %s: want the name of a file in a folder of each width", l.Engine.File)
	}
	if strings.ContainsAny(l.Dir, " \t,+()'\"") {
		return fmt.Errorf("--out %s: want a folder without blanks, quotes, commas, plus signs and parentheses, since specs of agents name it", l.Dir)
	}
	return models.CheckWeights(l.Engine.File, f.table.name)
}

// given is the input that a ladder depends on, by flags and arguments.
func (f *ladderFlags) given(cmd *cobra.Command, args []string, table string) (map[string]string, error) {
	given := map[string]string{"table": table, "engine": args[1]}
	cmd.Flags().VisitAll(func(x *pflag.Flag) {
		if !slices.Contains(passing, x.Name) {
			given["--"+x.Name] = x.Value.String()
		}
	})
	for _, name := range []string{"start", "prior"} {
		path := given["--"+name]
		if path == "" || path == "none" {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		given["--"+name] = hex.EncodeToString(sum[:])
	}
	return given, nil
}

func (a *App) printLadder(o *tune.Outcome, asJSON bool) error {
	if asJSON {
		return WriteJSON(a.Stdout, o)
	}
	t := report.Table{
		Head:    []string{"width", "held-out loss", "pairs", "points", "Elo", "note"},
		Caption: fmt.Sprintf("The starting weights lose %.6g on the held-out rows. Intervals are 95%%, of each width by itself.", o.Start),
	}
	for _, r := range o.Rungs {
		note := r.Out
		if r == o.Winner {
			note = "wins"
		}
		elo := "-"
		if r.Elo.Known {
			elo = r.Elo.Format("%.0f", 1)
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(r.Width), fmt.Sprintf("%.6g", r.HeldOut), fmt.Sprint(r.Pairs), r.Score.Percent(), elo, note})
	}
	if err := a.printBlock(t); err != nil {
		return err
	}
	if o.Confirmed != nil {
		if err := a.printBlock(report.Text(confirmed(o.Confirmed))); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(a.Stdout, o.Sentence)
	return proc.Failure(err)
}

// confirmed describes the confirming match.
func confirmed(r *arena.Result) string {
	return "Confirmation on fresh openings: " + r.Sentence
}
