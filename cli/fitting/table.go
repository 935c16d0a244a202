package fitting

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/cli/shell"
	"plyfit/fit"
	"plyfit/internal/atomicfile"
	"plyfit/internal/spec"
	"plyfit/report"
	"plyfit/tune"
)

// tuneFlags are the flags that only tables of no game have.
type tuneFlags struct {
	shell.LayoutFlags

	start, name string
	integers    bool
}

// ofTables are their names.
var ofTables = append([]string{"start", "integers", "name"}, shell.LayoutFlagNames...)

// ofBoth are the flags that tables of no game have, too.
var ofBoth = []string{"out", "method", "loss", "penalty", "prior", "freeze", "scale", "steps", "held-out", "seed", "json", "workers"}

func (u *tuneFlags) add(cmd *cobra.Command) {
	u.LayoutFlags.Add(cmd, "of a table without --game")
	flags := cmd.Flags()
	flags.StringVar(&u.start, "start", "", "of a table without --game: the weights that you have now, .json or .csv by column")
	flags.BoolVar(&u.integers, "integers", false, "of a table without --game: round the weights, and tell what that costs")
	flags.StringVar(&u.name, "name", "eval", "of a table without --game: prefix of what C, C++, Rust and Go declare")
}

// wanted reports whether path is a table and no game is named.
func (u *tuneFlags) wanted(cmd *cobra.Command, path string) bool {
	return tune.IsTable(path) && changed(cmd, []string{"game", "features"}) == ""
}

// changed is the first of some flags that was given; "": none.
func changed(cmd *cobra.Command, names []string) (first string) {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// tune fits weights to the columns of a table.
func (a app) tune(cmd *cobra.Command, path string, g *fitFlags, c *fit.Options, u *tuneFlags) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(ofTables, f.Name) && !slices.Contains(ofBoth, f.Name) {
			err = fmt.Errorf("--%s: of positions of a game: want --game GAME, or none for %s", f.Name, path)
		}
	})
	if err != nil {
		return err
	}
	for _, check := range []error{atomicfile.Check(g.out), tune.CheckOutput(g.out, u.name), shell.Distinct(path, g.out, u.start)} {
		if check != nil {
			return check
		}
	}
	layout, err := u.Layout()
	if err != nil {
		return err
	}
	o, err := u.options(g, c)
	if err != nil {
		return err
	}
	if err := o.Complete(); err != nil {
		return err
	}
	table, err := tune.Open(cmd.Context(), path, layout)
	if err != nil {
		return shell.RunFailure(err)
	}
	f, err := tune.Run(cmd.Context(), table, o)
	if err != nil {
		return shell.RunFailure(err)
	}
	if err := atomicfile.Write(g.out, func(w io.Writer) error { return f.Write(w, g.out, u.name) }); err != nil {
		return shell.RunFailure(err)
	}
	if g.asJSON {
		return shell.WriteJSON(a.Stdout, f.JSON())
	}
	page := report.Page{}
	tune.Describe(&page, f)
	for _, b := range page.Blocks {
		if err := a.PrintBlock(b); err != nil {
			return err
		}
	}
	return nil
}

// options reads how weights are fitted.
func (u *tuneFlags) options(g *fitFlags, c *fit.Options) (o tune.Options, err error) {
	o = tune.Options{Method: g.method, Squared: c.Loss == fit.SquaredError, Steps: c.Steps, Integers: u.integers, Seed: c.Seed}
	if c.Loss != "" && c.Loss != fit.SquaredError && c.Loss != fit.CrossEntropy {
		return o, fmt.Errorf("--loss %s: want logistic or squared", c.Loss)
	}
	if g.heldOut != "" {
		if o.HeldOut, err = strconv.Atoi(g.heldOut); err != nil || o.HeldOut < 2 {
			return o, fmt.Errorf("--held-out %s: want N, one game in N, at least 2", g.heldOut)
		}
	}
	if g.penalty != "" {
		if o.Penalty, err = spec.Number(g.penalty); err != nil {
			return o, fmt.Errorf("--penalty %s: want a number of at least 0 for a table of no game", g.penalty)
		}
	}
	switch g.scale {
	case "":
	case "start":
		o.FitScale = true
	default:
		if o.Scale, err = strconv.ParseFloat(g.scale, 64); err != nil || !(o.Scale > 0) {
			return o, fmt.Errorf("--scale %s: want a positive number, or start", g.scale)
		}
	}
	if u.start != "" {
		if o.Start, err = tune.ReadWeights(u.start); err != nil {
			return o, err
		}
	}
	switch c.PriorName {
	case "":
	case "none":
		o.Prior = &tune.Weights{}
	default:
		if o.Prior, err = tune.ReadWeights(c.PriorName); err != nil {
			return o, err
		}
	}
	return o, u.freeze(g.frozen, &o)
}

// freeze reads --freeze: COLUMN, which keeps its starting weight, COLUMN=W or
// COLUMN=MG/EG.
func (u *tuneFlags) freeze(list []string, o *tune.Options) error {
	for _, item := range list {
		name, text, given := item, "", false
		if i := strings.LastIndexByte(item, '='); i >= 0 {
			name, text, given = item[:i], item[i+1:], true
		}
		o.Frozen = append(o.Frozen, name)
		if !given {
			continue
		}
		mg, eg, two := strings.Cut(text, "/")
		if !two {
			eg = mg
		}
		w := tune.Weight{Name: name}
		for _, part := range []struct {
			text string
			into *float64
		}{{mg, &w.Middlegame}, {eg, &w.Endgame}} {
			x, err := spec.Number(part.text)
			if err != nil {
				return fmt.Errorf("--freeze %s: want COLUMN, COLUMN=WEIGHT or COLUMN=MG/EG", item)
			}
			*part.into = x
		}
		if o.Start == nil {
			o.Start = &tune.Weights{File: "--freeze"}
		}
		o.Start.Set(w)
	}
	return nil
}
