package lecture_test

import (
	"math"
	"testing"

	"plyfit/game"
	"plyfit/game/pacman"
	"plyfit/game/pacman/lecture"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/policy"
)

// Ghosts can be any agent of package search, mixed with chance as one likes: it
// plays in the game's hostile twin.
func TestAgentsAsGhosts(t *testing.T) {
	g := newGame(t, "pacman:layout=lecture,stop=off")
	twin, err := game.WithAdversary(g)
	if err != nil {
		t.Fatal(err)
	}
	hunter := func() game.Policy {
		a, err := search.NewAlphaBeta(search.Options{Game: twin, Eval: lecture.Evaluation{}, Depth: 2, Table: -1, Complete: true})
		if err != nil {
			t.Fatal(err)
		}
		p := policy.FromAgent(a, twin)
		p.Split = true
		mix, err := policy.NewMix([]float64{0.9, 0.1}, []game.Policy{p, policy.Uniform{}})
		if err != nil {
			t.Fatal(err)
		}
		return mix
	}
	world, err := pacman.WithGhosts(g, "hunter", hunter)
	if err != nil {
		t.Fatal(err)
	}
	// Pacman is two steps west of the ghost: it comes.
	s, err := world.Parse("P 4,4 G 6,4 South 0 food 8 capsules - score -3 turn ghost1")
	if err != nil {
		t.Fatal(err)
	}
	before := s.String()
	want := map[string]float64{"West": 0.9 + 0.1/3, "East": 0.1 / 3, "South": 0.1 / 3}
	for _, m := range s.Moves(nil) {
		if p := s.(game.Chancer).Prob(m); math.Abs(p-want[s.MoveString(m)]) > 1e-12 {
			t.Errorf("%s: %s has %v, want %v", s, s.MoveString(m), p, want[s.MoveString(m)])
		}
	}
	if s.String() != before {
		t.Errorf("%s became %s", before, s)
	}
	// It is worse to meet than chance, and no worse than the worst.
	player := func() game.Policy { return planner(t, g, search.NewExpectimax, assume.Assumption{}) }
	start := g.New().(*pacman.State)
	chance := lecture.Expect(start, player(), policy.Uniform{}, 0)
	hunted := lecture.Expect(start, player(), hunter(), 0)
	if t.Logf("%+v", hunted); hunted.Score >= chance.Score || hunted.Score < -510 {
		t.Errorf("%+v with the hunter, %+v with chance", hunted, chance)
	}
}
