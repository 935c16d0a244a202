package search_test

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// fours is an evaluation of connect four by the cells that complete a line.
type fours struct{}

func (fours) Evaluate(s game.State, p game.Player) float64 {
	st := connect4.Of(s)
	first, second := st.Stones()
	z := float64(bits.OnesCount64(st.Fours(first)) - bits.OnesCount64(st.Fours(second)))
	centre := st.Column(3)
	z += 0.2 * float64(bits.OnesCount64(first&centre)-bits.OnesCount64(second&centre))
	v := math.Tanh(0.3 * z)
	if p == 1 {
		return -v
	}
	return v
}

// wander plays n random moves from the start, nature's included, and fewer
// where the game ends before.
func wander(g *game.Game, r *rand.Rand, n int) game.State {
	s := g.New()
	for range n {
		moves := s.Moves(nil)
		m := moves[r.IntN(len(moves))]
		s.Play(m)
		if s.Turn() == game.Nobody {
			s.Undo()
			break
		}
	}
	return s.Clone()
}

// BenchmarkStarDice reports the share of nodes that Star1 and Star2 save of
// those of expectimax with the same table and order, at depth 3 to 5 of connect
// four with a die.
func BenchmarkStarDice(b *testing.B) {
	g := world(b, "connect4:dice=on")
	r := rand.New(rand.NewPCG(5, 5))
	var positions []game.State
	for range 20 {
		positions = append(positions, wander(g, r, 2+r.IntN(24)))
	}
	count := func(c search.Options) (nodes float64, values []float64) {
		c.Game, c.Eval = g, fours{}
		a := searchtest.Made(b, search.NewExpectimax, c)
		for _, s := range positions {
			a.Begin(0)
			res := vectors.Must(a.Search(context.Background(), s))
			nodes += float64(res.Nodes)
			values = append(values, res.Value)
		}
		return nodes, values
	}
	for b.Loop() {
		for depth := 3; depth <= 5; depth++ {
			d := string(rune('0' + depth))
			full, want := count(search.Options{Depth: depth, Prune: search.NoPrune})
			for name, p := range map[string]search.Prune{"star1": search.Star1, "star2": search.Star2} {
				nodes, values := count(search.Options{Depth: depth, Prune: p})
				for i := range values {
					if math.Abs(values[i]-want[i]) > 1e-12 {
						b.Fatalf("%s at depth %d: value %v, want %v", name, depth, values[i], want[i])
					}
				}
				b.ReportMetric(100*(1-nodes/full), name+"@"+d+"-%saved")
			}
			b.ReportMetric(full/float64(len(positions)), "plain@"+d+"-nodes")
		}
	}
}
