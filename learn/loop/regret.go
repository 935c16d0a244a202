package loop

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/report"
	"plyfit/search"
	"plyfit/search/equilibrium"
)

// Regret is the loss of an evaluation compared with known perfect play, without sampling error.
type Regret struct {
	Eval    string  `json:"eval"`
	Planner string  `json:"planner"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
}

// regrets measures the learned evaluation and its rivals with the planner used in self-play. It
// returns nil if perfect play is not known.
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
	t.Caption = "The values are exact: they are computed over all positions and averaged over moving first and moving second."
	return t
}

// Exploit is the loss of an evaluation against its worst opponent in a two-player game with hidden
// information, that is, the exploitability of the planner that uses the evaluation. A match would
// measure only a single opponent.
type Exploit struct {
	Eval    string         `json:"eval"`
	Planner string         `json:"planner"`
	Lost    stats.Estimate `json:"exploitability"` // mean per game, over samples of the strategy
}

// An evaluation's strategy is estimated from exploitSamples samples, each with exploitAnswers moves
// in every information set. The estimated loss is too high on average. The bias is similar for
// evaluations whose moves vary to the same degree.
const (
	exploitSamples = 5
	exploitAnswers = 20
)

// exploits measures the learned evaluation and its rivals. It returns nil unless the game has two
// players and hidden information and its complete tree is small enough.
func (c *Options) exploits(ctx context.Context, model string) (out []Exploit, err error) {
	if !c.World.Hidden || c.World.Players != 2 {
		return nil, nil
	}
	tree, err := equilibrium.NewTree(ctx, c.World.Game)
	if err != nil {
		return nil, context.Cause(ctx) // nil if the tree is too large
	}
	for _, planner := range c.Recipe.Planners {
		for name, eval := range c.measured(model) {
			p, err := c.World.Agent(catalog.WithEval(planner, eval), catalog.AgentOptions{})
			if err != nil {
				return nil, err
			}
			lost, err := c.exploit(ctx, tree, p.Factory)
			if err != nil {
				return nil, err
			}
			out = append(out, Exploit{name, planner, lost})
		}
	}
	return out, nil
}

// measured iterates over the names and specs of the evaluations to measure. The parameter path is
// the file with the learned evaluation.
func (c *Options) measured(path string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if yield("learned", path) && (c.opponent() == "zero" || yield("handwritten", "handwritten")) {
			yield("zero", "zero")
		}
	}
}

func (c *Options) exploit(ctx context.Context, tree *equilibrium.Tree, f search.Factory) (lost stats.Estimate, err error) {
	var all []float64
	for k := range exploitSamples {
		s, exact, err := tree.Of(ctx, f, exploitAnswers, game.Seed(c.Seed, game.StreamRegret, uint64(k)), c.Workers)
		if err != nil {
			return lost, err
		}
		value := tree.Exploitability(s).Exploitability
		if exact {
			return stats.Estimate{Known: true, Value: value}, nil
		}
		all = append(all, value)
	}
	return stats.MeanOf(all), nil
}

func exploitTable(exploits []Exploit) report.Table {
	t := report.Table{
		Head:    []string{"lost to a best-responding opponent, under", "zero", "hand-written", "learned"},
		Caption: "Exploitability per game in the game's units; 0 in an equilibrium.",
	}
	if slices.ContainsFunc(exploits, func(e Exploit) bool { return e.Lost.Bounded }) {
		t.Caption += fmt.Sprintf(" 95%% intervals over %d samples of %d moves in each information set. Use plyfit exploit for more samples.", exploitSamples, exploitAnswers)
	}
	for _, e := range exploits {
		put(&t, e.Planner, shortName[e.Eval], plusMinus(e.Lost))
	}
	return t
}
