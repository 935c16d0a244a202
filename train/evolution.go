package train

import (
	"errors"
	"fmt"

	"plyfit/learn/online"
	"plyfit/learn/online/evolution"
)

// Evolution learns from nothing but what games end with; see [evolution.Learner].
var Evolution = &Method{
	Name: "evolution", Reads: []string{"agent", "population"},
	Doc: "evolution draws candidates, has each play the same games, and moves to where those lie that " +
		"got most (CMA-ES); it wants few weights, and suits games of one player.",
	Alpha: 0.5, Epsilon: 0.05, Batch: 10,
	Learner: newEvolution,
}

func newEvolution(p *Plan) (online.Learner, error) {
	switch {
	case p.Lambda != 0:
		return nil, fmt.Errorf("--lambda %v: evolution learns from outcomes alone", p.Lambda)
	case p.TC:
		return nil, errors.New("--tc: evolution does not know it: td does")
	case p.Decay != 0:
		return nil, fmt.Errorf("--decay %v: evolution finds its own step sizes", p.Decay)
	case !(p.Alpha > 0):
		return nil, fmt.Errorf("alpha=%v: want a number above 0", p.Alpha)
	}
	if err := p.leaves(); err != nil {
		return nil, err
	}
	if p.Agent == "" {
		p.Agent = PlannerOf(p.World, "")
	}
	agents, err := p.searchers()
	if err != nil {
		return nil, err
	}
	l, err := evolution.New(evolution.Options{
		Task: p.Task, Agent: agents, Sigma: p.Alpha, Population: p.Population, Batch: p.Batch, AverageFrom: p.AverageFrom, Wins: p.Wins,
	})
	if err != nil {
		return nil, err
	}
	p.Chunk = l.Generation()
	p.Episodes += (p.Chunk - p.Episodes%p.Chunk) % p.Chunk // whole generations
	p.Depends("agent", p.Agent)
	p.Depends("leaves", p.Task.Model.Leaves)
	p.Depends("population", p.Chunk/p.Batch)
	p.Depends("batch", p.Batch)
	return l, nil
}
