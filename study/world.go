package study

import (
	"fmt"
	"math/rand/v2"

	"plyfit/game"
)

// World is a game with or without a slip, or what a planner assumes. A planner that averages nothing
// in the world that it assumes is minimax.
type World struct {
	Slip    float64 `json:"slip,omitempty"`    // probability that a move is replaced by a random one
	Hostile bool    `json:"hostile,omitempty"` // nature moves against the player whose luck it is; only assumed, never played
}

// Of returns the world made of a base game.
func (w World) Of(g *game.Game) (*game.Game, error) {
	if w.Slip > 0 {
		return game.WithSlip(g, w.Slip)
	}
	return g, nil
}

// Averages reports whether a planner that assumes w averages. chancy reports whether the game has
// chance of its own.
func (w World) Averages(chancy bool) bool { return w.Slip > 0 || chancy && !w.Hostile }

func (w World) String() string {
	switch {
	case w.Hostile:
		return "hostile nature"
	case w.Slip > 0:
		return fmt.Sprintf("slip %v", w.Slip)
	}
	return "no slip"
}

// NewRand returns a source of random numbers that follows from the seeds alone.
func NewRand(seeds ...uint64) *rand.Rand {
	h := game.Seed(seeds...)
	return rand.New(rand.NewPCG(h, game.Mix(h)))
}
