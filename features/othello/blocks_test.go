package othello

import (
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// randomTuples is a model of the 2-tuples with random weights.
func randomTuples(rng *rand.Rand) (features.Set, *models.Linear) {
	set := Tuples()
	m := models.New("othello", set.Name(), set.Blocks())
	for i := range m.Weights {
		m.Weights[i] = rng.NormFloat64()
	}
	m.Bias = rng.NormFloat64()
	return set, m
}

// TestBlocks: tables of 2x2 squares give what the pairs do, whoever is to move
// and when nobody is.
func TestBlocks(t *testing.T) {
	g := othelloGame(t)
	rng := rand.New(rand.NewPCG(3, 4))
	set, m := randomTuples(rng)
	fast, slow := features.NewEvaluator(g, set, m), features.NewReference(g, set, m)
	positions, over, second := 0, 0, 0
	for range 50 {
		s := g.New()
		for {
			for p := range game.Player(2) {
				z, want := features.Unlinked{Evaluator: fast}.Evaluate(s, p), features.Unlinked{Evaluator: slow}.Evaluate(s, p)
				if math.Abs(z-want) > 1e-9 {
					t.Fatalf("%s: %v by blocks, %v by pairs", s, z, want)
				}
			}
			positions++
			if s.Turn() == 1 {
				second++
			}
			if s.Turn() == game.Nobody {
				over++
				break
			}
			moves := s.Moves(nil)
			s.Play(moves[rng.IntN(len(moves))])
		}
	}
	if positions < 1000 || over != 50 || second < 400 {
		t.Fatalf("%d positions, %d of them over, %d with the second player to move", positions, over, second)
	}
}
