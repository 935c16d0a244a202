package game

// Dialect is how a game's positions and moves are given in a protocol between programs, set in
// Game.Dialects; functions that a protocol does not use are nil.
type Dialect struct {
	Protocol string // which it is: "uci", "gtp", "fibs"
	Name     string // what the protocol calls the game; "" where it needs no name
	Size     int    // the edge of the board, for protocols that ask

	// Tell is s, a base state, in the protocol's words: for UCI the argument of its
	// command position, for FIBS a board.
	Tell func(s State) (string, error)
	// Parse reads what Tell says, without moves, in words: startpos, or the fields
	// of a FEN.
	Parse func(g *Game, fields []string) (State, error)

	// FEN is the board of s alone, for programs that begin games there; nil: it has
	// none.
	FEN func(s State) string

	// Move and ParseMove are a legal move's name at s, and back.
	Move      func(s State, m Move) string
	ParseMove func(s State, name string) (Move, error)

	// Past is where s began and the moves since, for protocols that know games and
	// no positions.
	Past func(s State) (first State, moves []Move)
	// Left is about how many more plies a game goes on at most, for clocks.
	Left func(s State) int

	// Komi and SetKomi are the points that the second player gets, where a game has
	// them: a protocol agrees on them before the first move. nil: it has none.
	Komi    func(s State) float64
	SetKomi func(s State, komi float64)
	// Score is by how much the first player is ahead at a position that is counted
	// as it stands; nil: only finished games are counted, by their utility.
	Score func(s State) float64
}

// Dialect is that of g, wrappers aside, in a protocol; nil: it has none.
func (g *Game) Dialect(protocol string) *Dialect {
	dialects := g.Base().Dialects
	for i := range dialects {
		if dialects[i].Protocol == protocol {
			return &dialects[i]
		}
	}
	return nil
}
