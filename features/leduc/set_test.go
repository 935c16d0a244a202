package leduc

import (
	"math"
	"testing"

	"plyfit/features/featuretest"
	"plyfit/game/gametest"
	board "plyfit/game/leduc"
)

func TestLaw(t *testing.T) {
	g := gametest.New(t, board.New, "leduc")
	featuretest.Laws(t, board.New, Sets, "leduc")
	featuretest.Shipped(t, g, Sets(g)[0], "handwritten/leduc.json")
}

// TestEquity counts by hand: a queen with a king on the table beats two jacks,
// shares with the other queen and loses to the other king. A king has 20 ways to be
// dealt another's card and a table: in 12 it wins, in 4 it loses to a pair, in 4 the
// other has a king, too.
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
