package featuretest

import (
	"fmt"
	"math"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// views is what is wrong with the set's View, or with how its terms turn over with
// the players; nil: nothing.
func (l *law) views() (err error) {
	turned, _ := l.set.(features.Turned)
	claimed := turned != nil && turned.Antisymmetric()
	if claimed && l.g.Players != 2 {
		claimed = false // of two players alone it says something
	}
	last := game.Nobody // who decided last
	l.play(7, func(s game.State) {
		if err == nil {
			err = l.view(s, last)
		}
		if err == nil && claimed {
			err = l.turnsOver(s)
		}
	}, func(game.State) { last = game.Nobody }, func(s game.State, _ game.Move) {
		if turn := s.Turn(); turn >= 0 {
			last = turn
		}
	})
	return err
}

// view checks View at s, to which the move of last led.
func (l *law) view(s game.State, last game.Player) error {
	view, turn := l.set.View(s), s.Turn()
	switch {
	case view < 0 || int(view) >= l.g.Players:
		return fmt.Errorf("%s: View is %d: want a player", s, view)
	case turn >= 0 && view != turn:
		return fmt.Errorf("%s: View is %d: want %d, who is to move", s, view, turn)
	case turn != game.Chance || last < 0 || view == last:
		return nil
	}
	// A position that does not say who moved before may be seen by whose luck it is.
	if c, ok := game.As[game.Chancer](s); !ok || view != c.For() {
		return fmt.Errorf("%s: View is %d while nature moves: want %d, who moved before, or whose luck it is", s, view, last)
	}
	return nil
}

// turnsOver checks that every term has the opposite sign in the other's view, but for the rounding of
// sums of 32 bits.
func (l *law) turnsOver(s game.State) error {
	own, other := aggregate(l.set.Extract(s, 0, nil)), aggregate(l.set.Extract(s, 1, nil))
	features.Negate(other)
	values := func(x models.Vector, index int32) float32 {
		for _, t := range x {
			if t.Index == index {
				return t.Value
			}
		}
		return 0
	}
	for _, x := range []models.Vector{own, other} {
		for _, t := range x {
			if a, b := values(own, t.Index), values(other, t.Index); math.Abs(float64(a-b)) > 1e-5*math.Max(1, math.Abs(float64(a))) {
				return fmt.Errorf("%s: %s is %v as player 0 sees it and %v as player 1 does: want the opposite, since the set says that it is antisymmetric", s, l.model.Name(t.Index), a, -b)
			}
		}
	}
	return nil
}
