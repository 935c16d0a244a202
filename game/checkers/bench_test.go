package checkers

import (
	"testing"

	"plyfit/game"
)

// BenchmarkPerft makes every leaf's move.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		name, fen string
		depth     int
	}{
		{"start", "B:W21-32:B1-12", 9},
		{"kings", "B:WK1,9,15,K17,21,26,30:B16,28,K32", 6},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := ParsePosition(c.fen)
			if err != nil {
				b.Fatal(err)
			}
			n := int64(0)
			for b.Loop() {
				n += game.Perft(s, c.depth, nil)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}

func midgame(b *testing.B) *State {
	s, err := ParsePosition("B:W18,21,23,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,11,12")
	if err != nil {
		b.Fatal(err)
	}
	return s
}

var sink uint64

func BenchmarkMoves(b *testing.B) {
	s := midgame(b)
	var moves []game.Move
	for b.Loop() {
		moves = s.Moves(moves[:0])
	}
}

func BenchmarkHash(b *testing.B) {
	s := midgame(b)
	for b.Loop() {
		sink += s.Hash()
	}
}

func BenchmarkRank(b *testing.B) {
	s := midgame(b)
	m := s.Moves(nil)[0]
	for b.Loop() {
		sink += uint64(s.Rank(m))
	}
}
