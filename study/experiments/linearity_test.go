package experiments

import (
	"context"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/models"
)

// blind predicts the same of every position.
type blind struct{}

// Predict implements predictor.
func (blind) Predict(x []models.Vector, dst []float64) []float64 {
	return append(dst, make([]float64, len(x))...)
}

// Of equally good moves one is drawn, each as often, the same for the same seed.
func TestGreedyTies(t *testing.T) {
	w, err := catalog.All().World("connect4")
	if err != nil {
		t.Fatal(err)
	}
	set, err := w.Set("")
	if err != nil {
		t.Fatal(err)
	}
	p := &greedyPlayer{set: set, predictor: blind{}}
	s := w.New()
	chosen := func(seed uint64) game.Move {
		p.Begin(seed)
		r, err := p.Search(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r.Move
	}
	counts := map[game.Move]int{}
	const draws = 7000
	for seed := range uint64(draws) {
		counts[chosen(seed)]++
	}
	for _, m := range s.Moves(nil) {
		if n := counts[m]; n < draws/7-150 || n > draws/7+150 {
			t.Errorf("move %s was drawn %d times of %d", s.MoveString(m), n, draws)
		}
	}
	if first, again := chosen(5), chosen(5); first != again {
		t.Error("one seed, two moves")
	}
}
