package game

// Drawn is the one of nature's moves at the chance node s that a uniform u in
// [0, 1) falls on when the moves, in their order, share [0, 1) by their
// probabilities: the same u gives the same luck in every process.
func Drawn(s State, moves []Move, u float64) Move {
	c, ok := As[Chancer](s)
	if !ok {
		panic("game: Drawn at a position of a game without chance")
	}
	for _, m := range moves {
		if u -= c.Prob(m); u < 0 {
			return m
		}
	}
	return moves[len(moves)-1] // rounding: the probabilities fell short of u
}
