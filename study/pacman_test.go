package study

import (
	"math"
	"testing"

	"plyfit/catalog"
)

// The lecture's table of assumption against reality, to a hundredth of a point,
// as the experiment works it out; game/pacman/lecture's own tests have it from
// the published figures, too. And the trap, in which minimax gives up.
func TestPacmanTable(t *testing.T) {
	s := &Session{Catalog: catalog.All(), Seed: 1}
	const board = "pacman:layout=lecture,stop=off"
	for _, c := range []struct {
		key        chase
		score, won float64
	}{
		{chase{Game: board, Hero: expectsWorst, Planned: 1}, 489.11, 1},
		{chase{Game: board, Hero: expectsWorst, Planned: 0}, 487.92, .9954},
		{chase{Game: board, Hero: expectsChance, Planned: 1}, -252.00, .2500},
		{chase{Game: board, Hero: expectsChance, Planned: 0}, 471.42, .9653},
		{chase{Game: board, Hero: expectsWorst, Planned: 0.8}, 480.35, .9926},
		{chase{Game: board, Hero: expectsChance, Planned: 0.8}, 2.12, .5015},
		{chase{Game: board, Hero: knowsGhost, Planned: 0.8}, 421.25, .9238},
		{chase{Game: "pacman:layout=trapped", Hero: expectsWorst, Plain: true}, -502, 0},
	} {
		c.key.Depth = 4
		got, err := s.chase(c.key)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Score-c.score) > 0.01 || math.Abs(got.Won-c.won) > 6e-5 {
			t.Errorf("%+v: %+v, want %v, won %v", c.key, got.Outlook, c.score, c.won)
		}
	}
	got, err := s.chase(chase{Game: "pacman:layout=trapped", Hero: expectsChance, Plain: true, Depth: 4})
	if err != nil || got.Won <= 0 || got.Score <= -502 {
		t.Errorf("trapped, expectimax: %+v, %v; want some games won", got.Outlook, err)
	}
	// Games that are played agree with what is expected of them.
	got, err = s.chase(chase{Game: board, Hero: expectsChance, Planned: 0.8, Depth: 4, Games: 2000, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if i := meanOf(got.Scores, 1); math.Abs(i.Value-got.Score) > 2*(i.High-i.Low) {
		t.Errorf("games score %+v, expected %v", i, got.Score)
	}
}
