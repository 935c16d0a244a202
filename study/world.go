package study

import (
	"fmt"

	"plyfit/game"
)

// World is a game's wrapper: a slip, or an adversary in nature's place. It also says what a planner
// takes the world for. Where nothing is averaged then, the planner is minimax.
type World struct {
	Slip    float64 `json:"slip,omitempty"`    // probability that a move is replaced by a random one
	Hostile bool    `json:"hostile,omitempty"` // nature's own moves are made against the one whose luck they are
}

// Of is the world made of a base game. A hostile one has no slip.
func (w World) Of(g *game.Game) (*game.Game, error) {
	switch {
	case w.Hostile && w.Slip > 0:
		return nil, fmt.Errorf("%s: slip %v and hostile nature: want one of the two", g.Spec, w.Slip)
	case w.Hostile:
		return game.WithAdversary(g)
	case w.Slip > 0:
		return game.WithSlip(g, w.Slip)
	}
	return g, nil
}

// Averages reports whether a planner that takes the world for w averages; chancy: of a game of chance.
func (w World) Averages(chancy bool) bool { return w.Slip > 0 || chancy && !w.Hostile }

func (w World) String() string {
	switch {
	case w.Hostile && w.Slip > 0:
		return fmt.Sprintf("slip %v, hostile nature", w.Slip)
	case w.Hostile:
		return "hostile nature"
	case w.Slip > 0:
		return fmt.Sprintf("slip %v", w.Slip)
	}
	return "no slip"
}
