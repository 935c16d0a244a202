package chess

import "plyfit/game"

// New returns the game of chess. It has no options.
func New(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name:      "chess",
		Spec:      "chess",
		Doc:       "chess; utility 1, 0 or -1; a draw by stalemate, by a third repetition, after 50 moves by each player without a capture or a pawn move, or with too few pieces to mate",
		Players:   2,
		Seats:     []string{"White", "Black"},
		Sum:       game.Zero,
		Min:       -1,
		Max:       1,
		MaxPlies:  600,
		Pawns:     true,
		Swing:     .18, // about two thirds of a pawn at a level score
		New:       func() game.State { return start() },
		Parse:     func(text string) (game.State, error) { return ParsePosition(text) },
		CutLabel:  cutEPD,
		ParseMove: parseMove,
		Formats:   []game.Format{pgn},
		Dialects:  []game.Dialect{uci},
	}, o.Err()
}

// clockLimit is the number of plies without a capture or a pawn move after which the game is drawn:
// 50 moves by each player. The FIDE laws (9.3) allow a player to claim a draw at this point.
const clockLimit = 100

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func start() *State {
	s, err := ParsePosition(startFEN)
	if err != nil {
		panic("chess: " + err.Error())
	}
	return s
}
