package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/internal/disk"
	"plyfit/internal/progress"
	"plyfit/internal/report"
	"plyfit/internal/settings"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/study/diagnose"
)

func (a *App) fitCommand() *cobra.Command {
	var g fitFlags
	cmd := &cobra.Command{
		Use:   "fit DIR|TABLE -o MODEL",
		Short: "Fit weights to a data set by regression",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.fit(cmd, args[0], &g)
		},
	}
	g.bind(cmd, settings.Of(&g), "[columns] ")
	outFileFlag(cmd, &g.out, "model file to write")
	flags := cmd.Flags()
	flags.BoolVar(&g.quiet, "quiet", false, "do not print progress; for quiet positions, use --quiet-positions")
	flags.BoolVar(&g.asJSON, "json", false, "print the report as one JSON object")
	return cmd
}

func (a *App) fit(cmd *cobra.Command, path string, g *fitFlags) error {
	columns, err := g.ofColumns(cmd, path)
	if err != nil {
		return err
	}
	check := cmp.Or(disk.Check(g.Page), distinct(path, g.out, g.Page, g.Start))
	if columns {
		err = cmp.Or(models.CheckWeights(g.out, g.Name), check)
	} else {
		err = cmp.Or(check, models.CheckName(g.out))
	}
	if err != nil {
		return err
	}
	from := &fitSource{}
	if !columns {
		if from, err = a.fitSource(cmd.Context(), path, g.Game); err != nil {
			return err
		}
		if err := g.complete(cmd, from); err != nil {
			return err
		}
	}
	stop := progress.Working(a.Stderr, "fitting "+path, g.quiet)
	defer stop()
	if columns {
		if from.table, err = g.columns(cmd.Context(), path, cmd.Flags().Changed("prior-width")); err != nil {
			return err
		}
	}
	f, err := from.fit(cmd.Context(), g.Fit)
	if err != nil {
		return runFailure(err)
	}
	defer f.Close()
	if g.Diagnose || g.Page != "" {
		if err := f.Diagnose(cmd.Context(), from.world, g.Diagnose); err != nil {
			return runFailure(err)
		}
	}
	stop()
	if columns {
		err = disk.Write(g.out, func(w io.Writer) error { return f.Weights().Write(w, g.out, g.Name) })
	} else {
		err = f.Model.File().Save(g.out)
	}
	if err != nil {
		return runFailure(err)
	}
	if g.Page != "" {
		p, err := fit.Page(f, f.Model.Provenance.Command)
		if err != nil {
			return err
		}
		if err := disk.Write(g.Page, p.HTML); err != nil {
			return runFailure(err)
		}
	}
	switch {
	case g.asJSON && columns:
		return WriteJSON(a.Stdout, f.ColumnsJSON())
	case g.asJSON:
		return WriteJSON(a.Stdout, f.JSON())
	}
	if err := a.printFit(f); err != nil {
		return err
	}
	if from.table != nil { // the labels of a table may have any meaning
		return nil
	}
	line, err := fitSlope(cmd.Context(), from.world, f, g.out)
	if err != nil || line == "" {
		return err
	}
	return a.printf("\n%s\n", line)
}

// methodDocs returns the paragraph about methods in the help text.
func methodDocs() string {
	var docs []string
	for _, m := range fit.Methods {
		if m.Doc == "" {
			docs = append(docs, m.Name)
		} else {
			docs = append(docs, m.Name+" ("+m.Doc+")")
		}
	}
	return wrapped("Methods: " + strings.Join(docs, ", ") + ".")
}

// A fitSource is a data set or, if world is nil, a table of columns without a game.
type fitSource struct {
	world *catalog.World
	data  *datasets.Set
	table *table.Table
}

func (a *App) fitSource(ctx context.Context, path, game string) (*fitSource, error) {
	if table.IsTable(path) {
		if game == "" {
			return nil, fmt.Errorf("%s: a table does not contain the name of its game; use --game GAME", path)
		}
		w, err := a.Catalog.World(game)
		if err != nil {
			return nil, err
		}
		t, err := table.Open(ctx, path, table.Layout{Unit: table.Utility})
		return &fitSource{world: w, table: t}, err
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && filepath.Base(path) != datasets.ManifestFile {
		return nil, fmt.Errorf("%s: not a data set; want a folder that contains %s, or a table whose name ends in %s", path, datasets.ManifestFile, table.Endings)
	}
	data, w, err := a.recorded(path, game)
	return &fitSource{world: w, data: data}, err
}

func (f *fitSource) fit(ctx context.Context, c fit.Options) (*fit.Result, error) {
	switch {
	case f.world == nil:
		return fit.RunColumns(ctx, f.table, c)
	case f.table != nil:
		return fit.RunTable(ctx, f.world, f.table, c)
	}
	return fit.Run(ctx, f.world, f.data, c)
}

func (a *App) printFit(f *fit.Result) error {
	page := report.Page{}
	fit.Describe(&page, f)
	if f.Diagnosis != nil {
		if err := fit.DescribeDiagnosis(&page, f); err != nil {
			return err
		}
	}
	return a.printBlocks(page.Blocks...)
}

// fitSlope returns a sentence that compares the model's confidence with the outcomes of held-out
// games. It returns "" if there are none.
func fitSlope(ctx context.Context, w *catalog.World, f *fit.Result, file string) (string, error) {
	p, ok, err := f.HeldOutSlope(ctx, w)
	if err != nil || !ok {
		return "", err
	}
	command := fmt.Sprintf("%s diagnose %s --game %s", programName(w), file, w.Spec)
	half := float64(stats.TQuantile95(float64(max(1, p.Episodes-1))) * p.SlopeError)
	text := fmt.Sprintf("On held-out games, the log odds of outcomes are %.2f ± %.2f times the predicted log odds. ", p.Slope, half)
	switch diagnose.CalibrationOf(p.Slope, p.Slope-half, p.Slope+half) {
	case diagnose.TooSure:
		return text + "The model is overconfident, which costs points under expectimax. Run " + command + " to measure the loss.", nil
	case diagnose.Unsure:
		return text + "The model is underconfident. Leave it unchanged, because sharpening a model loses more often than it gains.", nil
	}
	return text + "The model is well calibrated.", nil
}
