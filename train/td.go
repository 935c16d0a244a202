package train

import (
	"fmt"

	"plyfit/learn/online"
	"plyfit/learn/online/optimiser"
	"plyfit/learn/online/td"
	"plyfit/models"
)

// TD is temporal differences over afterstates; see [td.Learner].
var TD = &Method{
	Name: "td", Reads: []string{"epsilon-fade", "offline", "on-policy", "restart", "threads"},
	Doc: "td moves the value of each position after a move toward those of the positions " +
		"that followed and toward the outcome (lambda: 0 only the next one, 1 only the outcome).",
	Alpha: 0.1, Epsilon: 0.1, Batch: 1,
	Learner: newTD,
}

func newTD(p *Plan) (online.Learner, error) {
	if p.Leaves != "" && p.Leaves != models.Afterstate {
		return nil, fmt.Errorf("leaves %s: td learns afterstates", p.Leaves)
	}
	p.Chunk = p.Batch
	if p.Decay != 0 {
		p.Depends("decay", p.Decay)
	}
	p.Depends("offline", p.Offline)
	p.Depends("on policy", p.OnPolicy)
	p.Depends("batch", p.Batch)
	rule := optimiser.Plain
	if p.TC {
		rule = optimiser.TC
	}
	steps := p.steps(rule)
	if steps.Coherence = p.Coherence; p.Coherence != 0 {
		p.Depends("coherence", p.Coherence)
	}
	if steps.Bounded = p.Bounded; p.Bounded {
		p.Depends("bounded", p.Bounded)
	}
	c := td.Options{
		Task: p.Task, Steps: steps,
		Lambda: p.Lambda, Wins: p.Wins, Offline: p.Offline, OnPolicy: p.OnPolicy, Batch: p.Batch,
	}
	if c.EpsilonFade = p.EpsilonFade; p.EpsilonFade != 0 {
		p.Depends("epsilon fade", p.EpsilonFade)
	}
	if c.Restart = p.Restart; p.Restart != 0 {
		p.Depends("restart", p.Restart)
	}
	if p.Threads > 1 {
		c.Threads = p.Threads
		p.Depends("threads", fmt.Sprintf("%d, without locks: not repeatable", p.Threads))
	}
	return td.New(c)
}
