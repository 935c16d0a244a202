package gametest

import (
	"math"

	"plyfit/game"
)

const (
	lastPlies   = 8    // number of plies at the end of a playout for which positions are solved
	mostVisited = 3000 // maximum number of positions visited to solve one position
)

// solves compares the solver of s with plain minimax if the end of the game is near. It checks the
// exact value in an open window, the bounds in two null windows, the moves and bounds returned by
// Narrow, and that the solver gives up if the depth is insufficient.
func (j *checker) solves(s game.State) {
	maker, ok := game.As[game.Solvable](s)
	if !ok || s.Turn() < 0 || j.g.Players != 2 || j.g.Sum != game.Zero {
		return
	}
	if j.solver == nil {
		if j.solver = maker.NewSolver(1); j.solver == nil {
			return
		}
	}
	visits := 0
	value, plies, ok := plainly(s, 0, &visits)
	if !ok {
		return
	}
	on := func(int64) int64 { return 1 << 40 }
	for i, want := range []float64{value, -value} {
		p := game.Player(i)
		j.solver.Bind(s)
		j.narrows(s, p, want)
		v, left, ok := j.solver.Solve(p, j.g.MaxPlies, j.g.Min, j.g.Max, on)
		if !ok { // the table is too small
			return
		}
		if v != want || left < plies {
			j.errorf("%q: solved for player %d as %v with %d moves left; want %v and at least %d", s, p, v, left, want, plies)
			return
		}
		if _, _, ok := j.solver.Solve(p, plies-1, j.g.Min, j.g.Max, on); ok {
			j.errorf("%q: solved at a depth of %d with %d moves left", s, plies-1, plies)
		}
		inside := (j.g.Max - j.g.Min) / 1e6
		if v, _, _ := j.solver.Solve(p, j.g.MaxPlies, want-inside, want, on); !(v >= want) {
			j.errorf("%q: solved as %v for player %d, below its value %v", s, v, p, want)
		}
		if v, _, _ := j.solver.Solve(p, j.g.MaxPlies, want, want+inside, on); !(v <= want) {
			j.errorf("%q: solved as %v for player %d, above its value %v", s, v, p, want)
		}
	}
}

// narrows checks that the bounds of Narrow contain the value for p, that one of the listed moves
// reaches the value, and that the bounds two moves later lie inside those of Narrow.
func (j *checker) narrows(s game.State, p game.Player, want float64) {
	moves, lo, hi, _ := j.solver.Narrow(nil, p)
	if want < lo || want > hi {
		j.errorf("%q: the value is %v for player %d, but the bounds are [%v, %v]", s, want, p, lo, hi)
	}
	if lo == hi || len(moves) == 0 {
		return
	}
	sign := 1.0
	if s.Turn() != p {
		sign = -1
	}
	best := math.Inf(-1)
	for _, m := range moves {
		s.Play(m)
		v, _, _ := plainly(s, p, new(int))
		best = max(best, sign*v)
		for _, n := range s.Moves(nil) {
			s.Play(n)
			_, l, h := game.Estimate(j.g, s, p, 0)
			if s.Turn() == game.Nobody {
				l, h = s.Utility(p), s.Utility(p)
			}
			if l < lo || h > hi {
				j.errorf("%q: the bounds are [%v, %v] two moves after a position with the bounds [%v, %v]", s, l, h, lo, hi)
			}
			s.Undo()
		}
		s.Undo()
	}
	if sign*best != want {
		j.errorf("%q: the value is %v for player %d, but the listed moves reach %v", s, want, p, sign*best)
	}
}

// plainly returns p's result at s under best play, and the length of the longest sequence of moves.
// ok is false if there is a chance node or if too many positions would be visited.
func plainly(s game.State, p game.Player, visits *int) (value float64, plies int, ok bool) {
	turn := s.Turn()
	if turn == game.Nobody {
		return s.Utility(p), 0, true
	}
	if *visits++; turn == game.Chance || *visits > mostVisited {
		return 0, 0, false
	}
	value = math.Inf(1)
	if turn == p {
		value = math.Inf(-1)
	}
	for _, m := range s.Moves(nil) {
		s.Play(m)
		v, n, ok := plainly(s, p, visits)
		s.Undo()
		if !ok {
			return 0, 0, false
		}
		if plies = max(plies, n+1); turn == p {
			value = max(value, v)
		} else {
			value = min(value, v)
		}
	}
	return value, plies, true
}
