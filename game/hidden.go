package game

import (
	"fmt"
	"math/rand/v2"
)

// HiddenState is implemented by every State of a game of imperfect information, such as one with
// cards in the hands of others. Its [Game] says so by Hidden. Positions that a player cannot tell
// apart are an information set (von Neumann and Morgenstern 1944; AIMA 5.6).
//
// Anyone who plays or evaluates for p may use what Info(p) says and nothing else.
// A State holds the whole deal, so this is a promise, which the laws of
// packages gametest, featuretest and searchtest hold everyone to: they put
// another position of the information set in place of the true one, and want the
// same answer.
//
// Example: in kuhn at "2 0 pb" player 0 holds card 2, has passed, and player 1
// has bet. Info(0) is "2 ? pb". Sample(0, rng) is "2 0 pb" or "2 1 pb", each with
// probability 1/2.
type HiddenState interface {
	State
	// Info is what p knows, on one line: equal at two positions of a game if and
	// only if p cannot tell them apart. It holds everything that p has seen and
	// done that the future depends on, so that no one forgets ("perfect
	// recall"); who is to move and which moves there are follow from it.
	Info(p Player) string
	// Sample is a position, with nothing to undo, that p cannot tell from this
	// one: a determinization. It is drawn by rng, uniformly over the deals that
	// the rules and Info(p) allow, whatever the others' moves suggest. Two
	// positions of one information set give the same sample for the same rng.
	Sample(p Player, rng *rand.Rand) State
}

// View is what p knows at s, one of g's positions, and "" where nothing is hidden.
func (g *Game) View(s State, p Player) string {
	if !g.Hidden {
		return ""
	}
	return s.(HiddenState).Info(p)
}

// Open is g with perfect information, for searching a drawn position and for an agent that cheats.
// It is g itself if nothing is hidden.
func (g *Game) Open() *Game {
	if !g.Hidden {
		return g
	}
	open := *g
	open.Hidden = false
	return &open
}

// RefuseHidden is an error in games of imperfect information, for anyone who, called
// what, would use all of a position.
func RefuseHidden(what string, g *Game) error {
	if !g.Hidden {
		return nil
	}
	return fmt.Errorf("%s sees all of a position, and %s hides some of it: want pimc, ismcts or random", what, g.Name)
}
