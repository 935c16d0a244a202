package featuretest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// views returns an error if the set's View method is wrong, or if the set claims to be
// antisymmetric but is not.
func (l *law) views() (err error) {
	turned, _ := l.set.(features.Turned)
	claimed := turned != nil && turned.Antisymmetric()
	if claimed && l.g.Players != 2 {
		claimed = false // antisymmetry is only defined for two players
	}
	last := game.Nobody // player who made the last decision
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

// view checks the result of View at s. last is the player who made the last decision.
func (l *law) view(s game.State, last game.Player) error {
	view, turn := l.set.View(s), s.Turn()
	switch {
	case view < 0 || int(view) >= l.g.Players:
		return fmt.Errorf("%s: View is %d: want a player", s, view)
	case turn >= 0 && view != turn:
		return fmt.Errorf("%s: View is %d: want %d, the player to move", s, view, turn)
	case turn != game.Chance || last < 0 || view == last:
		return nil
	}
	// If a position does not show who moved last, the chance node's player is also valid.
	if c, ok := game.As[game.Chancer](s); !ok || view != c.For() {
		return fmt.Errorf("%s: View is %d while nature moves: want %d, the player who moved before or whose luck it is", s, view, last)
	}
	return nil
}

// turnsOver checks that every term has the opposite sign from the other player's point of view,
// apart from the rounding of 32-bit values.
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
				return fmt.Errorf("%s: %s is %v for player 0 and %v for player 1; want opposite values, because the set claims to be antisymmetric", s, l.model.Name(t.Index), a, -b)
			}
		}
	}
	return nil
}

// veiled checks a set for a game with hidden information. Positions that a player cannot
// distinguish must have the same features and the same value for that player.
func (l *law) veiled(t *testing.T) {
	if !l.g.Hidden {
		t.Skip("players see everything")
	}
	if leak := Leak(l.g, l.set, l.games); leak != "" {
		t.Errorf("%s reveals hidden information: %s", l.set.Name(), leak)
	}
	e := features.NewEvaluator(l.g, l.set, l.model)
	rng := rand.New(rand.NewPCG(8, 1))
	same := func(s, drawn game.State, p game.Player) {
		if got, want := e.Evaluate(drawn, p), e.Evaluate(s, p); got != want {
			t.Fatalf("%s is worth %v to player %d, but %s, which is in the same information set, is worth %v", s, want, p, drawn, got)
		}
	}
	l.play(8, func(s game.State) {
		for p := range game.Player(l.g.Players) {
			same(s, s.(game.HiddenState).Sample(p, rng), p)
		}
	}, nil, nil)
	// The result of the last move is hidden from its mover.
	l.play(9, func(game.State) {}, nil, func(s game.State, m game.Move) {
		p := s.Turn()
		if p < 0 {
			return
		}
		drawn := s.(game.HiddenState).Sample(p, rng)
		s.Play(m)
		drawn.Play(m)
		if s.Turn() == game.Nobody {
			same(s, drawn, p)
		}
		s.Undo()
	})
}

// Leak returns a position of g, found in random games, in which a player's features depend on
// hidden information. It returns "" if there is none.
func Leak(g *game.Game, set features.Set, games int) (found string) {
	rng := rand.New(rand.NewPCG(7, 1))
	l := &law{g: g, set: set, games: games}
	l.play(7, func(s game.State) {
		for p := range game.Player(g.Players) {
			drawn := s.(game.HiddenState).Sample(p, rng)
			if found == "" && !slices.Equal(aggregate(set.Extract(s, p, nil)), aggregate(set.Extract(drawn, p, nil))) {
				found = s.String()
			}
		}
	}, nil, nil)
	return found
}
