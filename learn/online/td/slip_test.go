package td

import (
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/game/tictactoe"
)

// TestWorthOfSlips: where a move may slip, the best one at hand is worth the
// average over what it may come to, not its own value.
func TestWorthOfSlips(t *testing.T) {
	s, err := game.ParseSpec("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	g, err := tictactoe.New(s.Options)
	if err != nil {
		t.Fatal(err)
	}
	state := g.New()
	rng := rand.New(rand.NewPCG(1, 2))
	w := &actor{state: game.NewSlip(state, 0.4), base: state, moves: state.Moves(nil)}
	mean := 0.0
	for range w.moves {
		w.values = append(w.values, rng.Float64())
	}
	for _, v := range w.values {
		mean += v / float64(len(w.values))
	}
	if got, want := w.worth(3), 0.6*w.values[3]+0.4*mean; math.Abs(got-want) > 1e-12 {
		t.Errorf("worth %v, want %v", got, want)
	}
	if w.state = state; w.worth(3) != w.values[3] {
		t.Errorf("where nothing slips worth %v, want %v", w.worth(3), w.values[3])
	}
}
