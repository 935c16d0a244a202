package gametest

import "plyfit/game"

// Perft counts the paths of exactly depth calls of Play from s, nature's
// included; games that end earlier count nothing.
func Perft(s game.State, depth int) int64 {
	return (&counter{}).count(s, depth)
}

type counter struct{ moves []game.Move }

func (c *counter) count(s game.State, depth int) (n int64) {
	if depth == 0 {
		return 1
	}
	from := len(c.moves)
	c.moves = s.Moves(c.moves)
	to := len(c.moves)
	if depth == 1 {
		n = int64(to - from)
	} else {
		for i := from; i < to; i++ {
			s.Play(c.moves[i])
			n += c.count(s, depth-1)
			s.Undo()
		}
	}
	c.moves = c.moves[:from]
	return n
}
