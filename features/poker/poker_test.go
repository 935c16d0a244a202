package poker

import (
	"math"
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	board "plyfit/game/poker"
	"plyfit/internal/vectors"
	"plyfit/models"
)

func TestKuhnLaw(t *testing.T) {
	featuretest.Laws(t, board.NewKuhn, kuhnSets, "kuhn", "kuhn:players=4")
}

// TestHandWritten checks that the value of the shipped evaluation increases with the card.
func TestHandWritten(t *testing.T) {
	g := gametest.New(t, board.NewKuhn, "kuhn")
	set := kuhnSets(g)[0]
	e := features.NewEvaluator(g, set, featuretest.Shipped(t, g, set, "handwritten/kuhn.json"))
	value := func(position string) float64 {
		s := vectors.Must(g.Parse(position))
		return e.Evaluate(s, 0)
	}
	if a, b, c := value("0 1 pb"), value("1 0 pb"), value("2 0 pb"); !(a < b && b < c) {
		t.Errorf("values of the cards %v, %v, %v: want them to rise", a, b, c)
	}
}

// A peek is a deliberately invalid set with a term for the other player's card.
type peek struct{ features.Set }

func (p peek) Extract(s game.State, q game.Player, x models.Vector) models.Vector {
	return append(p.Set.Extract(s, q, x), models.Term{Index: 0, Value: float32(s.(*board.Kuhn).Card(1-q)) + 2})
}

// TestCheatIsCaught checks that featuretest detects a set that uses the other player's card.
func TestCheatIsCaught(t *testing.T) {
	g := gametest.New(t, board.NewKuhn, "kuhn")
	set := kuhnSets(g)[0]
	if leak := featuretest.Leak(g, set, 20); leak != "" {
		t.Errorf("%s betrays what is hidden at %s", set.Name(), leak)
	}
	if leak := featuretest.Leak(g, peek{set}, 20); leak == "" {
		t.Error("a set with the other's card among its terms was not caught")
	}
}

func TestLeducLaw(t *testing.T) {
	g := gametest.New(t, board.NewLeduc, "leduc")
	featuretest.Laws(t, board.NewLeduc, leducSets, "leduc")
	featuretest.Shipped(t, g, leducSets(g)[0], "handwritten/leduc.json")
}

// TestEquity checks equities that were counted by hand. With a king on the table, a queen beats two
// jacks, ties with the other queen and loses to the other king. If a player holds a king and the
// public card has not been dealt, there are 20 combinations of the other player's card and the
// public card. The king wins in 12 of them, loses to a pair in 4, and ties with the other king in
// the remaining 4.
func TestEquity(t *testing.T) {
	for _, c := range []struct {
		own, table int
		want       float64
	}{
		{1, 2, (2 - 1) / 4.},
		{0, 0, 1},
		{2, -1, 8 / 20.},
		{0, 2, (0 - 3) / 4.},
	} {
		if got := equity(c.own, c.table); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("equity of %d with %d on the table is %v, want %v", c.own, c.table, got, c.want)
		}
	}
}

// names returns the columns of a set.
func names(set features.Set) (all []string) {
	for _, b := range set.Blocks() {
		all = append(all, b.Name)
	}
	return all
}

// TestColumns checks the number of columns for the texts that a player can know, without the
// omitted letters, and that some positions have exactly their own column.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		make          gametest.Maker
		spec, without string
		columns       int
	}{
		{board.NewKuhn, "kuhn", "", 59},
		{board.NewLeduc, "leduc", "sh", 1445},
	} {
		g := gametest.New(t, c.make, c.spec)
		set := infosets(c.spec+"/all", g, c.without)
		featuretest.Law(t, g, set)
		all := names(set)
		if len(all) != c.columns {
			t.Errorf("%s has %d columns, want %d", c.spec, len(all), c.columns)
		}
		for position, want := range map[string]string{"2 0 pb": "2 ? pb", "Ks Qh rc Jh cr": "K ? rc J cr", "0 1 pbp": "0 ? pbp"} {
			s, err := g.Parse(position)
			if err != nil {
				continue // the position belongs to the other game
			}
			x := set.Extract(s, 0, nil)
			if len(x) != 1 || x[0].Value != 1 || all[x[0].Index] != want {
				t.Errorf("%s: %v, want the column %q", position, x, want)
			}
			if p := s.Turn(); p == 0 && set.View(s) != p {
				t.Errorf("%s has the view of player %d", position, set.View(s))
			}
		}
	}
}

// TestLines checks that AppendInfo and Info return the same text.
func TestLines(t *testing.T) {
	for spec, make := range map[string]gametest.Maker{"kuhn:players=3": board.NewKuhn, "leduc": board.NewLeduc} {
		g := gametest.New(t, make, spec)
		seen := []string{}
		for seed := range uint64(20) {
			s := g.New()
			for s.Turn() != game.Nobody {
				moves := s.Moves(nil)
				s.Play(moves[game.Mix(seed+uint64(len(s.String())))%uint64(len(moves))])
				for p := range game.Player(g.Players) {
					want := s.(game.HiddenState).Info(p)
					if got := string(s.(spoken).AppendInfo([]byte("x "), p)); got != "x "+want {
						t.Fatalf("%q, want %q behind x", got, want)
					}
					seen = append(seen, want)
				}
			}
		}
		slices.Sort(seen)
		if len(slices.Compact(seen)) < 20 {
			t.Errorf("%s: too few lines to tell", spec)
		}
	}
}
