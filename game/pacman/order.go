package pacman

import "plyfit/game"

// Rank implements [game.Ranker]. Pacman avoids ghosts and prefers scared ghosts, food, capsules,
// and moves towards the nearest food, in this order. Stopping ranks low. A hostile ghost moves
// towards Pacman, or away from Pacman while it is scared.
func (s *State) Rank(m game.Move) int32 {
	p := s.at()
	if p.turn > 0 {
		g := &p.ghosts[p.turn-1]
		if g.timer > 0 {
			return int32(s.between(g.at+s.step[m], p.pacman))
		}
		return -int32(s.between(g.at+2*s.step[m], p.pacman))
	}
	to := p.pacman + 2*s.step[m]
	c := s.cellOf[to]
	var rank int32
	if m == Stop {
		rank = -10
	}
	if s.words[c>>6]&(1<<(c&63)) != 0 {
		rank += 20
	} else if p.left > 0 {
		rank -= int32(s.Nearest(c, s.words))
	}
	if k := s.capsuleAt[c]; k >= 0 && p.capsules&(1<<k) != 0 {
		rank += 15
	}
	for i := range s.ghosts {
		g := &p.ghosts[i]
		if d := s.between(g.at, to); d <= 2 {
			if g.timer > 0 {
				rank += 100
			} else {
				rank -= 100
			}
		}
	}
	return rank
}
