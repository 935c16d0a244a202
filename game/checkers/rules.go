package checkers

import "plyfit/game"

// New is the game of English draughts; it takes no options.
func New(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name:      "checkers",
		Spec:      "checkers",
		Doc:       "English draughts; 1, 0 or -1; drawn by a third repetition, or 40 moves each without a capture or a man's move",
		Players:   2,
		Seats:     []string{"Black", "White"},
		Sum:       game.Zero,
		Min:       -1,
		Max:       1,
		MaxPlies:  600,
		New:       func() game.State { return start() },
		Parse:     func(text string) (game.State, error) { return parsePosition(text) },
		ParseMove: parseMove,
		Formats:   []game.Format{pdn},
	}, o.Err()
}

const (
	// quietLimit is the number of plies without a capture or a man's move after
	// which the game is drawn: 40 moves of each (WCDF rules, 1.32.2).
	quietLimit = 80
	// pieces is how many a player begins with, and the most he may have.
	pieces = 12
)

// start is the position of twelve men each, black (player 0) to move.
func start() *State {
	p := position{men: [2]uint64{board & (1<<13 - 1), board >> 22 << 22}}
	return newState(p, 0, 1)
}
