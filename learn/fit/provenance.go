package fit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plyfit/internal/settings"
	"plyfit/models"
)

func (f *Result) provenance(game string) *models.Provenance {
	c, r := &f.Options, &f.Report
	label := c.Label.String()
	switch {
	case c.Method.Episodes != nil:
		label = fmt.Sprintf("td:%v", c.Lambda)
	case c.Teacher != nil && c.Choices:
		label = "evaluations of a teacher, centred within each choice"
	case c.Teacher != nil:
		label = "evaluations of a teacher"
	}
	regularisation := map[string]float64{"penalty": c.Penalty}
	if c.Method.reads("l1") {
		regularisation["l1"] = c.L1
	}
	p := &models.Provenance{
		Command: c.command(game), Data: f.data.digest, Episodes: r.Episodes + r.HeldOutEpisodes, Rows: r.Rows + r.HeldOutRows,
		Label: label, Method: c.Method.Name, Loss: string(c.Loss), Regularisation: regularisation, Seed: c.Seed,
		Notes: r.Notes,
	}
	if c.Prior != nil {
		if d, err := c.Prior.File().Digest(); err == nil {
			p.Prior = d
		}
	}
	if r.HeldOutRows == 0 { // no figures over no rows
		return p
	}
	p.HeldOut = map[string]float64{"loss": r.HeldOutLoss, "constant": r.Constant.HeldOutLoss}
	if !r.Alike {
		p.HeldOut["r2"] = r.HeldOutR2
	}
	if r.Overlap.Rows > 0 {
		p.HeldOut["seen_share"], p.HeldOut["seen_loss"], p.HeldOut["rest_loss"] = r.Overlap.Share, r.Overlap.Loss, r.Overlap.RestLoss
	}
	for _, b := range r.Baselines {
		p.HeldOut[b.Name] = b.HeldOutLoss
	}
	if f.Share != nil {
		p.HeldOut["share_squared_error"] = f.Share.HeldOut
	}
	return p
}

// command is the command line that fits again, with DATA and MODEL for the data set and model file.
func (c *Options) command(game string) string {
	var b strings.Builder
	if c.Label.kind == byTable {
		fmt.Fprintf(&b, "plyfit fit TABLE -o MODEL --game %s --method %s", game, c.Method)
	} else {
		fmt.Fprintf(&b, "plyfit fit DATA -o MODEL --method %s", c.Method)
	}
	flag := func(on bool, format string, values ...any) {
		if on {
			fmt.Fprintf(&b, " --"+format, values...)
		}
	}
	flag(c.Label.kind != byTable && c.Teacher == nil, "label %s", c.Label)
	flag(c.Teacher != nil, "distill TEACHER")
	flag(c.Choices, "choices")
	flag(true, "penalty %v", c.Penalty)
	flag(true, "seed %d", c.Seed)
	flag(c.Set != "", "features %s", c.Set)
	iterative := len(c.Method.Losses) > 1
	flag(iterative, "loss %s", c.Loss)
	flag(iterative, "link %s", c.Link)
	flag(c.Scale != (Scale{}), "scale %s", c.Scale)
	for _, s := range settings.Of(c) {
		flag(s.Key(c.Method.Name) != "", "%s %s", s.Name, s)
	}
	switch c.PriorName {
	case "":
		flag(true, "prior none")
	case "handwritten", "learned":
		flag(true, "prior %s", c.PriorName)
	default:
		flag(true, "prior PRIOR")
	}
	flag(c.Quiet, "quiet-positions")
	flag(c.Leaf != (Leaf{}), "leaf %q", c.Leaf.String())
	flag(c.Distinct, "distinct")
	flag(c.Proven == dropProven, "proven drop")
	flag(c.HeldOut != (HeldOut{}), "held-out %s", c.HeldOut)
	flag(c.Leaves == models.Afterstate, "leaves %s", c.Leaves)
	for _, name := range slices.Sorted(maps.Keys(c.Frozen)) {
		flag(true, "freeze %q", fmt.Sprintf("%s=%v", name, c.Frozen[name]))
	}
	return b.String()
}
