package datasets

import (
	"fmt"
	"slices"

	"plyfit/game"
)

// In is the set with checks as records are read: an episode has one outcome, and outcomes and
// values are utilities of g, the set's world. The first faulty record ends the sequence with an
// error.
func (s *Set) In(g *game.Game) *Set {
	in := *s
	in.world = g
	return &in
}

type contract struct {
	world     *game.Game
	begun     bool
	episode   uint64
	outcome   []float64
	truncated bool
}

func (c *contract) check(r *Record) error {
	at := func(format string, args ...any) error {
		return fmt.Errorf("episode %d, ply %d: want %s", r.Episode, r.Ply, fmt.Sprintf(format, args...))
	}
	g := c.world
	if len(r.Outcome) != g.Players {
		g = g.Base()
	}
	if lo, hi := g.Min, g.Max; r.HasValue && !(r.Value >= lo && r.Value <= hi) {
		return at("a value within %v and %v, the utilities of %s, not %v", lo, hi, g.Name, r.Value)
	}
	if !r.Truncated {
		if err := g.CheckOutcome(r.Outcome); err != nil {
			return at("%v", err)
		}
	}
	if c.begun && c.episode == r.Episode {
		if !r.Truncated && !c.truncated && !slices.Equal(c.outcome, r.Outcome) {
			return at("one outcome in all records of an episode, not %v and %v", c.outcome, r.Outcome)
		}
		if r.Truncated {
			return nil
		}
	}
	c.begun, c.episode, c.truncated = true, r.Episode, r.Truncated
	c.outcome = append(c.outcome[:0], r.Outcome...)
	return nil
}
