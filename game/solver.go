package game

import "math"

// Solvable is implemented by a State of a game in which bounds or exact values can be found faster
// than by a general search. It is used only if the game has no chance nodes.
type Solvable interface {
	// NewSolver returns a solver with a table of at most the given number of megabytes, or nil if
	// there is no solver for this kind of position. [Solver.Bind] sets the solver's position.
	NewSolver(megabytes int) Solver
}

// A Solver computes the values of positions under best play by both sides. The content of its table
// affects the time needed, but never the result. Implementations embed [NoSolver] to omit methods.
//
// Examples: in connect four after 11223, the first player threatens to complete the bottom row in
// column 4. All other replies lose immediately, so Narrow lists only column 4, and the interval is
// [-1, 1]. After 112233, the first player wins in one move. In that case, Narrow lists nothing, and
// both bounds for player 0 are 1. In othello with one empty square, where black moves and captures
// all remaining discs, Solve(0, 2, -64, 64, more) returns 64.
type Solver interface {
	// Bind sets the position for the other methods. s is a State of the solver's game, and the
	// solver follows later changes to it. The solver recognizes mirror images only among the
	// positions after s.
	Bind(s State)
	// Narrow returns an interval [lo, hi] that contains player p's result, found by searching the
	// given number of plies ahead. If lo equals hi, this is the exact value. Narrow appends the
	// moves worth searching, in the order of Moves, or none if all moves are worth searching.
	//
	// It may omit a move if the reply to it ends the game at the mover's lower bound (see
	// [Bounder]). It may list a single move if that move ends the game at the mover's upper bound.
	// For every listed move, the Bounds two moves later lie inside [lo, hi].
	Narrow(dst []Move, p Player) (moves []Move, lo, hi float64, plies int)
	// Solve returns player p's result if it lies inside (alpha, beta), and otherwise a bound on the
	// same side. left is the maximum number of remaining moves, at most depth. ok is false if the
	// game may last longer, if the function more stopped the search, or if solving the position is
	// not yet worthwhile.
	//
	// Solve calls more with the number of positions visited since the last call. more returns the
	// number of positions after which to call it again, or 0 to stop.
	Solve(p Player, depth int, alpha, beta float64, more func(visited int64) int64) (value float64, left int, ok bool)
	// Warmup returns the depth, in decisions, of the evaluation search that should precede Solve
	// with the given depth. That search improves move ordering. A deeper one costs more than it
	// saves. ok is false if the solver needs no such search or if the game may last longer.
	Warmup(depth int) (decisions int, ok bool)
	// Line appends the principal variation from the current position, as far as the table contains
	// it. value is the value of the position for player p.
	Line(dst []Move, p Player, value float64) []Move
	// Spent returns the statistics since the last call to Spent. nodes is the number of visited
	// positions that have not been reported to the function more. probes is the number of table
	// lookups, hits the number of lookups that found the position, and cuts the number of lookups
	// that made a search unnecessary.
	Spent() (nodes, probes, hits, cuts int64)
	// Fork returns a solver for another thread that shares the table but orders moves differently.
	// It returns nil if there is nothing to share. No solver may be solving when Fork is called.
	// Once Fork has returned, the table has its full size, and all solvers may work at the same
	// time.
	Fork(seed uint64) Solver
	// Forget empties the table.
	Forget()
}

// NoSolver is a [Solver] that never returns a result.
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
