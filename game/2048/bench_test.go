package g2048

import (
	"testing"

	"plyfit/game"
)

func midgame(b *testing.B) game.State {
	s, err := newGame(b, "2048").Parse("0012/0134/1256/2478 player 1000")
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// All moves of the player, each made and taken back: what a search pays for one
// of its decision nodes.
func BenchmarkDecision(b *testing.B) {
	s := midgame(b)
	moves := make([]game.Move, 0, 32)
	tried := 0
	boards := [2]uint64{s.(*State).at().board, s.(*State).at().board | 1<<4} // so that nothing is remembered
	for i := 0; b.Loop(); i++ {
		s.(*State).at().board = boards[i&1]
		moves = s.Moves(moves[:0])
		for _, m := range moves {
			s.Play(m)
			s.Undo()
		}
		tried += len(moves)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tried), "ns/tried")
}

func BenchmarkMoves(b *testing.B) {
	s := midgame(b)
	moves := make([]game.Move, 0, 32)
	boards := [2]uint64{s.(*State).at().board, s.(*State).at().board | 1<<4}
	for i := 0; b.Loop(); i++ {
		s.(*State).at().board = boards[i&1]
		moves = s.Moves(moves[:0])
	}
}

// One move of the player that Moves did not prepare.
func BenchmarkPlayUndo(b *testing.B) {
	s := midgame(b)
	boards := [2]uint64{s.(*State).at().board, s.(*State).at().board | 1<<4}
	for i := 0; b.Loop(); i++ {
		s.(*State).at().board = boards[i&1]
		s.Play(Left)
		s.Undo()
	}
}

// All of nature's moves, with their probabilities.
func BenchmarkChance(b *testing.B) {
	s := midgame(b)
	s.Play(Left)
	c := s.(game.Chancer)
	moves := make([]game.Move, 0, 32)
	sum := 0.0
	for b.Loop() {
		moves = s.Moves(moves[:0])
		for _, m := range moves {
			sum += c.Prob(m)
			s.Play(m)
			s.Undo()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(moves)), "ns/move")
}
