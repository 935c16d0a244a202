package tictactoe

import "plyfit/game"

func (s *State) Cells() game.Cells { return cells }

var cells = game.Cells{
	Rows: 3, Columns: 3, States: 3, Symbols: ".+-", Legend: "+ own mark, - the opponent's, . empty",
	Symmetries: game.Symmetries(3, 3),
}

func (s *State) Fill(p game.Player, dst []uint8) {
	own, other := s.sets[p&1], s.sets[1-p&1]
	for i := range dst {
		dst[i] = uint8(own>>i&1 + other>>i&1<<1)
	}
}
