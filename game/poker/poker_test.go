package poker

import (
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func TestKuhnLaw(t *testing.T) {
	for _, text := range []string{"kuhn", "kuhn:players=3", "kuhn:players=10"} {
		gametest.Law(t, gametest.New(t, NewKuhn, text), gametest.Options{Playouts: 400})
	}
	gametest.Refuse(t, NewKuhn, "kuhn:players=1", "kuhn:players=11", "kuhn:cards=3")
}

// TestKuhnUtilities compares utilities with OpenSpiel's kuhn_poker, for two and three players.
func TestKuhnUtilities(t *testing.T) {
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
		s := vectors.Must(gametest.New(t, NewKuhn, c.spec).Parse(c.position))
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

// TestKuhnPlaythroughs replays OpenSpiel's playthroughs, including the deal.
func TestKuhnPlaythroughs(t *testing.T) {
	for spec, p := range map[string]gametest.Playthrough{
		"kuhn":           {Moves: "1 2 pass pass", Counts: map[int]int{0: 3, 1: 2, 2: 2, 3: 2}, Returns: []float64{-1, 1}},
		"kuhn:players=3": {Moves: "1 3 2 pass pass bet bet pass", Counts: map[int]int{0: 4, 1: 3, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2}, Returns: []float64{-2, -1, 3}},
	} {
		p.Follow(t, gametest.New(t, NewKuhn, spec))
	}
}

func TestFacing(t *testing.T) {
	g := gametest.New(t, NewKuhn, "kuhn:players=3")
	for _, c := range []struct {
		position       string
		facing, folded [3]bool
	}{
		{"3 1 2 p", [3]bool{}, [3]bool{}},
		{"3 1 2 pb", [3]bool{true, false, true}, [3]bool{}},
		{"3 1 2 pbp", [3]bool{true, false, false}, [3]bool{false, false, true}},
		{"3 1 2 pbpb", [3]bool{}, [3]bool{false, false, true}},
	} {
		s := vectors.Must(g.Parse(c.position))
		for p := range game.Player(3) {
			k := s.(*Kuhn)
			if k.Facing(p) != c.facing[p] || k.Folded(p) != c.folded[p] {
				t.Errorf("%s: player %d: facing %v, folded %v", s, p, k.Facing(p), k.Folded(p))
			}
		}
	}
}

func TestLeducLaw(t *testing.T) {
	gametest.Law(t, gametest.New(t, NewLeduc, "leduc"))
	gametest.Refuse(t, NewLeduc, "leduc:players=3")
}

// TestLeducUtilities compares utilities with OpenSpiel's leduc_poker.
func TestLeducUtilities(t *testing.T) {
	g := gametest.New(t, NewLeduc, "leduc")
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
		s := vectors.Must(g.Parse(position))
		if s.Turn() != game.Nobody || s.Utility(0) != want || s.Utility(1) != -want {
			t.Errorf("%s: turn %d, utilities %v, %v; want %v", s, s.Turn(), s.Utility(0), s.Utility(1), want)
		}
	}
}

// TestLeducPlaythroughs replays OpenSpiel's playthroughs leduc_poker_1540482260, _3977671846 and
// _773740114, including the deal.
func TestLeducPlaythroughs(t *testing.T) {
	for _, p := range []gametest.Playthrough{
		{Moves: "Kh Jh raise fold", Counts: map[int]int{0: 6, 1: 5, 2: 2, 3: 3}, Returns: []float64{1, -1}},
		{Moves: "Jh Js call raise call Qh call call", Counts: map[int]int{0: 6, 1: 5, 2: 2, 3: 2, 4: 3, 6: 2, 7: 2}, Returns: []float64{0, 0}},
		{Moves: "Js Qh raise fold", Counts: map[int]int{0: 6, 1: 5, 2: 2, 3: 3}, Returns: []float64{1, -1}},
	} {
		p.Follow(t, gametest.New(t, NewLeduc, "leduc"))
	}
}
