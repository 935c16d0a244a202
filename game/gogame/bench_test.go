package gogame

import (
	"math/rand/v2"
	"testing"

	"plyfit/game"
)

// playout plays random legal moves that fill no eye of one point, passes where there
// are none, and takes nothing back. It returns its length.
func playout(s *State, rng *rand.Rand, free []int32) (plies int) {
	for s.Turn() != game.Nobody && plies < 3*len(s.points) {
		c := uint8(s.mover()) + black
		free = free[:0]
		for _, p := range s.points {
			if s.colour[p] == empty {
				free = append(free, p)
			}
		}
		m := Pass
		for n := len(free); n > 0; n-- {
			k := rng.IntN(n)
			if p := int(free[k]); !s.enclosed(p, c) && s.legal(p, c) {
				m = game.Move(p)
				break
			}
			free[k] = free[n-1]
		}
		s.Play(m)
		plies++
	}
	return plies
}

// enclosed reports whether all around the empty point p stand stones of colour c.
func (s *State) enclosed(p int, c uint8) bool {
	for _, q := range s.neighbours(p) {
		if d := s.colour[q]; d != c && d != border {
			return false
		}
	}
	return true
}

func BenchmarkPlayout(b *testing.B) {
	for _, text := range []string{"go", "go:size=19"} {
		b.Run(text, func(b *testing.B) {
			g := newGame(b, text)
			rng := rand.New(rand.NewPCG(1, 1))
			s := g.New().(*State)
			var free []int32
			plies := 0
			for b.Loop() {
				n := playout(s, rng, free)
				plies += n
				for range n {
					s.Undo()
				}
				if s.Hash() != g.New().Hash() {
					b.Fatal("a playout that was taken back has changed the board")
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
			b.ReportMetric(float64(plies)/float64(b.N), "plies")
		})
	}
}

func BenchmarkMoves(b *testing.B) {
	g := newGame(b, "go")
	s := g.New().(*State)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		moves := s.Moves(nil)
		s.Play(moves[rng.IntN(len(moves)-1)])
	}
	var moves []game.Move
	for b.Loop() {
		moves = s.Moves(moves[:0])
	}
}

func BenchmarkPlayUndo(b *testing.B) {
	g := newGame(b, "go")
	s := g.New().(*State)
	for b.Loop() {
		s.Play(game.Move(s.points[40]))
		s.Undo()
	}
}
