package cli

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/arena/stats"
	"plyfit/datasets/table"
	"plyfit/internal/disk"
	"plyfit/internal/report"
	"plyfit/internal/settings"
	"plyfit/internal/spec"
	"plyfit/models"
)

// whole is the value of a whole-number flag that has a minimum and a maximum. If the maximum is 0,
// there is no upper limit.
type whole struct {
	n           *int
	least, most int
}

func (w whole) String() string {
	if w.n == nil {
		return "0"
	}
	return strconv.Itoa(*w.n)
}

func (w whole) Type() string { return "int" }

func (w whole) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case w.most > 0 && (err != nil || n < w.least || n > w.most):
		return fmt.Errorf("want a whole number from %d to %d", w.least, w.most)
	case err != nil || n < w.least:
		return fmt.Errorf("want a whole number of at least %d", w.least)
	}
	*w.n = n
	return nil
}

// wholeFlag adds a whole-number flag with the given minimum, default and optional one-letter form.
func wholeFlag(cmd *cobra.Command, n *int, name, letter string, otherwise, least int, usage string) {
	*n = otherwise
	cmd.Flags().VarP(whole{n, least, 0}, name, letter, usage)
}

// WorkersFlag adds --workers, the number of parallel games. It never affects a result.
func WorkersFlag(cmd *cobra.Command, workers *int) {
	*workers = runtime.GOMAXPROCS(0)
	cmd.Flags().Var(whole{workers, 1, 1024}, "workers", "number of parallel games, which does not affect results")
}

// outFileFlag is like outFlag, but the value is a file. Before the command runs, it checks that the
// file can be written.
func outFileFlag(cmd *cobra.Command, path *string, usage string) {
	outFlag(cmd, path, usage)
	cmd.PreRunE = func(*cobra.Command, []string) error { return disk.Check(*path) }
}

// outModelFlag is like outFileFlag, but the file is a model, whose name must end in .json.
func outModelFlag(cmd *cobra.Command, path *string, usage string) {
	outFileFlag(cmd, path, usage)
	cmd.PreRunE = func(*cobra.Command, []string) error { return cmp.Or(disk.Check(*path), models.CheckName(*path)) }
}

func outFlag(cmd *cobra.Command, path *string, usage string) {
	cmd.Flags().StringVarP(path, "out", "o", "", usage)
	cmd.MarkFlagRequired("out")
}

// runFlags adds --seed and --workers.
func runFlags(cmd *cobra.Command, seed *uint64, workers *int) {
	seedFlag(cmd, seed)
	WorkersFlag(cmd, workers)
}

// answerFlags adds --quiet, and --json with the given help text.
func answerFlags(cmd *cobra.Command, asJSON *bool, printed string, quiet *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, printed)
	cmd.Flags().BoolVar(quiet, "quiet", false, "do not print progress")
}

func seedFlag(cmd *cobra.Command, seed *uint64) {
	cmd.Flags().Uint64Var(seed, "seed", 1, "seed for random numbers")
}

// missingFlags returns an error for the first required flag that is missing. The error describes
// the flag's value.
func missingFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if err == nil && f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed {
			_, usage := pflag.UnquoteUsage(f)
			err = fmt.Errorf("%s: want --%s: %s", cmd.CommandPath(), f.Name, usage)
		}
	})
	return err
}

// frozenTerms parses the items of --freeze. Each item has the form TERM=WEIGHT, and no term may be
// repeated.
func frozenTerms(list []string) (map[string]float64, error) {
	var terms struct {
		Frozen map[string]float64 `flag:"freeze"`
	}
	for _, item := range list {
		if err := settings.Of(&terms)[0].Set(item); err != nil {
			return nil, fmt.Errorf("--freeze %s: %w", item, err)
		}
	}
	return terms.Frozen, nil
}

// tableFlag adds --table, which replaces all other output.
func tableFlag(cmd *cobra.Command, f *report.Format) {
	cmd.Flags().Var((*tableForm)(f), "table", "print only the tables, as csv, markdown or latex (booktabs)")
	cmd.MarkFlagsMutuallyExclusive("table", "json")
}

// tableForm is the value of --table.
type tableForm report.Format

func (f tableForm) String() string { return string(f) }

func (f tableForm) Type() string { return "FORM" }

func (f *tableForm) Set(name string) error {
	switch form := report.Format(name); form {
	case report.CSV, report.Markdown, report.LaTeX:
		*f = tableForm(form)
		return nil
	}
	return errors.New("want csv, markdown or latex")
}

// layoutFlags contains the settings that describe the columns of a table without a game.
type layoutFlags struct {
	Unit  string   `flag:"label-unit" for:"columns" default:"0..1" help:"unit of labels: 0..1, wdl, -1..1 or cp (centipawns)"`
	Label string   `flag:"label-column" for:"columns" default:"label" help:"label column"`
	Group string   `flag:"group" for:"columns" help:"column that identifies the game of a row; default: episode or game, if present"`
	Phase string   `flag:"phase" for:"columns" help:"COLUMN[:MAX]: fit two weights per column, for the phases 0 (endgame) and MAX (middlegame, default 1)"`
	Skip  []string `flag:"skip" for:"columns" help:"column that is not a feature; repeat the flag for several columns"`
	Keep  []string `flag:"keep" for:"columns" help:"column to use as a feature even though it numbers the rows, such as index or id"`
}

func (l *layoutFlags) read() (out table.Layout, err error) {
	out = table.Layout{Unit: table.Unit(l.Unit), Label: l.Label, Group: l.Group, Phase: l.Phase, Skip: l.Skip, Keep: l.Keep}
	if i := strings.LastIndexByte(l.Phase, ':'); i >= 0 {
		if out.PhaseMax, err = strconv.ParseFloat(l.Phase[i+1:], 64); err != nil || !(out.PhaseMax > 0) {
			return out, fmt.Errorf("--phase %s: want the phase of the middlegame, a number above 0, after the colon", l.Phase)
		}
		out.Phase = l.Phase[:i]
	}
	return out, out.Complete()
}

// forColumns and forGame are values of a setting's tag "for". They mean that the setting applies
// only to tables with arbitrary columns, or only to positions of a game.
const (
	forColumns = "columns"
	forGame    = "game"
)

// bindFlags adds a flag for each setting, with the setting's default. The help text of settings for
// columns begins with prefix.
func bindFlags(cmd *cobra.Command, all []settings.Setting, prefix string) {
	for _, s := range all {
		s.Fill()
		help := s.Help()
		if s.For() == forColumns {
			help = prefix + help
		}
		f := cmd.Flags().VarPF(s, s.Name, "", help)
		if s.Is(reflect.Bool) {
			f.NoOptDefVal = "true"
		}
	}
}

// changed returns the name of the first setting that was given as a flag, or "" if there is none.
func changed(cmd *cobra.Command, all []settings.Setting) string {
	for _, s := range all {
		if cmd.Flags().Changed(s.Name) {
			return s.Name
		}
	}
	return ""
}

// givenFlags copies the settings that were given as flags. It returns an error if the method
// ignores one of them.
func givenFlags(cmd *cobra.Command, from, to any, method string) error {
	target := settings.Of(to)
	for i, s := range settings.Of(from) {
		switch {
		case !cmd.Flags().Changed(s.Name):
		case !s.ReadBy(method):
			return fmt.Errorf("--%w", s.Unread(method))
		default:
			target[i].Copy(s)
		}
	}
	return nil
}

// repeatedFlags formats the given flags for a command line.
func repeatedFlags(cmd *cobra.Command, at any) (text string) {
	for _, s := range settings.Of(at) {
		switch {
		case !cmd.Flags().Changed(s.Name):
		case s.Is(reflect.Bool) && s.String() == "true":
			text += " --" + s.Name
		case s.Is(reflect.Bool):
			text += " --" + s.Name + "=false"
		case s.Repeats():
			for _, item := range s.Items() {
				text += fmt.Sprintf(" --%s %q", s.Name, item)
			}
		default:
			text += fmt.Sprintf(" --%s %s", s.Name, s)
		}
	}
	return text
}

type sprtFlags struct{ bounds, scale, errors string }

// noTest is the value of --sprt for a match without a test.
const noTest = "off"

// add adds the flags. The default value of --sprt is bounds, which is LOW,HIGH or off.
func (t *sprtFlags) add(cmd *cobra.Command, bounds string) {
	flags := cmd.Flags()
	flags.StringVar(&t.bounds, "sprt", bounds, "LOW,HIGH in Elo: stop when a sequential test accepts LOW or HIGH; off: play all pairs")
	flags.StringVar(&t.scale, "sprt-scale", string(stats.Normalised), "scale of LOW and HIGH: normalised (by the noise in the results) or logistic (wins only)")
	flags.StringVar(&t.errors, "sprt-errors", "0.05,0.05", "ALPHA,BETA: probability of accepting HIGH if LOW is true, and of accepting LOW if HIGH is true")
}

// read returns the test, or nil if there is none.
func (t *sprtFlags) read(cmd *cobra.Command) (*stats.SPRT, error) {
	for _, flag := range []string{"sprt-scale", "sprt-errors"} {
		if t.bounds == noTest && cmd.Flags().Changed(flag) {
			return nil, fmt.Errorf("--%s: requires a sequential test; use --sprt LOW,HIGH", flag)
		}
	}
	alpha, beta, err := twoNumbers("sprt-errors", t.errors, "two probabilities, ALPHA,BETA")
	if err != nil {
		return nil, err
	}
	if !(alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5) {
		return nil, fmt.Errorf("--sprt-errors %s: want two probabilities above 0 and below 0.5", t.errors)
	}
	if t.bounds == noTest {
		return nil, nil
	}
	low, high, err := twoNumbers("sprt", t.bounds, "two Elo values, LOW,HIGH, or off")
	if err != nil {
		return nil, err
	}
	return &stats.SPRT{Low: low, High: high, Alpha: alpha, Beta: beta, Scale: stats.Scale(t.scale)}, nil
}

func twoNumbers(flag, text, want string) (x, y float64, err error) {
	first, second, ok := strings.Cut(text, ",")
	x, errX := spec.Number(first)
	y, errY := spec.Number(second)
	if !ok || errX != nil || errY != nil {
		return 0, 0, fmt.Errorf("--%s %s: want %s", flag, text, want)
	}
	return x, y, nil
}
