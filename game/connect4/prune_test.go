package connect4

import (
	"math"
	"testing"

	"plyfit/game"
)

// In late positions of random games, plain minimax finds a value inside the
// bounds of PruneMoves, the same among the moves that it leaves, and bounds two
// moves on that lie inside.
func TestPruneMoves(t *testing.T) {
	x := uint64(1)
	exact, left := 0, 0
	for _, text := range []string{"connect4", "connect4:score=distance", "connect4:columns=5,rows=4,score=distance"} {
		g := make4(t, text)
		for i := range 600 {
			empty := 2 + i%8
			s := g.New()
			b := Of(s)
			for b.ply < b.cells-empty && s.Turn() != game.Nobody {
				moves := s.Moves(nil)
				x = game.Mix(x)
				s.Play(moves[x%uint64(len(moves))])
			}
			if s.Turn() == game.Nobody {
				continue
			}
			me := s.Turn()
			value := solve(s, me)
			moves, lo, hi := b.PruneMoves(nil, me)
			if value < lo || value > hi {
				t.Fatalf("%s %v: value %v outside [%v, %v]", text, s, value, lo, hi)
			}
			if _, l, h := b.PruneMoves(nil, 1-me); l != -hi || h != -lo {
				t.Fatalf("%s %v: [%v, %v] for the mover, [%v, %v] for the other", text, s, lo, hi, l, h)
			}
			if lo == hi {
				exact++
				continue
			}
			best := math.Inf(-1)
			for _, m := range moves {
				s.Play(m)
				best = math.Max(best, -solve(s, 1-me))
				s.Undo()
			}
			if best != value {
				t.Fatalf("%s %v: the best of %v is worth %v, that of all %v", text, s, moves, best, value)
			}
			if len(moves) < len(s.Moves(nil)) {
				left++
			}
			for _, m := range moves {
				s.Play(m)
				for _, n := range s.Moves(nil) {
					s.Play(n)
					if l, h := bounds(g, s, me); l < lo || h > hi {
						t.Fatalf("%s %v: [%v, %v] after %d moves, outside [%v, %v], what two moves tell", text, s, l, h, b.ply, lo, hi)
					}
					s.Undo()
				}
				s.Undo()
			}
		}
	}
	if exact < 50 || left < 50 {
		t.Errorf("%d exact bounds, %d positions with moves left out: too few to tell", exact, left)
	}
}

// bounds are what is known of the end of the game at s, by the game or by the position.
func bounds(g *game.Game, s game.State, p game.Player) (lo, hi float64) {
	if s.Turn() == game.Nobody {
		return s.Utility(p), s.Utility(p)
	}
	if b, ok := s.(game.Bounder); ok {
		return b.Bounds(p)
	}
	return g.Min, g.Max
}
