package loop

import (
	"fmt"
	"io"

	"plyfit/arena/stats"
	"plyfit/features"
	"plyfit/internal/report"
	"plyfit/learn/online"
)

// announce prints what the run does, and how long it takes.
func (c *Options) announce() {
	if c.Quiet {
		return
	}
	line := fmt.Sprintf("%s learns in %s: %s, then %d pairs of games", c.World.Spec, c.Dir, c.Recipe.Learner(), c.pace.work[kindMatch].left)
	if c.Recipe.Minutes > 0 {
		line += fmt.Sprintf("; about %d minutes on two cores", c.Recipe.Minutes)
	}
	fmt.Fprintln(c.Log, line)
}

// early prints what the evaluation can do after a part of the first training: the first match of
// its learning curve. A run that goes on from there prints the next.
func (c *Options) early(out io.Writer, t features.Training) func(p online.Point) {
	var zero stats.Estimate
	return func(p online.Point) {
		switch {
		case p.Episodes == 0:
			zero = p.Strength
			return
		case c.pace.early || c.Quiet || p.Pairs == 0 || p.Episodes >= t.Episodes:
			return
		}
		c.pace.early = true
		rival := "hand-written"
		if c.opponent() == "zero" {
			rival = "random"
		}
		table := report.Table{Head: []string{"early, in " + c.World.Spec, "learned against " + rival}, Rows: [][]string{{c.Recipe.Planners[0], p.Strength.Format(p.Strength.Decimals(), 1)}}}
		games := fmt.Sprintf("%d pairs of games", p.Pairs)
		switch {
		case p.Rival.Known:
			games = fmt.Sprintf("%d games each with common luck", p.Pairs)
			table.Head = []string{table.Head[0], "zero", rival, "learned"}
			table.Rows[0] = []string{c.Recipe.Planners[0], plusMinus(zero), plusMinus(p.Rival), plusMinus(p.Strength)}
		case p.Of == online.ShareOfPoints:
			table.Rows[0][1] = p.Strength.Percent()
		}
		table.Print(out) // an output that cannot be written stops no learning
		fmt.Fprintf(out, "An early model, after %d of %d games: %s with its 95%% interval, %s. Learning goes on.\n\n", p.Episodes, t.Episodes, p.Of, games)
	}
}
