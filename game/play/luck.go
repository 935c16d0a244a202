package play

import "plyfit/game"

// Random is a source of random numbers. A *rand.Rand is one.
type Random interface {
	Float64() float64 // uniform in [0, 1)
	IntN(n int) int   // uniform in [0, n)
}

// Luck makes nature's moves.
type Luck interface {
	// Draw is one of nature's moves at the chance node s.
	Draw(s game.State) game.Move
}

// LuckFunc is a function that makes nature's moves.
type LuckFunc func(s game.State) game.Move

func (f LuckFunc) Draw(s game.State) game.Move { return f(s) }

// Dice draws moves by random numbers: nature's by their probabilities, a
// player's uniformly. One number is drawn for each.
type Dice struct {
	Random
	moves []game.Move
}

var _ Luck = (*Dice)(nil)

// Draw implements [Luck] by [game.Drawn].
func (d *Dice) Draw(s game.State) game.Move {
	d.moves = s.Moves(d.moves[:0])
	return game.Drawn(s, d.moves, d.Float64())
}

// Uniform is one of the moves at s, all equally likely. The game must not be
// over.
func (d *Dice) Uniform(s game.State) game.Move {
	d.moves = s.Moves(d.moves[:0])
	return d.moves[d.IntN(len(d.moves))]
}
