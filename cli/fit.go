package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/report"
	"plyfit/internal/spec"
	"plyfit/loop"
)

func (a *app) fitCommand() *cobra.Command {
	var c loop.FitConfig
	var out, prior, leaves, game string
	var frozen []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "fit DIR -o MODEL",
		Short: "Regression on a data set",
		Long: `Fit the weights of a linear evaluation to a data set, one episode in five held
out, and write a model file. The report says how well the weights predict,
beside a constant, zero weights and the hand-written evaluation.

In place of a data set it takes a table of samples, a .csv or .arff file such as
plyfit dataset export writes, and then --game. Its columns are named: label, which
must be there, is what the position was worth to the player through whose eyes it
is seen, in the game's units; episode (rows of one episode are held out together),
weight, kind (0 exact, 1 lower bound, 2 upper bound) and bias (1, or -1 where the
second player of two looks; without it the model has no bias) may be; every other
one is a feature of the set. Features without a column count as 0.`,
		Example: `  plyfit fit data -o model.json
  plyfit fit table.csv -o model.json --game connect4 --features connect4/lines
  plyfit fit data -o model.json --method lstd --freeze score=1`,
		Args: exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := writable(out); err != nil {
				return err
			}
			from, err := a.fitSource(args[0], game)
			if err != nil {
				return err
			}
			w := from.world
			recipe := w.Recipe()
			if !cmd.Flags().Changed("method") && (c.Set == "" || c.Set == recipe.Set) && from.table == nil {
				c.Method, c.Lambda = recipe.Method, recipe.Lambda
			}
			if !cmd.Flags().Changed("penalty") {
				c.Penalty = recipe.Penalty
			}
			if c.Frozen, err = w.FrozenIn(c.Set); cmd.Flags().Changed("freeze") {
				c.Frozen, err = frozenTerms(frozen)
			}
			if err != nil {
				return err
			}
			if c.Leaves, err = leavesFlag(leaves, recipe.Leaves); err != nil {
				return err
			}
			if prior != "" {
				if _, c.Prior, err = w.Model(prior); err != nil {
					return err
				}
			}
			f, err := from.fit(cmd.Context(), c)
			if err != nil {
				return err
			}
			if err := f.Model.File().Save(out); err != nil {
				return runFailure(err)
			}
			if asJSON {
				return writeJSON(a.stdout, f.Report)
			}
			return a.printFit(f)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&out, "out", "o", "", "model file to write")
	cmd.MarkFlagRequired("out")
	flags.StringVar(&game, "game", "", "game of a table; a data set says it itself")
	flags.StringVar(&c.Set, "features", "", "feature set; without it the game's default")
	flags.StringVar(&c.Method, "method", "", "ridge, logistic or lstd; without it the game's own choice")
	flags.StringVar(&c.Label, "label", "", "outcome, search or mix:SHARE of the outcome; without it outcome")
	flags.Float64Var(&c.Lambda, "lambda", 0, "of lstd, 0 to 1")
	flags.Float64Var(&c.Penalty, "penalty", 0, "draws weights to the prior; in units of the columns' variances")
	flags.StringVar(&prior, "prior", "", "model that weights are drawn to; without it zero")
	flags.StringArrayVar(&frozen, "freeze", nil, "TERM=WEIGHT: a term that keeps its weight")
	flags.StringVar(&leaves, "leaves", "", "which positions the model is to judge: decision or afterstate")
	flags.BoolVar(&asJSON, "json", false, "the report as one JSON object")
	seedFlag(cmd, &c.Seed)
	workersFlag(cmd, &c.Workers)
	return cmd
}

// fitSource is a data set or a table, and the world that it is of.
type fitSource struct {
	world *catalog.World
	data  *datasets.Set
	table *loop.Table
}

func (a *app) fitSource(path, game string) (*fitSource, error) {
	if loop.IsTable(path) {
		if game == "" {
			return nil, fmt.Errorf("%s: a table does not say what it is of: want --game GAME", path)
		}
		w, err := a.catalog.World(game)
		if err != nil {
			return nil, err
		}
		t, err := loop.OpenTable(path)
		return &fitSource{world: w, table: t}, err
	}
	if game != "" {
		return nil, fmt.Errorf("--game %s: %s is a data set, which says so itself: want a .csv or .arff file with it", game, path)
	}
	data, err := datasets.Open(path)
	if err != nil {
		return nil, err
	}
	w, err := a.catalog.World(data.Game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &fitSource{world: w, data: data}, nil
}

func (f *fitSource) fit(ctx context.Context, c loop.FitConfig) (*loop.Fitted, error) {
	if f.table != nil {
		return loop.FitTable(ctx, f.world, f.table, c)
	}
	return loop.Fit(ctx, f.world, f.data, c)
}

func frozenTerms(list []string) (map[string]float64, error) {
	frozen := map[string]float64{}
	for _, item := range list {
		i := strings.LastIndexByte(item, '=')
		if i < 0 {
			return nil, fmt.Errorf("--freeze %s: want TERM=WEIGHT", item)
		}
		x, err := spec.Number(item[i+1:])
		if err != nil {
			return nil, fmt.Errorf("--freeze %s: %w", item, err)
		}
		frozen[item[:i]] = x
	}
	return frozen, nil
}

// printFit tells what a fit found.
func (a *app) printFit(f *loop.Fitted) error {
	page := report.Page{}
	loop.DescribeFit(&page, f)
	for _, b := range page.Blocks {
		if err := a.printBlock(b); err != nil {
			return err
		}
	}
	return nil
}

// printBlock shows a block of a report in the terminal.
func (a *app) printBlock(b report.Block) error {
	var err error
	switch b := b.(type) {
	case report.Table:
		if err = b.Print(a.stdout); err == nil && b.Caption != "" {
			_, err = fmt.Fprintln(a.stdout, b.Caption)
		}
		if err == nil {
			_, err = fmt.Fprintln(a.stdout)
		}
	case report.Heading:
		_, err = fmt.Fprintf(a.stdout, "%s\n\n", b)
	case report.Text:
		_, err = fmt.Fprintf(a.stdout, "%s\n\n", b)
	case report.List:
		for _, item := range b {
			if _, err = fmt.Fprintf(a.stdout, "- %s\n", item); err != nil {
				break
			}
		}
	}
	return failed(err)
}
