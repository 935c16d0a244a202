package experiments

import (
	"context"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/exact"
)

// Without sampling error, on a board of 5 columns and 4 rows: warps of a
// calibrated evaluation cost exactly nothing under minimax and something under
// expectimax.
func TestWarpsExactly(t *testing.T) {
	if testing.Short() {
		t.Skip("solves 3,945,711 positions")
	}
	s := &study.Session{Catalog: catalog.All(), Seed: 1}
	s.Over.Eval = "handwritten"
	b, err := exact.SolveBoard(context.Background(), s, exact.SmallBoard)
	if err != nil {
		t.Fatal(err)
	}
	if b.Len() != 3945711 {
		t.Errorf("%d positions, want 3945711", b.Len())
	}
	e, err := b.Subjects[exact.ExactBase].Equalise(0, damage.NoFeature, 1)
	if err != nil {
		t.Fatal(err)
	}
	const depth, slip = 3, 0.3
	loss := func(d damage.Damage, p float64) float64 {
		j, err := judgeCell(b, truthCell{Base: exact.ExactBase, Damage: d, Slip: p, Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		return 0.5 - score(j[depth-1])
	}
	for _, d := range []damage.Damage{e.Power, {Kind: damage.Exp, By: 4}} {
		if got := loss(d, 0); got != 0 {
			t.Errorf("%v loses %v under minimax, want exactly 0", d, got)
		}
		if got := loss(d, slip); got <= 0.005 {
			t.Errorf("%v loses %v under expectimax, want more than .005", d, got)
		}
	}
}
