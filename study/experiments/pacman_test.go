package experiments

import (
	"math"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// The lecture's table of assumption against reality, to a hundredth of a point,
// as the experiment works it out; game/pacman/lecture's own tests have it from
// the published figures, too. And the trap, in which minimax gives up.
func TestPacmanTable(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1}
	const board = "pacman:layout=lecture,stop=off"
	for _, c := range []struct {
		key        ghostCell
		score, won float64
	}{
		{ghostCell{Game: board, Assumes: expectsWorst, Planned: 1}, 489.11, 1},
		{ghostCell{Game: board, Assumes: expectsWorst, Planned: 0}, 487.92, .9954},
		{ghostCell{Game: board, Assumes: expectsChance, Planned: 1}, -252.00, .2500},
		{ghostCell{Game: board, Assumes: expectsChance, Planned: 0}, 471.42, .9653},
		{ghostCell{Game: board, Assumes: expectsWorst, Planned: 0.8}, 480.35, .9926},
		{ghostCell{Game: board, Assumes: expectsChance, Planned: 0.8}, 2.12, .5015},
		{ghostCell{Game: board, Assumes: knowsGhost, Planned: 0.8}, 421.25, .9238},
		{ghostCell{Game: "pacman:layout=trapped", Assumes: expectsWorst, Plain: true}, -502, 0},
	} {
		c.key.Depth = 4
		got, err := playGhosts(s, c.key)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Score-c.score) > 0.01 || math.Abs(got.Won-c.won) > 6e-5 {
			t.Errorf("%+v: %+v, want %v, won %v", c.key, got.Expectation, c.score, c.won)
		}
	}
	// What knowing the ghost loses four rounds ahead is its horizon's doing: one
	// round deeper it is the best.
	ghost := func(h assumption, depth int) float64 {
		got, err := playGhosts(s, ghostCell{Game: board, Assumes: h, Depth: depth, Planned: 0.9})
		if err != nil {
			t.Fatal(err)
		}
		return got.Score
	}
	if worst, knows := ghost(expectsWorst, 4), ghost(knowsGhost, 4); worst < knows+50 {
		t.Errorf("four rounds ahead minimax scores %.2f and knowing the ghost %.2f: nothing to explain", worst, knows)
	}
	if worst, knows := ghost(worstDeeper, 5), ghost(knowsDeeper, 5); knows < worst {
		t.Errorf("five rounds ahead minimax scores %.2f and knowing the ghost %.2f", worst, knows)
	}
	got, err := playGhosts(s, ghostCell{Game: "pacman:layout=trapped", Assumes: expectsChance, Plain: true, Depth: 4})
	if err != nil || got.Won <= 0 || got.Score <= -502 {
		t.Errorf("trapped, expectimax: %+v, %v; want some games won", got.Expectation, err)
	}
	// Games that are played agree with what is expected of them.
	got, err = playGhosts(s, ghostCell{Game: board, Assumes: expectsChance, Planned: 0.8, Depth: 4, Games: 2000, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if i := study.MeanOf(got.Scores, 1); math.Abs(i.Value-got.Score) > 2*(i.High-i.Low) {
		t.Errorf("games score %+v, expected %v", i, got.Score)
	}
}
