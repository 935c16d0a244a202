package train

import (
	"fmt"
	"strings"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/bootstrap"
	"plyfit/models"
	"plyfit/search"
)

// The methods that learn from their own searches; see [bootstrap.Learner].
var (
	tdLeafMethod    = searching(bootstrap.TDLeaf)
	rootStrapMethod = searching(bootstrap.RootStrap)
	treeStrapMethod = searching(bootstrap.TreeStrap)
)

func searching(name string) *method {
	// The searches themselves see what else could be played.
	return &method{Name: name, Own: features.Training{Alpha: 0.02, Epsilon: 0.02, Batch: 16}, Learner: newSearching}
}

func newSearching(p *plan) (online.Learner, error) {
	if p.Leaves == "" && p.Method != bootstrap.TreeStrap {
		p.Leaves = models.Decision
	}
	if p.Agent == "" {
		recipe := p.World.Recipe()
		if p.Agent = recipe.Planner; strings.Contains(p.Agent, "assume=base") {
			p.Agent = recipe.Expectimax // values without slips are not those of this world
		}
	}
	if err := p.search(); err != nil {
		return nil, err
	}
	return bootstrap.New(p.Task)
}

// search reads Agent, who plays by what is learned, and gives the model the Leaves asked for.
func (p *plan) search() error {
	w, m := p.World, p.Model
	switch {
	case p.Leaves == models.Afterstate && !w.Chancy():
		return fmt.Errorf("leaves=afterstate: nature does not move in %s: want decision", w.Spec)
	case p.Leaves != "":
		m.Leaves = p.Leaves
	}
	p.Leaves = m.Leaves
	if kind, _, _ := strings.Cut(p.Agent, ":"); kind != "minimax" && kind != "alphabeta" && kind != "expectimax" {
		return fmt.Errorf("agent %s: want minimax, alphabeta or expectimax, whose nodes have values", p.Agent)
	}
	read := func(e search.Evaluator, o search.Observer) (*catalog.Agent, error) {
		evaluation := &catalog.Evaluation{Name: "learned", Leaves: m.Leaves, Set: p.Set, Model: m, New: func() search.Evaluator { return e }}
		return w.Agent(p.Agent, catalog.AgentOptions{Observer: o, Evaluation: evaluation})
	}
	agent, err := read(search.Zero(w.Game), nil)
	if err != nil {
		return err
	}
	if agent.Unrepeatable {
		return fmt.Errorf("agent %s: a limit by time or racing threads give other weights each time: want depth or nodes", p.Agent)
	}
	p.Planner = func(e search.Evaluator, o search.Observer) (func() (search.Agent, error), error) {
		agent, err := read(e, o)
		if err != nil {
			return nil, err
		}
		return agent.New, nil
	}
	return nil
}
