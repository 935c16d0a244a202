package othello

import (
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
)

// afterstate is one ply by afterstates, a tenth of the moves drawn at random.
func afterstate(s game.State, e *features.Evaluator, rng *rand.Rand, moves []game.Move) game.Move {
	if rng.Float64() < 0.1 {
		return moves[rng.IntN(len(moves))]
	}
	me := s.Turn()
	best, value := moves[0], math.Inf(-1)
	for _, m := range moves {
		s.Play(m)
		v := 0.0
		if s.Turn() == game.Nobody {
			v = s.Utility(me)
		} else {
			v = e.Evaluate(s, me)
		}
		s.Undo()
		if v > value {
			best, value = m, v
		}
	}
	return best
}

// duel plays pairs of games of a and b, colours swapped, and returns a's mean
// score, a draw counting a half, with half the width of its 95% interval.
func duel(g *game.Game, a, b *features.Evaluator, pairs int) (mean, margin float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	var moves []game.Move
	sum, squares := 0.0, 0.0
	for i := range 2 * pairs {
		s := g.New()
		for s.Turn() != game.Nobody {
			moves = s.Moves(moves[:0])
			e := a
			if int(s.Turn()) != i&1 {
				e = b
			}
			s.Play(afterstate(s, e, rng, moves))
		}
		score := 0.5
		if u := s.Utility(game.Player(i & 1)); u > 0 {
			score = 1
		} else if u < 0 {
			score = 0
		}
		sum += score
		squares += score * score
	}
	n := float64(2 * pairs)
	mean = sum / n
	return mean, 1.96 * math.Sqrt((squares/n-mean*mean)/(n-1))
}

// TestHandwrittenBeatsSWH plays by the protocol of Lucas and Runarsson 2006.
func TestHandwrittenBeatsSWH(t *testing.T) {
	g := othelloGame(t)
	pairs := 1000
	if testing.Short() {
		pairs = 100
	}
	evaluator := func(name string, set features.Set) *features.Evaluator {
		return features.NewEvaluator(g, set, featuretest.Shipped(t, g, set, "handwritten/"+name+".json"))
	}
	mean, margin := duel(g, evaluator("othello", Classic()), evaluator("othello-swh", Position()), pairs)
	t.Logf("%.1f ± %.1f %% of %d games", 100*mean, 100*margin, 2*pairs)
	if mean-margin <= 0.5 {
		t.Errorf("the hand-written evaluation scores %.3f ± %.3f against SWH, want more than a half", mean, margin)
	}
}
