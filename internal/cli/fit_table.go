package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"plyfit/datasets/table"
	"plyfit/internal/spec"
	"plyfit/learn/fit"
	"plyfit/models"
)

// A columnFit contains the weights that the flags specify for a fit to columns, and the names of
// frozen columns.
type columnFit struct {
	now, prior *models.Weights // weights from --start, --freeze and --anchor, and from --prior; nil if not given
	frozen     []string
}

// columns reads a table without a game and completes the options of its fit. The parameter
// widthGiven specifies whether the user or the caller has selected the prior's width.
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
			return nil, fmt.Errorf("--rows-per-game: requires --group COLUMN, because no column of %s identifies the game of a row", path)
		}
		t = t.Thinned(g.PerGame, g.Fit.Seed)
	}
	return t, runFailure(named.bind(t, &g.Fit))
}

func (n *columnFit) read(g *fitFlags, widthGiven bool) (err error) {
	c := &g.Fit
	if c.Method, err = fit.MethodNamed(g.Method); err != nil || c.Method != nil && c.Method != fit.Newton && c.Method != fit.LBFGS {
		return fmt.Errorf("method %q: want newton or lbfgs for a table without a game", g.Method)
	}
	if c.HeldOut.ByName {
		return fmt.Errorf("--held-out %s: want a number N of at least 2, to hold out one game in N", c.HeldOut)
	}
	if err := cmp.Or(g.readPenalty(fit.Determined), g.readScale("start")); err != nil {
		return err
	}
	// The starting weights can serve as a prior only on their own scale. The usual width is not
	// used with a penalty, another prior, the squared loss or L-BFGS.
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
		return errors.New("--anchor: the scale is fitted to the anchor; omit --scale")
	default:
		c.Scale.Free = true
		if err := n.freeze("--anchor", g.Anchor); err != nil {
			return err
		}
	}
	if c.Scale.Prior && n.now == nil {
		return errors.New("scale start: requires starting weights, which define the scale")
	}
	return nil
}

// bind assigns the named weights to the columns of t and sets the corresponding options in c.
func (n *columnFit) bind(t *table.Table, c *fit.Options) (err error) {
	scale := cmp.Or(c.Scale.Value, fit.CentipawnScale)
	if c.Scale.Prior {
		scale = n.now.Scale // initial scale of the fit, for weights in the engine's own unit
	}
	c.Width.By = map[string]float64{}
	bound := [2]*models.Linear{}
	for i, w := range []*models.Weights{n.now, n.prior} { // the prior comes last, so its widths take precedence
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

// freeze adds an item of --freeze or --anchor. The item COLUMN keeps the column's starting weight,
// and COLUMN=W or COLUMN=MG/EG sets the weight.
func (n *columnFit) freeze(flag, item string) error {
	name, text, hasWeight := item, "", false
	if i := strings.LastIndexByte(item, '='); i >= 0 {
		name, text, hasWeight = item[:i], item[i+1:], true
	}
	n.frozen = append(n.frozen, name)
	if !hasWeight {
		return nil
	}
	mg, eg, two := strings.Cut(text, "/")
	if !two {
		eg = mg
	}
	middlegame, ok := spec.Decimal(mg)
	endgame, ok2 := spec.Decimal(eg) // fractions are not accepted, because / separates the two weights
	if !ok || !ok2 {
		return fmt.Errorf("%s %s: want COLUMN, COLUMN=WEIGHT or COLUMN=MG/EG", flag, item)
	}
	if n.now == nil {
		n.now = &models.Weights{File: flag}
	}
	n.now.Set(models.Weight{Name: name, Middlegame: middlegame, Endgame: endgame})
	return nil
}
