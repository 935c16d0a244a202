package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/datasets/table"
	"plyfit/internal/disk"
	"plyfit/internal/progress"
	"plyfit/internal/spec"
	"plyfit/learn/fit"
	"plyfit/models"
)

// tuneFlags are the flags of tables without a game.
type tuneFlags struct {
	layoutFlags

	start, name, width, anchor string
	perGame                    int

	now, prior *models.Weights // that --start and --freeze, and --prior, name; nil: none
	frozen     []string
}

var ofTables = append([]string{"start", "anchor", "integers", "name", "prior-width", "rows-per-game", "final"}, layoutFlagNames...)

// ofBoth are the other flags that tables without a game accept.
var ofBoth = []string{"out", "method", "loss", "penalty", "prior", "freeze", "scale", "steps", "held-out", "seed", "json", "workers", "quiet"}

func (u *tuneFlags) add(cmd *cobra.Command, c *fit.Options) {
	u.layoutFlags.add(cmd, "of a table without --game")
	flags := cmd.Flags()
	flags.StringVar(&u.start, "start", "", "of a table without --game: the weights that you have now, .json or .csv by column")
	flags.StringVar(&u.anchor, "anchor", "", "of a table without --game: COLUMN=W or COLUMN=MG/EG, a weight that gives the unit of the others, pawn=100 say: it is kept, and the scale fitted")
	flags.BoolVar(&c.Integers, "integers", false, "of a table without --game: round the weights, and tell what that costs")
	flags.BoolVar(&c.Final, "final", false, "of a table without --game: once the split has told the loss, fit the weights that are written to all rows")
	flags.StringVar(&u.width, "prior-width", "", "of a table without --game: how far weights may well lie from their start or prior, a standard deviation in their own unit; auto: by folds of the games, some 35 fits; none; default: 12 centipawns with --scale start and no --penalty")
	flags.IntVar(&u.perGame, "rows-per-game", 0, "of a table without --game: of a game with more rows, so many drawn by the seed; 0: all")
	flags.StringVar(&u.name, "name", "eval", "of a table without --game: prefix of what C, C++, Rust and Go declare")
}

// wanted reports whether path is a table and no game is named.
func (u *tuneFlags) wanted(cmd *cobra.Command, path string) bool {
	return table.IsTable(path) && changed(cmd, []string{"game", "features"}) == ""
}

// changed is the first of these flags that was given; "": none.
func changed(cmd *cobra.Command, names []string) (first string) {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// tune fits weights to the columns of a table.
func (a *App) tune(cmd *cobra.Command, path string, g *fitFlags, c *fit.Options, u *tuneFlags) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(ofTables, f.Name) && !slices.Contains(ofBoth, f.Name) {
			err = fmt.Errorf("--%s: of positions of a game: want --game GAME, or none for %s", f.Name, path)
			if f.Name == "label" {
				err = fmt.Errorf("%w; --label-column names the column of labels", err)
			}
		}
	})
	if err != nil {
		return err
	}
	if err := cmp.Or(models.CheckWeights(g.out, u.name), distinct(path, g.out, u.start)); err != nil {
		return err
	}
	stop := progress.Working(a.Stderr, "fitting "+path, g.quiet)
	defer stop()
	t, err := u.prepare(cmd.Context(), path, g, c)
	if err != nil {
		return err
	}
	f, err := fit.RunColumns(cmd.Context(), t, *c)
	stop()
	if err != nil {
		return runFailure(err)
	}
	if err := disk.Write(g.out, func(w io.Writer) error { return f.Weights().Write(w, g.out, u.name) }); err != nil {
		return runFailure(err)
	}
	if g.asJSON {
		return WriteJSON(a.Stdout, f.ColumnsJSON())
	}
	return a.printFit(f)
}

// prepare reads the table and completes c.
func (u *tuneFlags) prepare(ctx context.Context, path string, g *fitFlags, c *fit.Options) (*table.Table, error) {
	layout, err := u.layoutFlags.read()
	if err != nil {
		return nil, err
	}
	if err := u.read(g, c); err != nil {
		return nil, err
	}
	t, err := table.Open(ctx, path, layout)
	if err != nil {
		return nil, runFailure(err)
	}
	if u.perGame > 0 {
		if !t.Grouped() {
			return nil, fmt.Errorf("--rows-per-game: want --group COLUMN, since no column of %s says which rows are of one game", path)
		}
		t = t.Thinned(u.perGame, c.Seed)
	}
	return t, runFailure(u.bind(t, c))
}

func (u *tuneFlags) read(g *fitFlags, c *fit.Options) (err error) {
	if c.Loss != "" && c.Loss != fit.SquaredError && c.Loss != fit.CrossEntropy {
		return fmt.Errorf("--loss %s: want logistic or squared", c.Loss)
	}
	if c.Method, err = fit.MethodNamed(g.method); err != nil || c.Method != nil && c.Method != fit.Newton && c.Method != fit.LBFGS {
		return fmt.Errorf("method %q: want newton or lbfgs for a table of no game", g.method)
	}
	if g.heldOut != "" {
		if c.HeldOut.OneIn, err = strconv.Atoi(g.heldOut); err != nil || c.HeldOut.OneIn < 2 {
			return fmt.Errorf("--held-out %s: want N, one game in N, at least 2", g.heldOut)
		}
	}
	c.Penalty = fit.Determined
	if err := cmp.Or(g.readPenalty(c), u.readWidth(g, c), g.readScale(c, "start")); err != nil {
		return err
	}
	if u.perGame < 0 {
		return fmt.Errorf("--rows-per-game %d: want at least 1", u.perGame)
	}
	if u.start != "" {
		if u.now, err = models.ReadWeights(u.start); err != nil {
			return err
		}
	}
	if c.PriorName != "" && c.PriorName != "none" {
		if u.prior, err = models.ReadWeights(c.PriorName); err != nil {
			return err
		}
	}
	if err := u.freeze("--freeze", g.frozen); err != nil {
		return err
	}
	if err := u.readAnchor(g, c); err != nil {
		return err
	}
	if c.Scale.Prior && u.now == nil {
		return errors.New("scale start: want starting weights, whose scale it is")
	}
	return nil
}

// readWidth reads the width of the prior.
func (u *tuneFlags) readWidth(g *fitFlags, c *fit.Options) error {
	switch u.width {
	case "":
		// On another scale the start's weights are no prior. A penalty, a prior and the squared
		// loss are alternatives.
		c.Width.Usual = u.start != "" && g.scale == "start" && g.penalty == "" && c.PriorName == "" && c.Loss != fit.SquaredError && c.Method != fit.LBFGS
	case "none":
	case "auto":
		c.Width.Auto = true
	default:
		var ok bool
		if c.Width.Value, ok = spec.Decimal(u.width); !ok || !(c.Width.Value > 0) {
			return fmt.Errorf("--prior-width %s: want a number above 0, in the unit of the weights, auto or none", u.width)
		}
	}
	return nil
}

// readAnchor reads the weight that sets the unit.
func (u *tuneFlags) readAnchor(g *fitFlags, c *fit.Options) error {
	switch {
	case u.anchor == "":
		return nil
	case !strings.Contains(u.anchor, "="):
		return fmt.Errorf("--anchor %s: want COLUMN=WEIGHT or COLUMN=MG/EG", u.anchor)
	case g.scale != "":
		return errors.New("--anchor: the scale is fitted to it: want no --scale")
	}
	c.Scale.Free = true
	return u.freeze("--anchor", []string{u.anchor})
}

// bind assigns the given weights to the columns of t.
func (u *tuneFlags) bind(t *table.Table, c *fit.Options) (err error) {
	scale := cmp.Or(c.Scale.Value, fit.CentipawnScale)
	if c.Scale.Prior {
		scale = u.now.Scale // to be fitted, to weights in their own unit
	}
	for _, w := range []*models.Weights{u.now, u.prior} {
		if w != nil && scale > 0 && !c.Scale.Free {
			w.OnScale(scale)
		}
	}
	if u.now != nil {
		if c.Start, err = fit.ColumnModel(t, u.now); err != nil {
			return err
		}
	}
	c.Width.By = map[string]float64{}
	for _, w := range []*models.Weights{u.now, u.prior} { // those of the prior prevail
		if w != nil {
			maps.Copy(c.Width.By, w.Widths)
		}
	}
	if u.prior != nil {
		if c.Prior, err = fit.ColumnModel(t, u.prior); err != nil {
			return err
		}
	}
	if len(c.Width.By) > 0 {
		c.Width.Usual = false
	}
	c.Frozen, err = fit.FrozenColumns(t, c.Start, u.frozen)
	return err
}

// freeze reads --freeze and --anchor: COLUMN, which keeps its starting weight, COLUMN=W or
// COLUMN=MG/EG.
func (u *tuneFlags) freeze(flag string, list []string) error {
	for _, item := range list {
		name, text, given := item, "", false
		if i := strings.LastIndexByte(item, '='); i >= 0 {
			name, text, given = item[:i], item[i+1:], true
		}
		u.frozen = append(u.frozen, name)
		if !given {
			continue
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
		if u.now == nil {
			u.now = &models.Weights{File: flag}
		}
		u.now.Set(models.Weight{Name: name, Middlegame: middlegame, Endgame: endgame})
	}
	return nil
}
