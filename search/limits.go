package search

import (
	"fmt"

	"plyfit/game"
	"plyfit/models"
)

// validate says what is wrong with a Config for an agent of the kind named
// agent, whatever position it will be asked about.
func (c *Config) validate(agent string) error {
	switch {
	case c.Game == nil:
		return fmt.Errorf("%s: no game", agent)
	case c.Eval == nil:
		return fmt.Errorf("%s: no evaluation", agent)
	case c.Depth < 0:
		return fmt.Errorf("%s: depth=%d: want a positive number of decisions", agent, c.Depth)
	case c.Nodes < 0:
		return fmt.Errorf("%s: nodes=%d: want a positive number", agent, c.Nodes)
	case c.Time < 0:
		return fmt.Errorf("%s: time=%v: want a positive time", agent, c.Time)
	case c.Depth == 0 && c.Nodes == 0 && c.Time == 0:
		return fmt.Errorf("%s: no limit: want at least one of depth, nodes and time", agent)
	case c.Leaf != "" && c.Leaf != models.Decision && c.Leaf != models.Afterstate:
		return fmt.Errorf("%s: leaf=%s: want decision or afterstate", agent, c.Leaf)
	case c.Threads < 0:
		return fmt.Errorf("%s: threads=%d: want a positive number", agent, c.Threads)
	case c.Threads > 1 && c.Fork == nil && !knowsNothing(c.Eval):
		return fmt.Errorf("%s: threads=%d: want an evaluation that can be forked", agent, c.Threads)
	case c.Threads > 1 && c.Assume.Kind == AssumePolicy:
		return fmt.Errorf("%s: threads=%d: a policy is asked by one thread only", agent, c.Threads)
	case c.Observer != nil && c.Threads > 1:
		return fmt.Errorf("%s: an observer needs one thread, not %d", agent, c.Threads)
	case !(c.MinProb >= 0 && c.MinProb < 1):
		return fmt.Errorf("%s: a smallest probability of %v: want at least 0 and below 1", agent, c.MinProb)
	case c.Samples < 0:
		return fmt.Errorf("%s: %d samples: want a positive number", agent, c.Samples)
	case c.Assume.Kind == AssumePolicy && c.Assume.Policy == nil:
		return fmt.Errorf("%s: no policy to assume", agent)
	}
	return nil
}

func knowsNothing(e Evaluator) bool {
	_, ok := e.(zero)
	return ok
}

// twoSided reports whether a game of this shape can be searched with one number
// a position: one player, or two of whom one gets what the other loses. Else
// the error says so. One player planning against policies needs neither.
func twoSided(agent string, g *game.Game, sh game.Shape, policy bool) error {
	switch {
	case policy || sh.Players == 1:
		return nil
	case sh.Players > 2:
		return fmt.Errorf("%s: %s has %d players: want at most 2 (maxn takes more)", agent, g.Spec, sh.Players)
	case sh.Sum == game.General:
		return fmt.Errorf("%s: %s has a general sum: want a zero or constant sum (maxn takes any)", agent, g.Spec)
	}
	return nil
}
