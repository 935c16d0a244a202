package gogame

import "plyfit/game"

// Beside the board: nothing if the move before was no pass, else whether the
// side to move would win by another.
const (
	noPass = iota
	passWins
	passWinsNot
	answers
)

func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: s.size, Columns: s.size, Upward: true, States: 3, Symbols: ".+-",
		Legend:     "+ own stone, - the opponent's, . empty",
		Symmetries: game.Symmetries(s.size, s.size), Beside: []int{answers},
	}
}

// Fill implements [game.Celled], row by row from A1: 0 nothing, 1 a stone of p's, 2 one of
// the other's.
func (s *State) Fill(p game.Player, dst []uint8) {
	turn := uint8(p) * (black ^ white) // black and white change places in white's view
	for i, point := range s.points {
		c := s.colour[point]
		if c != empty {
			c ^= turn
		}
		dst[i] = c
	}
	if beside := dst[len(s.points):]; len(beside) > 0 {
		beside[0] = s.answer()
	}
}

// answer is what stands beside the board.
func (s *State) answer() uint8 {
	if s.passes == 0 {
		return noPass
	}
	lead := s.Score()
	if s.mover() == 1 {
		lead = -lead
	}
	if lead > 0 {
		return passWins
	}
	return passWinsNot
}
