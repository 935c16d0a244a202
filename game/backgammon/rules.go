// Package backgammon is backgammon without the doubling cube: gammons count 2, backgammons 3.
//
// The journey: [New] makes the game, at whose start player 0 is to roll; a [State] is what each
// side has on its points (board.go) and whose turn it is; nature's moves are the 21 rolls; a
// player's move is his whole turn, two or four steps, one for each position it can reach (turn.go).
// notation.go reads and prints XGID positions and moves like 13/7 8/7.
package backgammon

import "plyfit/game"

// Checkers is how many each player has.
const Checkers = 15

// rolls are the dice of nature's moves, the larger first: 11, 21, 22, 31, ...
var rolls = func() (table [21][2]uint8) {
	n := 0
	for hi := uint8(1); hi <= 6; hi++ {
		for lo := uint8(1); lo <= hi; lo++ {
			table[n] = [2]uint8{hi, lo}
			n++
		}
	}
	return table
}()

// roll is nature's move of the dice a and b, each from 1 to 6.
func roll(a, b int) game.Move {
	if a < 1 || a > 6 || b < 1 || b > 6 {
		panic("backgammon: dice outside 1 to 6")
	}
	hi, lo := max(a, b), min(a, b)
	return game.Move(hi*(hi-1)/2 + lo - 1)
}

// New is the game, which has no options. Player 0 begins, with any of the 21
// rolls; a position in which player 1 is to roll lets him begin.
func New(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name:    "backgammon",
		Spec:    "backgammon",
		Doc:     "backgammon without the cube, in points (gammon 2, backgammon 3); XGID positions, moves like 13/7 8/7*",
		Players: 2,
		Seats:   []string{"X", "O"},
		Colours: []string{"White", "Black"},
		Sum:     game.Zero,
		Min:     -3,
		Max:     3,
		// Sensible play takes some 110 plies, nature's included, random play some 160.
		MaxPlies:  4000,
		New:       func() game.State { return newState(start) },
		Ignored:   ignored,
		Parse:     func(text string) (game.State, error) { return parse(text) },
		ParseMove: parseMove,
		Formats:   []game.Format{mat},
		Dialects:  []game.Dialect{fibs},
	}, o.Err()
}

// start is the position that games begin from: each side has two checkers on
// its 24-point, five on the 13, three on the 8 and five on the 6.
var start = func() position {
	var s side
	s.add(24, 2)
	s.add(13, 5)
	s.add(8, 3)
	s.add(6, 5)
	return position{sides: [2]side{s, s}}
}()
