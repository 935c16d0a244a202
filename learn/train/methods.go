package train

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plyfit/features"
	"plyfit/internal/list"
	"plyfit/learn/online"
	"plyfit/learn/online/cfr"
	"plyfit/learn/online/evolution"
	"plyfit/learn/online/td"
	"plyfit/models"
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
