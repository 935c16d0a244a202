package pig

import "plyfit/game"

// mostSteps is into how many steps the way to the target is cut at most.
const mostSteps = 50

// Cells implements [game.Celled]: counts, a cell each, in steps of the way to the target.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: 1, Columns: s.players + 1, States: s.steps() + 1,
		Legend: "steps of the way to the target: the own score, the others' in their turn, and the turn total",
	}
}

// steps are into how many the way to the target is cut.
func (s *State) steps() int { return min(s.target, mostSteps) }

func (s *State) Fill(p game.Player, dst []uint8) {
	at := s.at()
	step := func(points uint16) uint8 { return uint8(min(int(points), s.target) * s.steps() / s.target) }
	for i := range s.players {
		dst[i] = step(at.scores[(int(p)+i)%s.players])
	}
	dst[s.players] = step(at.turn)
}
