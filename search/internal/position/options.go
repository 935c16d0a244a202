package position

import (
	"fmt"
	"time"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search/assume"
)

// Options are what every search knows of its positions: of an agent's options
// those that all kinds of agents have, and what chance nodes are cut by.
type Options struct {
	Game   *game.Game
	Eval   evaluator
	Nodes  int64         // after which the search stops; 0: no limit
	Time   time.Duration // after which it stops; 0: no limit
	Leaf   models.Leaves // the positions that Eval is made for; "" is models.Decision
	Assume assume.Assumption

	MinProb float64 // chance nodes less probable than this are evaluated at once; 0: none
	Samples int     // of nature's moves at a chance node; 0: all
}

// Validate checks options for an agent of the kind named agent, for any position.
func (o *Options) Validate(agent string) error {
	switch {
	case o.Game == nil:
		return fmt.Errorf("%s: no game", agent)
	case o.Eval == nil:
		return fmt.Errorf("%s: no evaluation", agent)
	case o.Leaf != "" && o.Leaf != models.Decision && o.Leaf != models.Afterstate:
		return fmt.Errorf("%s: leaf=%s: want decision or afterstate", agent, o.Leaf)
	case !(o.MinProb >= 0 && o.MinProb < 1):
		return fmt.Errorf("%s: a smallest probability of %v: want at least 0 and below 1", agent, o.MinProb)
	case o.Samples < 0:
		return fmt.Errorf("%s: %d samples: want a positive number", agent, o.Samples)
	case o.Assume.Kind == assume.Policy && o.Assume.Policy == nil:
		return fmt.Errorf("%s: no policy to assume", agent)
	case o.Nodes < 0:
		return fmt.Errorf("%s: nodes=%d: want a positive number", agent, o.Nodes)
	case o.Time < 0:
		return fmt.Errorf("%s: time=%v: want a positive time", agent, o.Time)
	}
	return game.RefuseHidden(agent, o.Game)
}
