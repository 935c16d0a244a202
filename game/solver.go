package game

import "math"

// Solvable is implemented by a State of a game that can bound or solve its positions faster than a
// general search. It is asked only if nature has no part in the game.
type Solvable interface {
	// NewSolver makes a solver with a table of at most that many megabytes, or nil if there is none
	// for this kind of position. It has no position yet.
	NewSolver(megabytes int) Solver
}

// Solver values the positions of a line of play under best play of both sides to the end of the
// game. Its table changes how long that takes and never the result. A solver embeds [NoSolver] for
// what it cannot do.
//
// Examples: in connect four after 11223 the first player threatens to complete the bottom row in
// column 4. All other replies lose at once, so Narrow lists column 4 alone, with the bounds -1 and 1.
// After 112233 the first player wins in one move: Narrow lists nothing and both bounds are 1 for
// player 0. In othello with one square empty, where black plays and wins all discs, Solve(0, 2, -64,
// 64, more) is 64.
type Solver interface {
	// Bind takes s, a State of the solver's game: the position for the other methods, and its later
	// ones. Mirror images are looked for only among positions after it.
	Bind(s State)
	// Narrow encloses in [lo, hi] what p gets, by looking plies moves ahead. It appends the moves
	// worth searching, in the order of Moves, or none if all are. If lo equals hi, that is the value.
	// Otherwise it may omit a move whose reply ends the game at the mover's lower bound (see
	// [Bounder]), or list alone a move that ends it at the mover's upper bound. For every listed
	// move, the Bounds two moves later lie inside [lo, hi].
	Narrow(dst []Move, p Player) (moves []Move, lo, hi float64, plies int)
	// Solve is what player p gets, if inside (alpha, beta), else a bound of it on the same side;
	// left is how many moves the game may last, at most depth. ok is false if it may last longer, if
	// more stopped it, or if the position is not worth solving yet. more gets the number of positions
	// visited since its last call, and returns after how many to call it again, 0 to stop.
	Solve(p Player, depth int, alpha, beta float64, more func(visited int64) int64) (value float64, left int, ok bool)
	// Warmup is how many decisions deep an evaluation should be searched, to order the moves, before
	// a search of depth moves; deeper costs more than it saves. ok is false if the solver needs none
	// or the game may last longer.
	Warmup(depth int) (decisions int, ok bool)
	// Line appends best play of both sides from the position on, which is worth
	// value to player p, as far as the table knows it.
	Line(dst []Move, p Player, value float64) []Move
	// Spent is the number of positions visited that more was not told, how often the table was
	// asked, how often it knew the position, and how often that was all there was to know, since it
	// was last called.
	Spent() (nodes, probes, hits, cuts int64)
	// Fork makes a solver for another thread that shares the table and orders moves differently, or
	// nil if there is nothing to share. Before Bind none may be solving; then the table has its full
	// size, and all may solve at once.
	Fork(seed uint64) Solver
	// Forget empties the table.
	Forget()
}

// NoSolver is a [Solver] that knows nothing.
type NoSolver struct{}

var _ Solver = NoSolver{}

func (NoSolver) Bind(State)                                  {}
func (NoSolver) Warmup(int) (int, bool)                      { return 0, false }
func (NoSolver) Line(dst []Move, _ Player, _ float64) []Move { return dst }
func (NoSolver) Spent() (nodes, probes, hits, cuts int64)    { return 0, 0, 0, 0 }
func (NoSolver) Fork(uint64) Solver                          { return nil }
func (NoSolver) Forget()                                     {}

func (NoSolver) Narrow(dst []Move, _ Player) (moves []Move, lo, hi float64, plies int) {
	return dst, math.Inf(-1), math.Inf(1), 0
}

func (NoSolver) Solve(Player, int, float64, float64, func(int64) int64) (value float64, left int, ok bool) {
	return 0, 0, false
}
