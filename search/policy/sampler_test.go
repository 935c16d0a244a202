package policy_test

import (
	"context"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

func TestRandomDrawsUniformly(t *testing.T) {
	root := &searchtest.Sprig{ID: 1, Eval: []float64{0}}
	for i := range 4 {
		root.Kids = append(root.Kids, &searchtest.Sprig{ID: i + 2, Turn: game.Nobody, Ends: []float64{0}})
	}
	g := searchtest.Shape{Players: 1, Sum: game.General}.Game(root)
	a := searchtest.Made(t, searchtest.RandomOf, search.Options{Game: g})
	play := func(seed uint64) (moves []game.Move) {
		a.Begin(seed)
		for range 4000 {
			r, err := a.Search(context.Background(), g.New())
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, r.Move)
		}
		return moves
	}
	first := play(1)
	count := map[game.Move]int{}
	for _, m := range first {
		count[m]++
	}
	for m, n := range count {
		// Four standard deviations of a binomial(4000, 1/4) are 110.
		if n < 890 || n > 1110 {
			t.Errorf("move %d was drawn %d times of 4000", m, n)
		}
	}
	if !slices.Equal(first, play(1)) {
		t.Error("the same seed drew other moves")
	}
	if slices.Equal(first, play(2)) {
		t.Error("another seed drew the same moves")
	}
}
