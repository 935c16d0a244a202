package featuretest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/game"
)

// veiled holds a set of a game in which players do not see everything to what they
// see: what a player cannot tell apart has the same features and the same value.
func (l *law) veiled(t *testing.T) {
	if !l.g.Hidden {
		t.Skip("players see everything")
	}
	if leak := Leak(l.g, l.set, l.games); leak != "" {
		t.Errorf("%s betrays what is hidden: %s", l.set.Name(), leak)
	}
	e := features.NewEvaluator(l.g, l.set, l.model)
	rng := rand.New(rand.NewPCG(8, 1))
	same := func(s, drawn game.State, p game.Player) {
		if got, want := e.Evaluate(drawn, p), e.Evaluate(s, p); got != want {
			t.Fatalf("%s is worth %v to player %d, and %s, which he cannot tell from it, %v", s, want, p, drawn, got)
		}
	}
	l.play(8, func(s game.State) {
		for p := range game.Player(l.g.Players) {
			same(s, s.(game.HiddenState).Sample(p, rng), p)
		}
	}, nil, nil)
	// What comes of the last move is hidden from who makes it.
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

// Leak is a position of g, met in random games, at which the features of set in a
// player's view depend on what is hidden from him; "" where there is none.
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
