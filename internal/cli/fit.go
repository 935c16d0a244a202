package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"plyfit/internal/spec"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/study/diagnose"
)

func (a *App) fitCommand() *cobra.Command {
	var g fitFlags
	cmd := &cobra.Command{
		Use:   "fit DIR|TABLE -o MODEL",
		Short: "Fit weights to a data set by regression",
		Args:  Exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.fit(cmd, args[0], &g)
		},
	}
	g.add(cmd)
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
	if from.table != nil { // whose labels may be anything
		return nil
	}
	line, err := fitSlope(cmd.Context(), from.world, f, g.out)
	if err != nil || line == "" {
		return err
	}
	return a.printf("\n%s\n", line)
}

// methodDocs is what the help says of the methods.
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

// fitSource is a data set or a table. Without a world it is a table of columns.
type fitSource struct {
	world *catalog.World
	data  *datasets.Set
	table *table.Table
}

func (a *App) fitSource(ctx context.Context, path, game string) (*fitSource, error) {
	if table.IsTable(path) {
		if game == "" {
			return nil, fmt.Errorf("%s: a table does not say what it is of: want --game GAME", path)
		}
		w, err := a.Catalog.World(game)
		if err != nil {
			return nil, err
		}
		t, err := table.Open(ctx, path, table.Layout{Unit: table.Utility})
		return &fitSource{world: w, table: t}, err
	}
	if game != "" {
		return nil, fmt.Errorf("--game %s: %s is a data set, which says so itself: want a table with it", game, path)
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && filepath.Base(path) != datasets.ManifestFile {
		return nil, fmt.Errorf("%s: no data set: want a folder with a %s, or a table: a file that ends in %s", path, datasets.ManifestFile, table.Endings)
	}
	data, w, err := a.recorded(path)
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

// fitSlope says how sure the model is of itself, by held-out games; "" without any.
func fitSlope(ctx context.Context, w *catalog.World, f *fit.Result, file string) (string, error) {
	p, ok, err := f.HeldOutSlope(ctx, w)
	if err != nil || !ok {
		return "", err
	}
	command := fmt.Sprintf("%s diagnose %s --game %s", programName(w), file, w.Spec)
	half := float64(stats.TQuantile95(float64(max(1, p.Episodes-1))) * p.SlopeError)
	text := fmt.Sprintf("On held-out games the log odds of outcomes are %.2f ± %.2f times those predicted: ", p.Slope, half)
	switch diagnose.CalibrationOf(p.Slope, p.Slope-half, p.Slope+half) {
	case diagnose.TooSure:
		return text + "too sure of itself, which costs expectimax points; " + command + " says how many.", nil
	case diagnose.Unsure:
		return text + "unsure of itself: leave it, as to sharpen it loses more often than it gains.", nil
	}
	return text + "about right.", nil
}

// columnFit holds the weights that the flags of a fit to columns name, and the columns that keep theirs.
type columnFit struct {
	now, prior *models.Weights // of --start and --freeze, and of --prior; nil: none
	frozen     []string
}

// columns reads a table without a game and completes the options of its fit. widthGiven reports
// whether the user or the caller chooses the width of the prior.
func (g *fitFlags) columns(ctx context.Context, path string, widthGiven bool) (*table.Table, error) {
	layout, err := g.Layout.read()
	if err != nil {
		return nil, err
	}
	var named columnFit
	if err := named.read(g, widthGiven); err != nil {
		return nil, err
	}
	t, err := table.Open(ctx, path, layout)
	if err != nil {
		return nil, runFailure(err)
	}
	if g.PerGame > 0 {
		if !t.Grouped() {
			return nil, fmt.Errorf("--rows-per-game: want --group COLUMN, since no column of %s says which rows are of one game", path)
		}
		t = t.Thinned(g.PerGame, g.Fit.Seed)
	}
	return t, runFailure(named.bind(t, &g.Fit))
}

func (n *columnFit) read(g *fitFlags, widthGiven bool) (err error) {
	c := &g.Fit
	if c.Method, err = fit.MethodNamed(g.Method); err != nil || c.Method != nil && c.Method != fit.Newton && c.Method != fit.LBFGS {
		return fmt.Errorf("method %q: want newton or lbfgs for a table of no game", g.Method)
	}
	if c.HeldOut.ByName {
		return fmt.Errorf("--held-out %s: want N, one game in N, at least 2", c.HeldOut)
	}
	if err := cmp.Or(g.readPenalty(fit.Determined), g.readScale("start")); err != nil {
		return err
	}
	// On another scale the start's weights are no prior. A penalty, a prior and the squared loss are
	// alternatives.
	c.Width.Usual = !widthGiven && g.Start != "" && c.Scale.Prior && g.Penalty == "" && c.PriorName == "" && c.Loss != fit.SquaredError && c.Method != fit.LBFGS
	if g.Start != "" {
		if n.now, err = models.ReadWeights(g.Start); err != nil {
			return err
		}
	}
	if c.PriorName != "" && c.PriorName != "none" {
		if n.prior, err = models.ReadWeights(c.PriorName); err != nil {
			return err
		}
	}
	for _, item := range g.Freeze {
		if err := n.freeze("--freeze", item); err != nil {
			return err
		}
	}
	switch {
	case g.Anchor == "":
	case !strings.Contains(g.Anchor, "="):
		return fmt.Errorf("--anchor %s: want COLUMN=WEIGHT or COLUMN=MG/EG", g.Anchor)
	case g.Scale != "":
		return errors.New("--anchor: the scale is fitted to it: want no --scale")
	default:
		c.Scale.Free = true
		if err := n.freeze("--anchor", g.Anchor); err != nil {
			return err
		}
	}
	if c.Scale.Prior && n.now == nil {
		return errors.New("scale start: want starting weights, whose scale it is")
	}
	return nil
}

// bind assigns the given weights to the columns of t.
func (n *columnFit) bind(t *table.Table, c *fit.Options) (err error) {
	scale := cmp.Or(c.Scale.Value, fit.CentipawnScale)
	if c.Scale.Prior {
		scale = n.now.Scale // to be fitted, to weights in their own unit
	}
	c.Width.By = map[string]float64{}
	bound := [2]*models.Linear{}
	for i, w := range []*models.Weights{n.now, n.prior} { // the widths of the prior prevail
		if w == nil {
			continue
		}
		if scale > 0 && !c.Scale.Free {
			w.OnScale(scale)
		}
		maps.Copy(c.Width.By, w.Widths)
		if bound[i], err = fit.ColumnModel(t, w); err != nil {
			return err
		}
	}
	c.Start, c.Prior = bound[0], bound[1]
	if len(c.Width.By) > 0 {
		c.Width.Usual = false
	}
	c.Frozen, err = fit.FrozenColumns(t, c.Start, n.frozen)
	return err
}

// freeze reads an item of --freeze or --anchor: COLUMN, which keeps its starting weight, COLUMN=W
// or COLUMN=MG/EG.
func (n *columnFit) freeze(flag, item string) error {
	name, text, given := item, "", false
	if i := strings.LastIndexByte(item, '='); i >= 0 {
		name, text, given = item[:i], item[i+1:], true
	}
	n.frozen = append(n.frozen, name)
	if !given {
		return nil
	}
	mg, eg, two := strings.Cut(text, "/")
	if !two {
		eg = mg
	}
	middlegame, ok := spec.Decimal(mg)
	endgame, ok2 := spec.Decimal(eg) // no fraction, since / parts the two
	if !ok || !ok2 {
		return fmt.Errorf("%s %s: want COLUMN, COLUMN=WEIGHT or COLUMN=MG/EG", flag, item)
	}
	if n.now == nil {
		n.now = &models.Weights{File: flag}
	}
	n.now.Set(models.Weight{Name: name, Middlegame: middlegame, Endgame: endgame})
	return nil
}
