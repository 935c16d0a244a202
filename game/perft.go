package game

// Drawless is a State whose draws by material, repetition or clock can be
// switched off: published perft counts know none of them.
type Drawless interface {
	// WithoutDraws is a copy of the position in which only the end of moves
	// ends the game.
	WithoutDraws() State
}

// Perft counts the paths of exactly depth calls of Play from s, nature's included, making every
// one; a finished game adds none. depth 0 is one path. Buffers hold the moves of each ply; passing
// the same again saves the allocation, nil is allowed.
func Perft(s State, depth int, buffers [][]Move) int64 {
	if depth <= 0 {
		return 1
	}
	for len(buffers) < depth {
		buffers = append(buffers, make([]Move, 0, 64))
	}
	moves := s.Moves(buffers[depth-1][:0])
	buffers[depth-1] = moves
	var leaves int64
	for _, m := range moves {
		s.Play(m)
		if depth == 1 {
			leaves++
		} else {
			leaves += Perft(s, depth-1, buffers[:depth-1])
		}
		s.Undo()
	}
	return leaves
}
