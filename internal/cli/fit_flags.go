package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/internal/spec"
	"plyfit/learn/fit"
	"plyfit/models"
)

// fitFlags are the flags of a fit that need interpretation.
type fitFlags struct {
	out, page, game, method, label, leaf, scale, heldOut, distill, penalty, leaves, proven string

	frozen           []string
	quiet            bool
	diagnose, asJSON bool
}

func (g *fitFlags) add(cmd *cobra.Command, c *fit.Options) {
	flags := cmd.Flags()
	bindFlags(cmd, c)
	outFileFlag(cmd, &g.out, "model file to write")
	flags.StringVar(&g.game, "game", "", "the game of a table; a data set names its own")
	flags.StringVar(&g.method, "method", "", strings.Join(fitMethods(), ", ")+"; default: chosen by the game")
	flags.StringVar(&g.label, "label", "", "outcome, search, mix:SHARE of the outcome, or td:LAMBDA; default: outcome")
	flags.StringVar(&g.distill, "distill", "", "MODEL: label positions with its values")
	flags.BoolVar(&g.quiet, "quiet", false, "no progress; for quiet positions see --quiet-positions")
	flags.StringVar(&g.leaf, "leaf", "", "learn from the end of a line in place of the position: quiescence, or an agent's principal variation")
	flags.StringVar(&g.proven, "proven", "keep", "keep, or drop: leave out positions whose value the recorded search had proven")
	flags.StringVar(&g.penalty, "penalty", "", "draws weights to the prior, in units of the columns' variances; auto: by cross-validation over episodes")
	flags.StringArrayVar(&g.frozen, "freeze", nil, "TERM=WEIGHT: a term that keeps its weight")
	flags.StringVar(&g.scale, "scale", "", "scale of the link, and so the unit of the weights: a number, or prior: fitted once to the prior")
	flags.StringVar(&g.leaves, "leaves", "", "which positions the model is to evaluate: decision or afterstate")
	flags.StringVar(&g.heldOut, "held-out", "", "N: one episode in N (5), drawn by the seed, with those that it meets; crc32:N: episodes whose id has a CRC-32 (IEEE) divisible by N")
	flags.BoolVar(&g.diagnose, "diagnose", false, "print calibration, phases, and trees as the non-linear baseline; takes half a minute")
	flags.StringVar(&g.page, "report", "", "FILE.html: write calibration and phases as a page with plots; with --diagnose the trees, too")
	flags.BoolVar(&g.asJSON, "json", false, "the report as one JSON object")
	seedFlag(cmd, &c.Seed)
	WorkersFlag(cmd, &c.Workers)
}

// complete reads the flags into c and adds the game's defaults.
func (g *fitFlags) complete(cmd *cobra.Command, from *fitSource, c *fit.Options) error {
	if err := g.read(c); err != nil {
		return err
	}
	if err := g.teacher(from.world, c); err != nil {
		return err
	}
	changed := cmd.Flags().Changed
	if err := g.solver(changed, from, c); err != nil {
		return err
	}
	if err := g.freeze(changed, from.world, c); err != nil {
		return err
	}
	var err error
	if c.Leaves, err = leavesFlag(g.leaves, from.world.Recipe().Leaves); err != nil {
		return err
	}
	return priorFlag(from.world, c)
}

func (g *fitFlags) teacher(w *catalog.World, c *fit.Options) (err error) {
	switch {
	case g.distill == "" && c.Choices:
		return errors.New("--choices: want --distill MODEL with it")
	case g.distill == "":
		return nil
	case g.label != "":
		return fmt.Errorf("--distill %s: labels of its own: want no --label", g.distill)
	}
	c.Teacher = &fit.Teacher{Name: g.distill}
	c.Teacher.Set, c.Teacher.Model, err = w.Model(g.distill)
	return err
}

// solver reads --method and --penalty. The game's defaults are for its own features and for records
// of self-play.
func (g *fitFlags) solver(changed func(flag string) bool, from *fitSource, c *fit.Options) (err error) {
	recipe := from.world.Recipe()
	if !changed("method") && (c.Set == "" || c.Set == recipe.Set) && from.table == nil && c.Teacher == nil {
		g.method = recipe.Method
		if !changed("lambda") {
			c.Lambda = recipe.Lambda
		}
	}
	if c.Method, err = fit.MethodNamed(g.method); err != nil {
		return err
	}
	c.Penalty = recipe.Penalty
	if from.data != nil && from.data.Imported() {
		c.Penalty = 1e-6
	}
	return g.readPenalty(c)
}

// readPenalty reads --penalty, if it is given.
func (g *fitFlags) readPenalty(c *fit.Options) (err error) {
	if c.Auto = g.penalty == "auto"; g.penalty == "" || c.Auto {
		return nil
	}
	if c.Penalty, err = spec.Number(g.penalty); err != nil || c.Penalty < 0 {
		return fmt.Errorf("--penalty %s: want a number of at least 0, or auto", g.penalty)
	}
	return nil
}

// readScale reads --scale, a number or the word for the weights whose scale is taken.
func (g *fitFlags) readScale(c *fit.Options, word string) (err error) {
	if c.Scale.Prior = g.scale == word; g.scale == "" || c.Scale.Prior {
		return nil
	}
	if c.Scale.Value, err = strconv.ParseFloat(g.scale, 64); err != nil || !(c.Scale.Value > 0) || math.IsInf(c.Scale.Value, 0) {
		return fmt.Errorf("--scale %s: want a positive number, or %s", g.scale, word)
	}
	return nil
}

// freeze reads --freeze; its default is the game's own terms, or none with a teacher.
func (g *fitFlags) freeze(changed func(flag string) bool, w *catalog.World, c *fit.Options) (err error) {
	if changed("freeze") {
		c.Frozen, err = frozenTerms(g.frozen)
		return err
	}
	if c.Frozen, err = w.FrozenIn(c.Set); c.Teacher != nil {
		c.Frozen = nil
	}
	return err
}

// priorFlag finds the prior c.PriorName: "" is the hand-written model if it has the fit's features
// and a suitable link.
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
		trial := *c // which links meet is for the fit to say
		if err := trial.Complete(w); err != nil {
			trial.Prior = hand // or whether the flags ask for one
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

// read reads the flags that need nothing else.
func (g *fitFlags) read(c *fit.Options) (err error) {
	if c.Label, err = fit.ParseLabel(g.label); err != nil {
		return err
	}
	switch g.leaf {
	case "quiescence":
		c.Leaf.Quiescence = true
	default:
		c.Leaf.Agent = g.leaf
	}
	if err := g.readScale(c, "prior"); err != nil {
		return err
	}
	switch g.proven {
	case "keep":
	case "drop":
		c.DropProven = true
	default:
		return fmt.Errorf("--proven %s: want keep or drop", g.proven)
	}
	c.HeldOut, err = heldOut(g.heldOut)
	return err
}

// heldOut reads --held-out: "N" or "crc32:N".
func heldOut(text string) (h fit.HeldOut, err error) {
	if text == "" {
		return h, nil
	}
	number, byName := strings.CutPrefix(text, "crc32:")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil || n < 2 {
		return h, fmt.Errorf("held-out %s: want N, one episode in N, or crc32:N, those whose id has a CRC-32 divisible by N, N at least 2", text)
	}
	return fit.HeldOut{OneIn: int(n), ByName: byName}, nil
}
