package game

// Solvable is implemented by a State of a game with a solver faster than a general search.
//
// Example: in connect four after 44445326222666 NewSolver(64) makes a solver that tells, in a table
// of 64 MB, what either side gets under best play.
type Solvable interface {
	// NewSolver makes a solver with a table of that many megabytes, nil where the
	// game cannot do with so few. It has no position yet.
	NewSolver(megabytes int) Solver
}

// Solver values the positions of a line of play under best play of both sides to the end of the
// game. Its table changes how long that takes and never the result.
type Solver interface {
	// Bind takes s, a State of the solver's game: the position for the other methods, and its later
	// ones. Mirror images are looked for only among positions after it.
	Bind(s State)
	// Solve is what player p gets, if inside (alpha, beta), else a bound of it on the same side;
	// left is how many moves the game may last. ok is false if those are more than depth or none,
	// or more stopped it. more gets the number of positions visited since its last call, and
	// returns after how many to call it again, 0 to stop.
	Solve(p Player, depth int, alpha, beta float64, more func(visited int64) int64) (value float64, left int, ok bool)
	// Line appends best play of both sides from the position on, which is worth
	// value to player p, as far as the table knows it.
	Line(dst []Move, p Player, value float64) []Move
	// Probed is how often the table was asked, how often it knew the position, and
	// how often that was all there was to know, since it was last called.
	Probed() (probes, hits, cuts int64)
	// Fork makes a solver for another thread that shares the table and orders moves differently.
	// Before Bind none may be solving; then the table has its full size, and all may solve at once.
	Fork(seed uint64) Solver
	// Forget empties the table.
	Forget()
}
