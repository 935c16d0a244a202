package train

import (
	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/td"
)

// tdMethod is temporal differences over afterstates; see [td.Learner].
var tdMethod = &method{
	Name: "td",
	Doc: "td moves the value of each position after a move toward those of the positions " +
		"that followed and toward the outcome (lambda: 0 only the next one, 1 only the outcome).",
	Own: features.Training{Epsilon: 0.1},
	Learner: func(p *plan) (online.Learner, error) {
		p.Chunk = p.Batch
		if p.Threads > 1 {
			p.Depends("repeatable", "no: threads learn without locks")
		}
		return td.New(p.Task)
	},
}
