package fit

import (
	"fmt"
	"slices"

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
	if c.Method == elastic {
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
	if r.HeldOutRows == 0 { // omit losses over no rows
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

// command returns the command line that repeats the fit, with DATA and MODEL in place of the data
// set and the model file.
func (c *Options) command(game string) string {
	read := slices.DeleteFunc(settings.Of(c), func(s settings.Setting) bool { return s.Key(c.Method.Name) == "" })
	return say("command", struct {
		*Options
		By   *Method // a field named Method would keep .ci/site from removing unused methods
		Game string
		Read []settings.Setting // settings that the method reads
	}{c, c.Method, game, read})
}
