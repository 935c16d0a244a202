package lecture

import (
	"math"
	"slices"

	"plyfit/game"
	"plyfit/game/pacman"
	"plyfit/internal/list"
)

// Evaluation is Pacman's evaluation in the lecture: the score, minus 10 divided by the Manhattan
// distance to the nearest ghost (at least one half), minus the length of the path to the nearest
// food. Searches use the utility of finished games instead.
type Evaluation struct{}

// Evaluate returns the value for Pacman, regardless of p. s must be a *pacman.State.
func (Evaluation) Evaluate(s game.State, _ game.Player) float64 {
	p := s.(*pacman.State)
	v := p.Score(0) - float64(p.Maze().Nearest(p.Pacman(), p.Food()))
	if p.Ghosts() > 0 {
		v -= 10 / math.Max(apart(p), 0.5)
	}
	return v
}

// apart returns the Manhattan distance from Pacman to the nearest ghost, in cells.
func apart(s *pacman.State) float64 {
	nearest := math.Inf(1)
	for i := range s.Ghosts() {
		nearest = min(nearest, s.GhostDistance(i))
	}
	return nearest
}

// Ghost is the adversarial ghost of the lecture. It searches two of its own moves ahead, each
// followed by a move by Pacman, who may stop. At leaves, the ghost minimises the Manhattan
// distance. The value is -1000 if Pacman is caught and 1000 if Pacman wins. Equally good moves have
// equal probabilities. If there are several ghosts, each searches in the same way and assumes that
// the others are on its side.
//
// A Ghost caches its decisions. It must be used from a single goroutine and for a single game.
type Ghost struct {
	moves [2 * (1 + pacman.MaxGhosts)][]game.Move // by ply
	known map[uint64][]float64                    // by situation
}

var _ game.Policy = (*Ghost)(nil)

// Probs implements [game.Policy]; s is a *pacman.State at which a ghost is to move.
func (g *Ghost) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	key := s.(*pacman.State).Situation()
	probs, ok := g.known[key]
	if !ok {
		p := s.(*pacman.State).WithStop(true)
		values := list.Map(moves, func(m game.Move) float64 {
			p.Play(m)
			defer p.Undo()
			return g.search(p, 2*(1+p.Ghosts())-1)
		})
		best, ties := slices.Min(values), 0.0
		for _, v := range values {
			if v == best {
				ties++
			}
		}
		probs = list.Map(values, func(v float64) float64 {
			if v == best {
				return 1 / ties
			}
			return 0
		})
		if len(g.known) >= 1<<16 || g.known == nil {
			g.known = map[uint64][]float64{}
		}
		g.known[key] = probs
	}
	return append(dst, probs...)
}

// search returns the value of s with the given number of plies left to the horizon. All values are
// multiples of half a cell, so ties are exact.
func (g *Ghost) search(s *pacman.State, plies int) float64 {
	switch {
	case s.Turn() == game.Nobody && s.Won():
		return 1000
	case s.Turn() == game.Nobody:
		return -1000
	case plies == 0:
		return apart(s)
	}
	g.moves[plies] = s.Moves(g.moves[plies][:0])
	best, sign := math.Inf(-1), 1.0
	if s.Turn() == game.Chance {
		sign = -1
	}
	for _, m := range g.moves[plies] {
		s.Play(m)
		best = max(best, sign*g.search(s, plies-1))
		s.Undo()
	}
	return sign * best
}
