package train

import (
	"errors"
	"fmt"

	"plyfit/learn/online"
	"plyfit/learn/online/policy"
)

// Policy learns which moves to choose; see [policy.Learner].
var Policy = &Method{
	Name: "policy", Reads: []string{"sharp", "jitter"},
	Doc: "policy learns which moves to choose rather than what positions are worth, against " +
		"its earlier selves; it wants a model to begin with, as td makes one, or a large number of games.",
	Alpha: 0.014, Epsilon: 0.1, Batch: 400,
	Learner: newPolicy,
}

func newPolicy(p *Plan) (online.Learner, error) {
	switch {
	case p.Lambda != 0:
		return nil, fmt.Errorf("--lambda %v: policy learns from outcomes alone", p.Lambda)
	case p.TC:
		return nil, errors.New("--tc: policy does not know it: td does")
	case p.Leaves != "" && p.Leaves != p.Task.Model.Leaves:
		return nil, fmt.Errorf("leaves %s: policy learns afterstates", p.Leaves)
	case !(p.Sharp > 0):
		return nil, fmt.Errorf("sharp=%v: want a number above 0", p.Sharp)
	case !(p.Alpha > 0):
		return nil, fmt.Errorf("alpha=%v: want a number above 0", p.Alpha)
	}
	p.Chunk = p.Batch
	p.Depends("decay", p.Decay)
	p.Depends("sharp", p.Sharp)
	p.Depends("jitter", p.Jitter)
	p.Depends("batch", p.Batch)
	return policy.New(policy.Options{
		Task: p.Task, Steps: p.steps(""), Sharp: p.Sharp, Jitter: p.Jitter, Wins: p.Wins, Batch: p.Batch,
	})
}
