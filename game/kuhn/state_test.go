package kuhn

import (
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
)

func TestLaw(t *testing.T) {
	for _, text := range []string{"kuhn", "kuhn:players=3", "kuhn:players=10"} {
		gametest.Law(t, gametest.New(t, New, text), gametest.Options{Playouts: 400})
	}
	gametest.Refuse(t, New, "kuhn:players=1", "kuhn:players=11", "kuhn:cards=3")
}

// TestUtilities: what OpenSpiel's kuhn_poker pays, for two players and three.
func TestUtilities(t *testing.T) {
	for _, c := range []struct {
		spec, position string
		want           []float64
	}{
		{"kuhn", "2 1 pp", []float64{1, -1}},
		{"kuhn", "0 1 pbp", []float64{-1, 1}},
		{"kuhn", "0 1 bp", []float64{1, -1}},
		{"kuhn", "0 2 bb", []float64{-2, 2}},
		{"kuhn", "2 0 pbb", []float64{2, -2}},
		{"kuhn:players=3", "0 1 2 ppp", []float64{-1, -1, 2}},
		{"kuhn:players=3", "3 1 2 ppbpb", []float64{-1, -2, 3}},
		{"kuhn:players=3", "3 1 2 bbb", []float64{4, -2, -2}},
	} {
		s, err := gametest.New(t, New, c.spec).Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if s.Turn() != game.Nobody {
			t.Errorf("%s: turn %d, want the end", s, s.Turn())
		}
		for p, want := range c.want {
			if got := s.Utility(game.Player(p)); got != want {
				t.Errorf("%s: player %d gets %v, want %v", s, p, got, want)
			}
		}
	}
}

// TestCounts: the tree has 6 deals of 2 players, with 9 positions each, 5 of them
// ends.
func TestCounts(t *testing.T) {
	g := gametest.New(t, New, "kuhn")
	nodes, ends := 0, 0
	var walk func(s game.State)
	walk = func(s game.State) {
		nodes++
		if s.Turn() == game.Nobody {
			ends++
		}
		for _, m := range s.Moves(nil) {
			s.Play(m)
			walk(s)
			s.Undo()
		}
	}
	walk(g.New())
	if nodes != 1+3+6*9 || ends != 6*5 {
		t.Errorf("%d positions, %d ends; want 58, 30", nodes, ends)
	}
}

// TestPlaythroughs follows OpenSpiel's playthroughs, the deal included.
func TestPlaythroughs(t *testing.T) {
	for spec, p := range map[string]gametest.Playthrough{
		"kuhn":           {Moves: "1 2 pass pass", Counts: map[int]int{0: 3, 1: 2, 2: 2, 3: 2}, Returns: []float64{-1, 1}},
		"kuhn:players=3": {Moves: "1 3 2 pass pass bet bet pass", Counts: map[int]int{0: 4, 1: 3, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2}, Returns: []float64{-2, -1, 3}},
	} {
		p.Follow(t, gametest.New(t, New, spec))
	}
}

// TestFacing: who has a bet to answer.
func TestFacing(t *testing.T) {
	g := gametest.New(t, New, "kuhn:players=3")
	for _, c := range []struct {
		position       string
		facing, folded [3]bool
	}{
		{"3 1 2 p", [3]bool{}, [3]bool{}},
		{"3 1 2 pb", [3]bool{true, false, true}, [3]bool{}},
		{"3 1 2 pbp", [3]bool{true, false, false}, [3]bool{false, false, true}},
		{"3 1 2 pbpb", [3]bool{}, [3]bool{false, false, true}},
	} {
		s, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		for p := range game.Player(3) {
			k := s.(*State)
			if k.Facing(p) != c.facing[p] || k.Folded(p) != c.folded[p] {
				t.Errorf("%s: player %d: facing %v, folded %v", s, p, k.Facing(p), k.Folded(p))
			}
		}
	}
}
