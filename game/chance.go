package game

// Drawn is nature's move at the chance node s for a uniform u in [0, 1), which the moves share in
// order by their probabilities: the same u gives the same luck in every process.
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
