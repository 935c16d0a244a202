package othello

import (
	"testing"

	"plyfit/game"
	"plyfit/internal/asm"
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
		sink += asm.Flips(uint(sink&63), at.own, at.opp)
	}
}

func BenchmarkMobility(b *testing.B) {
	at := late(b).at()
	for b.Loop() {
		sink += asm.Mobility(at.own^sink&1, at.opp)
	}
}

func BenchmarkStable(b *testing.B) {
	at := late(b).at()
	for b.Loop() {
		sink += stableDiscs(at.own, at.opp)
	}
}

func BenchmarkHash(b *testing.B) {
	s := late(b)
	for b.Loop() {
		sink += s.Hash()
	}
}

// BenchmarkSolve plays the last squares out, a position of each vector.
func BenchmarkSolve(b *testing.B) {
	var list []*State
	for _, text := range endgames(b) {
		s, err := ParsePosition(text)
		if err != nil {
			b.Fatal(err)
		}
		for rng := uint64(3); s.Turn() != game.Nobody && s.Empties() > solved; rng = game.Mix(rng) {
			moves := s.Moves(nil)
			s.Play(moves[rng%uint64(len(moves))])
		}
		if s.Turn() != game.Nobody {
			list = append(list, s)
		}
	}
	nodes := int64(0)
	for b.Loop() {
		for _, s := range list {
			_, n, _ := s.Solve(s.mover(), 60, -64, 64)
			nodes += n
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
}

func BenchmarkRank(b *testing.B) {
	s := late(b)
	m := s.Moves(nil)[0]
	for b.Loop() {
		sink += uint64(s.Rank(m))
	}
}
