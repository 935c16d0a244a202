package othello

import "plyfit/game"

// New is the game of othello. Option score, discs or win: what the utility is,
// the difference in discs or who has more.
func New(o *game.Options) (*game.Game, error) {
	wins := o.String("score", "discs", "discs", "win") == "win"
	scored := func(s *State) game.State {
		s.wins = wins
		return s
	}
	g := &game.Game{
		Name:     "othello",
		Spec:     o.Spec("othello"),
		Doc:      "othello; score=discs (the utility is the difference in discs, empty squares going to the winner) or win (1, 0 or -1)",
		Players:  2,
		Seats:    []string{"X", "O"},
		Colours:  []string{"Black", "White"},
		Sum:      game.Zero,
		Min:      -64,
		Max:      64,
		MaxPlies: maxPlies,
		New:      func() game.State { return scored(start()) },
		Parse: func(text string) (game.State, error) {
			s, err := parsePosition(text)
			if err != nil {
				return nil, err
			}
			return scored(s), nil
		},
		ParseMove: parseMove,
		Formats:   []game.Format{ggfFormat},
		Dialects:  []game.Dialect{gtp},
	}
	if wins {
		g.Min, g.Max = -1, 1
		g.Formats = nil // GGF tells games by their discs
	}
	return g, o.Err()
}

// maxPlies is more than any game has: 62 empty squares at most in a position
// with moves, and no two passes in a row.
const maxPlies = 124

// Pass is the move of a player who can turn no disc while the other can.
const Pass game.Move = 64

// start is the position of four discs: X on e4 and d5, O on d4 and e5. X is
// player 0 and moves first.
func start() *State {
	return newState(1<<28|1<<35, 1<<27|1<<36, 0)
}
