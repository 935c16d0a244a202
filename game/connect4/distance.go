package connect4

import "plyfit/game"

// distance is a State in which an earlier win is worth more: (cells+1)/2 + 1 less the winner's
// stones, on 7x6 the 22 less stones of Pascal Pons' test sets.
type distance struct{ State }

var _ game.Bounder = (*distance)(nil)

func (s *distance) Clone() game.State {
	c := &distance{s.State}
	c.root = c.ply
	return c
}

// Bounds implements [game.Bounder]: no one wins with fewer stones than he has
// and one more, and no one without a line of four left to him.
func (s *distance) Bounds(p game.Player) (lo, hi float64) { return s.bounds(p) }

func (s *State) bounds(p game.Player) (lo, hi float64) {
	if s.at().end != open {
		u := s.Utility(p)
		return u, u
	}
	first, second := s.Stones()
	own, other := first, second
	if p == 1 {
		own, other = second, first
	}
	return -s.most(1-p, s.board^own), s.most(p, s.board^other)
}

// most is the highest utility that p can still reach on the cells that are not his opponent's.
func (s *State) most(p game.Player, cells uint64) float64 {
	played, stones := (s.ply+1-int(p))/2, (s.cells+1-int(p))/2
	switch {
	case played == stones || !s.won(cells):
		return 0
	case s.distance:
		return float64(s.worth(max(played+1, 4)))
	}
	return 1
}
