package loop

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/report"
	"plyfit/search"
)

// Regret is an evaluation's loss against known perfect play, without sampling error.
type Regret struct {
	Eval    string  `json:"eval"`
	Planner string  `json:"planner"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
}

// regrets measures the learned evaluation and its rivals under the planner of self-play; none
// without known perfect play.
func (c *Options) regrets(ctx context.Context, model string) ([]Regret, error) {
	e := c.World.Entry
	if e.Regret == nil || c.World.Players != 2 || c.World.Inside != nil {
		return nil, nil
	}
	var out []Regret
	for name, eval := range c.measured(model) {
		p, err := c.World.Agent(catalog.WithEval(c.Recipe.Planner, eval), catalog.AgentOptions{})
		if err != nil {
			return nil, err
		}
		agent, err := p.New()
		if err != nil {
			return nil, err
		}
		value, err := e.Regret(c.World.Game, func(s game.State) (game.Move, error) {
			agent.Begin(game.Seed(c.Seed, game.StreamRegret))
			r, err := agent.Search(ctx, s)
			return r.Move, err
		})
		search.Close(agent)
		if err != nil {
			return nil, err
		}
		out = append(out, Regret{name, c.Recipe.Planner, value, e.RegretIn})
	}
	return out, nil
}

func regretTable(regrets []Regret) (t report.Table) {
	for _, r := range regrets {
		t.Head = []string{"against perfect play, under " + r.Planner, r.Unit + " lost"}
		t.Rows = append(t.Rows, []string{shortName[r.Eval], fmt.Sprintf("%.5f", r.Value)})
	}
	t.Caption = "Exact: computed over all positions, not sampled; the mean over who begins."
	return t
}
