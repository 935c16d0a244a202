package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/datasets/table"
	"plyfit/internal/list"
	"plyfit/internal/settings"
	"plyfit/internal/spec"
	"plyfit/learn/fit"
	"plyfit/models"
)

// fitFlags holds the settings of a fit and the settings that only the command interprets.
type fitFlags struct {
	Fit    fit.Options
	Layout layoutFlags

	Method  string   `flag:"method" help:"default: depends on the game"`
	Penalty string   `flag:"penalty" help:"penalty on the distance from the prior, in units of column variances; auto: use cross-validation"`
	Scale   string   `flag:"scale" help:"link scale: a number, or the word prior (start for tables) to fit the scale to those weights"`
	Freeze  []string `flag:"freeze" help:"TERM=WEIGHT: keep the weight of a term, or of all terms of a group, fixed"`

	Game     string `flag:"game" for:"game" help:"game of a table, or of a data set with rules:cmd=(PROGRAM)"`
	Distill  string `flag:"distill" for:"game" help:"label positions with the values of MODEL"`
	Diagnose bool   `flag:"diagnose" for:"game" help:"print calibration, phases and a tree baseline (takes half a minute)"`
	Page     string `flag:"report" for:"game" help:"FILE.html: write plots of calibration and phases, plus the tree baseline with --diagnose"`

	Start   string `flag:"start" for:"columns" help:"file of current weights: .json, or .csv with the name and weight of each column"`
	Anchor  string `flag:"anchor" for:"columns" help:"COLUMN=W or COLUMN=MG/EG: fix a weight as the unit, such as pawn=100, and fit the scale"`
	PerGame int    `flag:"rows-per-game" for:"columns" in:"of at least 0" help:"maximum number of rows to sample from each game; 0: all"`
	Name    string `flag:"name" for:"columns" default:"eval" help:"prefix of the names declared in C, C++, Rust and Go"`

	out           string
	quiet, asJSON bool
}

// bind adds flags for the given settings, and the flags shared by all runs.
func (g *fitFlags) bind(cmd *cobra.Command, some []settings.Setting, prefix string) {
	bindFlags(cmd, some, prefix)
	method := cmd.Flags().Lookup("method")
	method.Usage = strings.Join(fitMethods(), ", ") + "; " + method.Usage
	runFlags(cmd, &g.Fit.Seed, &g.Fit.Workers)
}

// fitMethods returns the values of --method.
func fitMethods() []string { return list.Map(fit.Methods, (*fit.Method).String) }

// ofColumns reports whether path is a table to be fitted without a game. It returns an error if a
// given setting applies only to other data.
func (g *fitFlags) ofColumns(cmd *cobra.Command, path string) (columns bool, err error) {
	isTable := table.IsTable(path)
	columns = isTable && !cmd.Flags().Changed("game") && !cmd.Flags().Changed("features")
	for _, s := range settings.Of(g) {
		switch {
		case !cmd.Flags().Changed(s.Name) || s.For() == "" || columns == (s.For() == forColumns):
		case columns && s.Name == "label":
			return columns, fmt.Errorf("--label: applies only to positions of a game; use --game GAME, or omit --label for %s; --label-column sets the label column", path)
		case columns:
			return columns, fmt.Errorf("--%s: applies only to positions of a game; use --game GAME, or omit the flag for %s", s.Name, path)
		case !isTable:
			return columns, fmt.Errorf("--%s: applies only to tables without a game, but %s is not a table; want a file whose name ends in %s", s.Name, path, table.Endings)
		default:
			return columns, fmt.Errorf("--%s: applies only to tables without a game, but %s is fitted to a game", s.Name, path)
		}
	}
	return columns, nil
}

// complete fills in the game's defaults for the fit.
func (g *fitFlags) complete(cmd *cobra.Command, from *fitSource) (err error) {
	c, w, changed := &g.Fit, from.world, cmd.Flags().Changed
	if err := g.readScale("prior"); err != nil {
		return err
	}
	switch {
	case g.Distill == "" && c.Choices:
		return errors.New("--choices: requires --distill MODEL")
	case g.Distill != "" && changed("label"):
		return fmt.Errorf("--distill %s: the labels come from this model; omit --label", g.Distill)
	case g.Distill != "":
		c.Teacher = &fit.Teacher{Name: g.Distill}
		if c.Teacher.Set, c.Teacher.Model, err = w.Model(g.Distill); err != nil {
			return err
		}
	}
	recipe := w.Recipe()
	// The game's usual method applies only to its usual features, and not to tables or with
	// --distill.
	if !changed("method") && (c.Set == "" || c.Set == recipe.Set) && from.table == nil && c.Teacher == nil {
		g.Method = recipe.Method
		if !changed("lambda") {
			c.Lambda = recipe.Lambda
		}
	}
	if c.Method, err = fit.MethodNamed(g.Method); err != nil {
		return err
	}
	penalty := recipe.Penalty
	if from.data != nil && from.data.Imported() {
		penalty = 1e-6
	}
	if err := g.readPenalty(penalty); err != nil {
		return err
	}
	switch {
	case changed("freeze"):
		c.Frozen, err = frozenTerms(g.Freeze)
	case c.Teacher == nil: // terms that the game itself keeps fixed
		c.Frozen, err = w.FrozenIn(c.Set)
	}
	if err != nil {
		return err
	}
	c.Leaves = cmp.Or(c.Leaves, recipe.Leaves)
	return priorFlag(w, c)
}

// readPenalty reads --penalty. If the flag is absent, it uses the given default.
func (g *fitFlags) readPenalty(usual float64) (err error) {
	c := &g.Fit
	c.Penalty, c.Auto = usual, g.Penalty == "auto"
	if g.Penalty == "" || c.Auto {
		return nil
	}
	if c.Penalty, err = spec.Number(g.Penalty); err != nil || c.Penalty < 0 {
		return fmt.Errorf("--penalty %s: want a number of at least 0, or auto", g.Penalty)
	}
	return nil
}

// readScale reads --scale, which is either a number or the given word. The word specifies the
// weights to which the scale is fitted.
func (g *fitFlags) readScale(word string) (err error) {
	c := &g.Fit
	if c.Scale.Prior = g.Scale == word; g.Scale == "" || c.Scale.Prior {
		return nil
	}
	if c.Scale.Value, err = strconv.ParseFloat(g.Scale, 64); err != nil || !(c.Scale.Value > 0) || math.IsInf(c.Scale.Value, 0) {
		return fmt.Errorf("--scale %s: want a positive number, or %s", g.Scale, word)
	}
	return nil
}

// priorFlag loads the prior specified by c.PriorName. If the name is empty, it uses the
// hand-written model, provided that the model has the features of the fit and a suitable link.
func priorFlag(w *catalog.World, c *fit.Options) error {
	name := c.PriorName
	set, err := w.Set(c.Set)
	if err != nil {
		return err
	}
	switch name {
	case "none":
		c.PriorName = ""
		return nil
	case "":
		if !w.Entry.Ships("handwritten") || c.Teacher != nil {
			return nil
		}
		theirs, hand, err := w.Model("handwritten")
		if err != nil || theirs.Name() != set.Name() {
			return nil
		}
		trial := *c // Complete selects the link of the fit
		if err := trial.Complete(w); err != nil {
			trial.Prior = hand // some flags are valid only with a prior
			if err := trial.Complete(w); err != nil {
				return err
			}
		}
		if (trial.Link == models.Identity) != (hand.Link.Kind == models.Identity) {
			return nil
		}
		c.Prior, c.PriorName = hand, "handwritten"
		return nil
	}
	_, m, err := w.ModelOver(name, set.Name())
	if err != nil {
		return fmt.Errorf("--prior %s: %w", name, err)
	}
	c.Prior = m
	return nil
}
