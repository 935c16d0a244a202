package train

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/list"
	"plyfit/learn/online"
	"plyfit/learn/online/bootstrap"
	"plyfit/learn/online/cfr"
	"plyfit/learn/online/evolution"
	"plyfit/learn/online/td"
	"plyfit/models"
	"plyfit/search"
)

// methods lists the ways of learning while playing. To add one, define a [method] and append it
// here. If it reads a setting of another method, add its name to the setting's tag
// ([features.Training]).
var methods = []*method{tdMethod, tdLeafMethod, rootStrapMethod, treeStrapMethod, evolutionMethod, cfrMethod}

// A method is a way of learning while playing.
type method struct {
	Name string // name in recipes, models and the command

	// Own contains the settings that differ from the general defaults. Epsilon applies to games
	// without chance moves.
	Own features.Training

	// Learner returns the learner. The settings that it fills in become part of the recipe, as does
	// everything that it passes to [plan.Depends].
	Learner func(p *plan) (online.Learner, error)
}

// methodNamed returns the method with the given name. For "", it returns TD.
func methodNamed(name string) (*method, error) {
	for _, m := range methods {
		if m.Name == name || name == "" {
			return m, nil
		}
	}
	return nil, fmt.Errorf("method %q: want %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of the methods in alphabetical order.
func Names() []string {
	names := list.Map(methods, func(m *method) string { return m.Name })
	slices.Sort(names)
	return names
}

// tdMethod is temporal-difference learning over afterstates; see [td.Learner].
var tdMethod = &method{
	Name: "td",
	Own:  features.Training{Epsilon: 0.1},
	Learner: func(p *plan) (online.Learner, error) {
		p.Chunk = p.Batch
		if p.Threads > 1 {
			p.Depends("repeatable", "no: threads learn without locks")
		}
		return td.New(p.Task)
	},
}

// evolutionMethod learns only from the final results of games; see [evolution.Learner].
var evolutionMethod = &method{
	Name: "evolution",
	Own:  features.Training{Alpha: 0.5, Epsilon: 0.05, Batch: 10},
	Learner: func(p *plan) (online.Learner, error) {
		p.Agent = cmp.Or(p.Agent, PlannerOf(p.World, ""))
		if err := p.search(); err != nil {
			return nil, err
		}
		l, err := evolution.New(p.Task)
		if err != nil {
			return nil, err
		}
		p.Chunk = l.Generation()
		p.Population = p.Chunk / p.Batch
		p.Episodes += (p.Chunk - p.Episodes%p.Chunk) % p.Chunk // round up to whole generations
		return l, nil
	},
}

// cfrMethod uses counterfactual regret minimisation; see [cfr.Learner].
var cfrMethod = &method{
	Name: "cfr",
	Own:  features.Training{Link: models.Identity, Episodes: 1000},
	Learner: func(p *plan) (online.Learner, error) {
		p.Chunk = 100 // a fit to a thousand columns takes about as long as 100 episodes
		return cfr.New(p.Task)
	},
}

// The following methods learn from their own searches; see [bootstrap.Learner].
var (
	tdLeafMethod    = searchMethod(bootstrap.TDLeaf)
	rootStrapMethod = searchMethod(bootstrap.RootStrap)
	treeStrapMethod = searchMethod(bootstrap.TreeStrap)
)

func searchMethod(name string) *method {
	// Little exploration is needed, because the searches evaluate the alternatives.
	return &method{Name: name, Own: features.Training{Alpha: 0.02, Epsilon: 0.02, Batch: 16}, Learner: newSearching}
}

func newSearching(p *plan) (online.Learner, error) {
	if p.Leaves == "" && p.Method != bootstrap.TreeStrap {
		p.Leaves = models.Decision
	}
	if p.Agent == "" {
		recipe := p.World.Recipe()
		if p.Agent = recipe.Planner; strings.Contains(p.Agent, "assume=base") {
			p.Agent = recipe.Expectimax // values that ignore slips are wrong in this world
		}
	}
	if err := p.search(); err != nil {
		return nil, err
	}
	return bootstrap.New(p.Task)
}

// search reads the agent spec in Agent, which searches with the learned evaluation, and sets the
// model's Leaves.
func (p *plan) search() error {
	w, m := p.World, p.Model
	switch {
	case p.Leaves == models.Afterstate && !w.Chancy():
		return fmt.Errorf("leaves=afterstate: %s has no chance moves; want decision", w.Spec)
	case p.Leaves != "":
		m.Leaves = p.Leaves
	}
	p.Leaves = m.Leaves
	if kind, _, _ := strings.Cut(p.Agent, ":"); kind != "minimax" && kind != "alphabeta" && kind != "expectimax" {
		return fmt.Errorf("agent %s: want a search with node values (minimax, alphabeta or expectimax)", p.Agent)
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
		return fmt.Errorf("agent %s: time limits and threads make the weights irreproducible; limit depth or nodes instead", p.Agent)
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
