package leduc

import (
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
)

func TestLaw(t *testing.T) {
	gametest.Law(t, gametest.New(t, New, "leduc"))
	gametest.Refuse(t, New, "leduc:players=3")
}

// TestUtilities: what OpenSpiel's leduc_poker pays.
func TestUtilities(t *testing.T) {
	g := gametest.New(t, New, "leduc")
	for position, want := range map[string]float64{
		"Ks Qh rf":           1,
		"Ks Qh crf":          -1,
		"Ks Qh cc Qs cc":     -1,
		"Ks Qh cc Js cc":     1,
		"Ks Kh rc Js rrc":    0,
		"Js Kh rrc Jh crrc":  13,
		"Qs Kh crrc Jh crrf": 5 + 4,
		"Qs Kh crrc Jh rrf":  -9,
		"Qs Kh crrc Jh rrc":  -13,
	} {
		s, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		if s.Turn() != game.Nobody || s.Utility(0) != want || s.Utility(1) != -want {
			t.Errorf("%s: turn %d, utilities %v, %v; want %v", s, s.Turn(), s.Utility(0), s.Utility(1), want)
		}
	}
}

// TestPlaythroughs follows OpenSpiel's playthroughs (leduc_poker_1540482260, _3977671846
// and _773740114), the deal included.
func TestPlaythroughs(t *testing.T) {
	for _, p := range []gametest.Playthrough{
		{Moves: "Kh Jh raise fold", Counts: map[int]int{0: 6, 1: 5, 2: 2, 3: 3}, Returns: []float64{1, -1}},
		{Moves: "Jh Js call raise call Qh call call", Counts: map[int]int{0: 6, 1: 5, 2: 2, 3: 2, 4: 3, 6: 2, 7: 2}, Returns: []float64{0, 0}},
		{Moves: "Js Qh raise fold", Counts: map[int]int{0: 6, 1: 5, 2: 2, 3: 3}, Returns: []float64{1, -1}},
	} {
		p.Follow(t, gametest.New(t, New, "leduc"))
	}
}

// TestCounts: 30 deals, 9 ends of the first round of which 4 are folds, and for the
// others 4 cards and the same tree again; OpenSpiel has 936 information sets.
func TestCounts(t *testing.T) {
	g := gametest.New(t, New, "leduc")
	sets, ends := map[string]bool{}, 0
	var walk func(s game.State)
	walk = func(s game.State) {
		if p := s.Turn(); p >= 0 {
			sets[s.(game.HiddenState).Info(p)] = true
		} else if p == game.Nobody {
			ends++
		}
		for _, m := range s.Moves(nil) {
			s.Play(m)
			walk(s)
			s.Undo()
		}
	}
	walk(g.New())
	if len(sets) != 936 || ends != 30*(4+5*4*9) {
		t.Errorf("%d information sets, %d ends; want 936, %d", len(sets), ends, 30*(4+5*4*9))
	}
}
