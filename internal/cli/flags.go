package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/internal/disk"
	"plyfit/internal/report"
	"plyfit/internal/settings"
	"plyfit/models"
)

// whole is a flag for a whole number of at least least, and at most most unless that is 0.
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

// wholeFlag adds a flag for whole numbers of at least least, with an optional short form.
func wholeFlag(cmd *cobra.Command, n *int, name, letter string, otherwise, least int, usage string) {
	*n = otherwise
	cmd.Flags().VarP(whole{n, least, 0}, name, letter, usage)
}

// WorkersFlag adds --workers, which never changes a result.
func WorkersFlag(cmd *cobra.Command, workers *int) {
	*workers = runtime.GOMAXPROCS(0)
	cmd.Flags().Var(whole{workers, 1, 1024}, "workers", "games played at once; never changes a result")
}

// outFileFlag is outFlag for a file: it is refused before the command begins where it cannot be
// written.
func outFileFlag(cmd *cobra.Command, path *string, usage string) {
	outFlag(cmd, path, usage)
	cmd.PreRunE = func(*cobra.Command, []string) error { return disk.Check(*path) }
}

// outModelFlag is outFileFlag for a model, whose name must end in .json.
func outModelFlag(cmd *cobra.Command, path *string, usage string) {
	outFileFlag(cmd, path, usage)
	cmd.PreRunE = func(*cobra.Command, []string) error { return cmp.Or(disk.Check(*path), models.CheckName(*path)) }
}

func outFlag(cmd *cobra.Command, path *string, usage string) {
	cmd.Flags().StringVarP(path, "out", "o", "", usage)
	cmd.MarkFlagRequired("out")
}

// runFlags adds the flags of a run: its seed, and the games played at once.
func runFlags(cmd *cobra.Command, seed *uint64, workers *int) {
	seedFlag(cmd, seed)
	WorkersFlag(cmd, workers)
}

// answerFlags adds --json, with what it prints, and --quiet.
func answerFlags(cmd *cobra.Command, asJSON *bool, printed string, quiet *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, printed)
	cmd.Flags().BoolVar(quiet, "quiet", false, "no progress")
}

func seedFlag(cmd *cobra.Command, seed *uint64) {
	cmd.Flags().Uint64Var(seed, "seed", 1, "makes the run repeatable")
}

// missingFlags names a required flag that is missing, and what it wants.
func missingFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if err == nil && f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed {
			_, usage := pflag.UnquoteUsage(f)
			err = fmt.Errorf("%s: want --%s: %s", cmd.CommandPath(), f.Name, usage)
		}
	})
	return err
}

// frozenTerms reads --freeze: TERM=WEIGHT, once a term.
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

// tableFlag adds --table, which replaces other output.
func tableFlag(cmd *cobra.Command, f *report.Format) {
	cmd.Flags().Var((*tableForm)(f), "table", "the tables alone, as csv, markdown or latex (booktabs)")
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
