package backgammon

import (
	"testing"

	"plyfit/game"
)

// positions are those of the vectors. They are to be looked at by one State, as
// a search does it.
func positions(b *testing.B) (all []position, afterstates int) {
	for _, v := range turns(b) {
		all = append(all, *parsed(b, v.board.xgid(1, v.dice)).at())
		afterstates += len(v.results)
	}
	return all, afterstates
}

// BenchmarkMoves lists the turns of all vectors.
func BenchmarkMoves(b *testing.B) {
	all, n := positions(b)
	var moves []game.Move
	s := newState(start)
	for b.Loop() {
		for _, p := range all {
			s.line[0] = p
			moves = s.Moves(moves[:0])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/afterstate")
}

// BenchmarkAfterstates makes every turn, too, and takes it back.
func BenchmarkAfterstates(b *testing.B) {
	all, n := positions(b)
	var moves []game.Move
	s := newState(start)
	for b.Loop() {
		for _, p := range all {
			s.line[0] = p
			moves = s.Moves(moves[:0])
			for _, m := range moves {
				s.Play(m)
				s.Undo()
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/afterstate")
}

// BenchmarkPlayout plays random games.
func BenchmarkPlayout(b *testing.B) {
	var moves []game.Move
	seed, plies := uint64(1), 0
	for b.Loop() {
		s := newState(start)
		for s.Turn() != game.Nobody {
			moves = s.Moves(moves[:0])
			seed = game.Mix(seed)
			s.Play(moves[seed%uint64(len(moves))])
			plies++
		}
	}
	b.ReportMetric(float64(plies)/float64(b.N), "plies/game")
}
