package backgammon

import (
	"context"
	"testing"

	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/search"
)

// In a hostile world the roller's opponent chooses his dice: the same search
// plays both the checkers and the dice.
func TestHostileWorld(t *testing.T) {
	g, err := game.WithAdversary(newGame(t))
	if err != nil {
		t.Fatal(err)
	}
	a, err := search.NewAlphaBeta(search.Options{Game: g, Eval: handwritten(t, g), Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := g.New()
	for range 60 {
		if s.Turn() == game.Nobody {
			break
		}
		if other := 1 - board.Of(s).Player(); game.NatureToMove(s) && s.Turn() != other {
			t.Fatalf("%s: player %d chooses the dice, want the roller's opponent %d", s, s.Turn(), other)
		}
		r, err := a.Search(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		s.Play(r.Move)
	}
}
