package minesweeper

import (
	"testing"

	"plyfit/game"
)

// played are positions of n expert games, safest cells opened.
func played(b *testing.B, n int) (all []*State) {
	g := newGame(b, "minesweeper:rows=16,columns=30,mines=99,safefirst=on")
	seed := uint64(7)
	for range n {
		s := g.New().(*State)
		for s.Turn() != game.Nobody {
			moves := s.Moves(nil)
			m := moves[0]
			if s.Turn() == game.Chance {
				seed = game.Mix(seed)
				m = game.Drawn(s, moves, float64(seed>>11)/(1<<53))
			} else {
				all = append(all, s.Clone().(*State))
				for _, k := range moves {
					if s.Rank(k) > s.Rank(m) {
						m = k
					}
				}
			}
			s.Play(m)
		}
	}
	return all
}

// BenchmarkExpertBeliefs works out the probability of a mine in every cell, on
// average over the positions of expert games.
func BenchmarkExpertBeliefs(b *testing.B) {
	all := played(b, 12)
	s := all[0]
	beliefs := &Beliefs{Mine: make([]float64, s.cells), Frontier: make([]bool, s.cells)}
	i := 0
	for b.Loop() {
		s.count.believe(all[i%len(all)], beliefs)
		i++
	}
	b.ReportMetric(float64(len(all)), "positions")
}

// BenchmarkExpertWorst does so for the position that takes the most states.
func BenchmarkExpertWorst(b *testing.B) {
	all := played(b, 12)
	s := all[0]
	beliefs := &Beliefs{Mine: make([]float64, s.cells), Frontier: make([]bool, s.cells)}
	worst, most := s, 0
	for _, p := range all {
		s.count.believe(p, beliefs)
		if n := len(s.count.steps); n > most {
			worst, most = p, n
		}
	}
	for b.Loop() {
		s.count.believe(worst, beliefs)
	}
	b.ReportMetric(float64(most), "transitions")
}

// BenchmarkSolve finds the best play on 3x4 cells with 3 mines.
func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		winning(b, "minesweeper:rows=3,columns=4,mines=3")
	}
}
