package train

import (
	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/evolution"
)

// evolutionMethod learns from nothing but what games end with; see [evolution.Learner].
var evolutionMethod = &method{
	Name: "evolution",
	Doc: "evolution draws candidates, has each play the same games, and moves to where those lie that " +
		"got most (CMA-ES); it wants few weights, and suits games of one player.",
	Own: features.Training{Alpha: 0.5, Epsilon: 0.05, Batch: 10},
	Learner: func(p *plan) (online.Learner, error) {
		if p.Agent == "" {
			p.Agent = PlannerOf(p.World, "")
		}
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
