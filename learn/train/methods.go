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

// methods are all ways of learning while playing that come with plyfit. A new one is
// a [method] and an item here. What it reads of the settings of others
// says its name in their tags ([features.Training]).
var methods = []*method{tdMethod, tdLeafMethod, rootStrapMethod, treeStrapMethod, evolutionMethod, cfrMethod}

// method is a way of learning while playing.
type method struct {
	Name string // as recipes, models and the command write it

	// Own are the settings that differ from the defaults; Epsilon is that of games without chance.
	Own features.Training

	// Learner makes the learner. Settings that it fills in, and what it tells the plan
	// besides (Depends), go into the recipe.
	Learner func(p *plan) (online.Learner, error)
}

// methodNamed is the method of that name; "" is TD.
func methodNamed(name string) (*method, error) {
	for _, m := range methods {
		if m.Name == name || name == "" {
			return m, nil
		}
	}
	return nil, fmt.Errorf("method %q: want %s", name, strings.Join(Names(), ", "))
}

// Names are the names of the methods, in alphabetical order.
func Names() []string {
	names := list.Map(methods, func(m *method) string { return m.Name })
	slices.Sort(names)
	return names
}

// tdMethod is temporal differences over afterstates; see [td.Learner].
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

// evolutionMethod learns from nothing but what games end with; see [evolution.Learner].
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
		p.Episodes += (p.Chunk - p.Episodes%p.Chunk) % p.Chunk // whole generations
		return l, nil
	},
}

// cfrMethod is counterfactual regret minimisation; see [cfr.Learner].
var cfrMethod = &method{
	Name: "cfr",
	Own:  features.Training{Link: models.Identity, Episodes: 1000},
	Learner: func(p *plan) (online.Learner, error) {
		p.Chunk = 100 // a fit to a thousand columns takes as long
		return cfr.New(p.Task)
	},
}

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
