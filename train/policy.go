package train

import (
	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/policy"
)

// Policy learns which moves to choose; see [policy.Learner].
var Policy = &Method{
	Name: "policy",
	Doc: "policy learns which moves to choose rather than what positions are worth, against " +
		"its earlier selves; it wants a model to begin with, as td makes one, or a large number of games.",
	Own: features.Training{Alpha: 0.014, Epsilon: 0.1, Batch: 400},
	Learner: func(p *Plan) (online.Learner, error) {
		p.Chunk = p.Batch
		return policy.New(p.Task)
	},
}
