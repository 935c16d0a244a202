package othello

import (
	"testing"

	"plyfit/game"
)

// BenchmarkPerft makes every leaf's move.
func BenchmarkPerft(b *testing.B) {
	s := make8(b).New()
	n := int64(0)
	for b.Loop() {
		n += game.Perft(s, 8, nil)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

func late(b *testing.B) *State {
	s, err := ParsePosition("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")
	if err != nil {
		b.Fatal(err)
	}
	return s
}

var sink uint64

func BenchmarkFlips(b *testing.B) {
	at := late(b).at()
	for b.Loop() {
		sink += Flips(uint(sink&63), at.own, at.opp)
	}
}

func BenchmarkMobility(b *testing.B) {
	at := late(b).at()
	for b.Loop() {
		sink += Mobility(at.own^sink&1, at.opp)
	}
}

func BenchmarkStable(b *testing.B) {
	at := late(b).at()
	for b.Loop() {
		sink += Stable(at.own, at.opp)
	}
}

func BenchmarkHash(b *testing.B) {
	s := late(b)
	for b.Loop() {
		sink += s.Hash()
	}
}

func BenchmarkRank(b *testing.B) {
	s := late(b)
	m := s.Moves(nil)[0]
	for b.Loop() {
		sink += uint64(s.Rank(m))
	}
}
