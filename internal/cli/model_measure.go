package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/internal/report"
	"plyfit/internal/settings"
	"plyfit/learn/fit"
	"plyfit/models"
)

type testFlags struct {
	label   fit.Label
	fitted  string
	against []string
	scale   float64
	layout  layoutFlags
	game    string
	asJSON  bool
}

func (a *App) modelTestCommand() *cobra.Command {
	var g testFlags
	cmd := &cobra.Command{
		Use:   "test MODEL DATA...",
		Short: "Measure how well a model predicts data that it was not fitted to",
		RunE: func(cmd *cobra.Command, args []string) error {
			tables := slices.ContainsFunc(args[1:], table.IsTable)
			var t interface{ Describe(page *report.Page) }
			var err error
			if tables {
				t, err = a.testWeights(cmd, args[0], args[1:], &g)
			} else {
				t, err = a.testModel(cmd, args[0], args[1:], &g)
			}
			if err != nil {
				return runFailure(err)
			}
			if g.asJSON {
				return WriteJSON(a.Stdout, t)
			}
			page := report.Page{}
			t.Describe(&page)
			return a.printBlocks(page.Blocks...)
		},
	}
	flags := cmd.Flags()
	recordedFlag(cmd, &g.game)
	flags.Var(&g.label, "label", "label of data sets: outcome, search, mix:SHARE (of the outcome) or td:LAMBDA")
	flags.StringVar(&g.fitted, "fitted-to", "", "training data of MODEL; games in DATA that overlap with it are left out")
	flags.StringArrayVar(&g.against, "against", nil, "model or weight file to compare with; repeat the flag for several files")
	flags.Float64Var(&g.scale, "scale", 0, "tables: scale of weight files that do not contain a scale; default: centipawns")
	bindFlags(cmd, settings.Of(&g.layout), "of a table: ")
	flags.BoolVar(&g.asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *App) testModel(cmd *cobra.Command, model string, dirs []string, g *testFlags) (*fit.Tested, error) {
	name := changed(cmd, settings.Of(&g.layout))
	if cmd.Flags().Changed("scale") {
		name = "scale"
	}
	if name != "" {
		return nil, fmt.Errorf("--%s: applies only to tables; %s is a data set", name, dirs[0])
	}
	o := fit.Testing{Label: g.label}
	first, w, err := a.recorded(dirs[0], g.game)
	if err != nil {
		return nil, err
	}
	sets := []*datasets.Set{first}
	for i, dir := range dirs[1:] {
		if slices.Contains(dirs[:i+1], dir) {
			return nil, fmt.Errorf("%s: named twice; name each data set once", dir)
		}
		data, err := datasets.Open(dir)
		if err != nil {
			return nil, err
		}
		sets = append(sets, data)
	}
	var named []fit.Named
	for _, name := range append([]string{model}, g.against...) {
		file, err := a.modelFile(name)
		if err != nil {
			return nil, err
		}
		set, m, err := w.Bind(name, file)
		if err != nil {
			return nil, err
		}
		named = append(named, fit.Named{Name: name, Set: set, Model: m})
	}
	o.Against = named[1:]
	if g.fitted != "" {
		if o.FittedTo, err = datasets.Open(g.fitted); err != nil {
			return nil, err
		}
	}
	return fit.Test(cmd.Context(), w, sets, named[0], o)
}

func (a *App) testWeights(cmd *cobra.Command, file string, paths []string, g *testFlags) (*fit.TestedColumns, error) {
	if cmd.Flags().Changed("label") {
		return nil, fmt.Errorf("--label %s: applies only to data sets; %s has its own labels", g.label, paths[0])
	}
	if cmd.Flags().Changed("fitted-to") {
		return nil, fmt.Errorf("--fitted-to %s: applies only to data sets; omit it for tables", g.fitted)
	}
	if cmd.Flags().Changed("scale") && !(g.scale > 0 && g.scale < 1e300) {
		return nil, fmt.Errorf("--scale %v: want a positive number", g.scale)
	}
	for i, path := range paths {
		if !table.IsTable(path) {
			return nil, fmt.Errorf("%s: want a table like %s, with a name that ends in %s", path, paths[slices.IndexFunc(paths, table.IsTable)], table.Endings)
		}
		if slices.Contains(paths[:i], path) {
			return nil, fmt.Errorf("%s: named twice; name each table once", path)
		}
	}
	var weights []*models.Weights
	for _, name := range append([]string{file}, g.against...) {
		w, err := models.ReadWeights(name)
		if err != nil {
			return nil, err
		}
		weights = append(weights, w)
	}
	layout, err := g.layout.read()
	if err != nil {
		return nil, err
	}
	if w := weights[0]; layout.Phase == "" && w.Phase != "" {
		layout.Phase, layout.PhaseMax = w.Phase, w.PhaseMax
		if err := layout.Complete(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if w := weights[0]; layout.Phase == "" && w.Tapered {
		return nil, fmt.Errorf("%s: contains middlegame and endgame weights; want --phase COLUMN:MAX", file)
	}
	var tables []*table.Table
	for _, path := range paths {
		t, err := table.Open(cmd.Context(), path, layout)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return fit.TestColumns(cmd.Context(), tables, g.scale, weights[0], weights[1:]...)
}
