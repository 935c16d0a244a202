package pacman

import (
	"cmp"
	"math"

	"plyfit/game"
)

// LectureEvaluation is Pacman's in the lecture on assumption against reality (Berkeley's CS188,
// adversarial search and uncertainty): the score, less 10 divided by the distance of the nearest
// ghost (Manhattan's, at least one half), less the way through the maze to the nearest food.
// Searches value finished games by their utility.
type LectureEvaluation struct{}

// Evaluate is the value for Pacman, no matter who p is; s is a *State.
func (LectureEvaluation) Evaluate(s game.State, _ game.Player) float64 {
	p := s.(*State)
	v := p.Score(0) - float64(p.Maze().Nearest(p.Pacman(), p.Food()))
	if p.Ghosts() > 0 {
		v -= 10 / math.Max(apart(p), 0.5)
	}
	return v
}

// apart is Manhattan's distance from Pacman to the nearest ghost, in cells.
func apart(s *State) float64 {
	nearest := math.Inf(1)
	for i := range s.Ghosts() {
		nearest = min(nearest, s.GhostDistance(i))
	}
	return nearest
}

// LectureGhost is the lecture's adversarial ghost: it searches Depth of its own moves ahead, each
// followed by one of Pacman's, who may stop. It minimizes Manhattan's distance at leaves, with
// Pacman's end -1000 and his victory 1000. Equal moves share the probability. Several ghosts search
// alike, with the others on their side. It is for one goroutine and one game, since it caches
// decisions.
type LectureGhost struct {
	Depth int // 0: 2

	moves [][]game.Move
	value []float64
	known map[uint64][]float64 // by situation
}

// mostRemembered is after how many situations a LectureGhost forgets them all.
const mostRemembered = 1 << 16

var _ game.Policy = (*LectureGhost)(nil)

// Probs implements [game.Policy]; s is a *State at which a ghost is to
// move.
func (g *LectureGhost) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	key := s.(*State).Situation()
	if probs, ok := g.known[key]; ok {
		return append(dst, probs...)
	}
	begin := len(dst)
	p := s.(*State).WithStop(true)
	plies := cmp.Or(g.Depth, 2) * (1 + p.Ghosts())
	for len(g.moves) < plies {
		g.moves = append(g.moves, nil)
	}
	g.value = g.value[:0]
	best, ties := math.Inf(1), 0
	for _, m := range moves {
		p.Play(m)
		v := g.search(p, plies-1)
		p.Undo()
		g.value = append(g.value, v)
		if v < best {
			best, ties = v, 0
		}
		if v == best {
			ties++
		}
	}
	for _, v := range g.value {
		share := 0.0
		if v == best {
			share = 1 / float64(ties)
		}
		dst = append(dst, share)
	}
	if len(g.known) >= mostRemembered || g.known == nil {
		g.known = map[uint64][]float64{}
	}
	g.known[key] = append([]float64(nil), dst[begin:]...)
	return dst
}

// search is the value of s, plies moves before the horizon. All values are
// distances in half cells or whole thousands, so ties are exact.
func (g *LectureGhost) search(s *State, plies int) float64 {
	switch {
	case s.Turn() == game.Nobody && s.Won():
		return 1000
	case s.Turn() == game.Nobody:
		return -1000
	case plies == 0:
		return apart(s)
	}
	g.moves[plies] = s.Moves(g.moves[plies][:0])
	best := math.Inf(-1)
	if s.Turn() == game.Chance {
		best = math.Inf(1)
	}
	for _, m := range g.moves[plies] {
		s.Play(m)
		v := g.search(s, plies-1)
		s.Undo()
		if s.Turn() == game.Chance {
			best = min(best, v)
		} else {
			best = max(best, v)
		}
	}
	return best
}
