// Package play plays episodes, that is, games from the opening to the end. Matches, self-play,
// online learners, experiments and the terminal all use it, so that openings, chance, pending slips
// and games that are cut off work the same way everywhere.
//
// An [Opening] draws the first moves. An [Episode] then continues one decision at a time, and a
// [Luck] makes nature's moves in between:
//
//	var e play.Episode
//	e.Luck = &play.Dice{Random: rng}
//	e.Begin(g.New(), 0, g.MaxPlies)
//	for e.Next() { // nature has moved; a player must decide
//		e.Play(choose(e.State))
//	}
//	if !e.Truncated() {
//		... e.State.Utility(p)
//	}
//
// The caller chooses and records the moves. The package does not depend on searches or evaluations.
// Playing does not allocate once the buffers have grown. Episodes, openings and dice are not safe
// for concurrent use.
package play

import (
	"math"

	"plyfit/game"
	"plyfit/work"
)

// NoLimit is the limit of an episode that is played to its end, no matter how long it takes.
const NoLimit = math.MaxInt

// An Episode is a game in progress. An Episode with no fields set other than Luck is ready for
// Begin. Begin may be called again to start the next episode.
type Episode struct {
	// Luck makes nature's moves. It may be nil if the game has no chance nodes.
	Luck Luck
	// Chance, if not nil, is called before each of nature's moves. slip reports whether the move
	// decides a slip (see [game.Slip]).
	Chance func(m game.Move, slip bool)
	// FinishSlip also decides a slip if the ply limit is reached between the choice of a move and
	// its slip. Self-play needs this, because its records contain the move that was actually made.
	// If FinishSlip is false, the episode is cut off with the move pending, as in matches.
	FinishSlip bool
	// Keep records the moves in Moves, for Undo and for records of the game.
	Keep bool

	State     game.State // current position; searches may use it
	Plies     int        // calls to Play since the start of the game, including nature's moves
	Decisions int        // decisions since Begin, including an adversary's decisions
	Moves     []Move     // moves since Begin; recorded only if Keep is set

	limit int
	slip  *game.Slip // nil if the game has no slips
}

// A Move is a move that was made, with the player who made it.
type Move struct {
	game.Move
	By game.Player // [game.Chance] for nature's moves
}

// Begin starts an episode at s and takes ownership of s. plies is the number of calls to Play
// before s, and limit is the number at which the episode is cut off, usually the game's MaxPlies.
func (e *Episode) Begin(s game.State, plies, limit int) {
	e.State, e.Plies, e.Decisions, e.limit = s, plies, 0, limit
	e.Moves = e.Moves[:0]
	e.slip, _ = game.As[*game.Slip](s)
}

// Next makes nature's moves and reports whether a player must decide. If it returns true, Turn
// returns that player. Next returns false if the game is over or cut off. An adversary in place of
// nature counts as a player (see [game.NatureToMove]).
func (e *Episode) Next() bool {
	for {
		switch t := e.State.Turn(); {
		case t == game.Nobody:
			return false
		case e.Plies >= e.limit && !(e.FinishSlip && e.Pending()):
			return false
		case t >= 0:
			return true
		}
		e.nature()
	}
}

// Play makes the move m for the player to move.
func (e *Episode) Play(m game.Move) {
	e.Decisions++
	work.Yield()
	e.make(m)
}

func (e *Episode) make(m game.Move) {
	if e.Keep {
		e.Moves = append(e.Moves, Move{m, e.State.Turn()})
	}
	e.Plies++
	e.State.Play(m)
}

// Undo undoes the last recorded move, even if nature made it. It reports whether there was one. If
// play continues, Luck may choose different moves, unless its choices depend only on the position
// or the number of plies.
func (e *Episode) Undo() bool {
	last := len(e.Moves) - 1
	if last < 0 {
		return false
	}
	if e.Moves[last].By != game.Chance {
		e.Decisions--
	}
	e.Moves = e.Moves[:last]
	e.Plies--
	e.State.Undo()
	return true
}

// Pending reports whether a move has been chosen that may still slip.
func (e *Episode) Pending() bool {
	if e.slip == nil {
		return false
	}
	_, pending := e.slip.Intended()
	return pending
}

// Decide makes nature decide a pending slip. The resulting position is the one after the last
// decision, before any other move by nature. Decide does nothing if no slip is pending or the
// episode has been cut off.
func (e *Episode) Decide() {
	if e.Pending() && (e.Plies < e.limit || e.FinishSlip) {
		e.nature()
	}
}

func (e *Episode) nature() {
	m := e.Luck.Draw(e.State)
	if e.Chance != nil {
		e.Chance(m, e.Pending())
	}
	e.make(m)
}

// Over reports whether the game is over or cut off, so that no more moves can be made.
func (e *Episode) Over() bool {
	return e.State.Turn() == game.Nobody || e.Plies >= e.limit && !(e.FinishSlip && e.Pending())
}

// Truncated reports whether the game is not over. If Next has returned false, the game was cut off
// and has no outcome. In that case, Utility must not be called.
func (e *Episode) Truncated() bool { return e.State.Turn() != game.Nobody }

// Random is a source of random numbers, such as a *rand.Rand.
type Random interface {
	Float64() float64 // uniform in [0, 1)
	IntN(n int) int   // uniform in [0, n)
}

// Luck makes nature's moves.
type Luck interface {
	// Draw returns one of nature's moves at the chance node s.
	Draw(s game.State) game.Move
}

// A LuckFunc is a function that implements [Luck].
type LuckFunc func(s game.State) game.Move

func (f LuckFunc) Draw(s game.State) game.Move { return f(s) }

// Dice draws moves with random numbers. It draws nature's moves with their probabilities, and
// players' moves uniformly. Each move takes one number.
type Dice struct {
	Random
	moves []game.Move
}

var _ Luck = (*Dice)(nil)

// Draw implements [Luck] with [game.Drawn].
func (d *Dice) Draw(s game.State) game.Move {
	d.moves = s.Moves(d.moves[:0])
	return game.Drawn(s, d.moves, d.Float64())
}

// Uniform returns one of the moves at s, each with equal probability. The game must not be over.
func (d *Dice) Uniform(s game.State) game.Move {
	d.moves = s.Moves(d.moves[:0])
	return d.moves[d.IntN(len(d.moves))]
}
