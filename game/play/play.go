// Package play drives episodes: one game from its opening to its end. Matches, self-play, online
// learners, experiments and the terminal all use it, so that an opening, luck, a pending slip and a
// game cut off mean the same in all of them.
//
// The journey: an [Opening] draws the first moves; an [Episode] continues one decision at a time,
// with nature's moves in between by a [Luck]:
//
//	var e play.Episode
//	e.Luck = &play.Dice{Random: rng}
//	e.Begin(g.New(), 0, g.MaxPlies)
//	for e.Next() { // nature's moves are made; a player is to decide
//		e.Play(choose(e.State))
//	}
//	if !e.Truncated() {
//		... e.State.Utility(p)
//	}
//
// The caller chooses, records and learns: the package knows games, but neither searches nor
// evaluations. Nothing here allocates once buffers have grown; a value of any of its types belongs
// to one goroutine.
package play

import (
	"math"

	"plyfit/game"
	"plyfit/work"
)

// NoLimit is the limit of an episode that is played to its end, however long it takes.
const NoLimit = math.MaxInt

// Episode is a game in progress. Its zero value with a Luck is ready for Begin,
// which may be called again for the next episode.
type Episode struct {
	// Luck makes nature's moves. It may be nil where nature has none.
	Luck Luck
	// Chance is called with each of nature's moves just before it is made, and
	// whether it decides a slip (see [game.Slip]); nil: none.
	Chance func(m game.Move, slip bool)
	// FinishSlip makes a chosen move even where the limit of plies falls between the choice and the
	// slip. Self-play needs it, whose records name the move made; without it the episode is cut off
	// with the move pending, as matches are.
	FinishSlip bool
	// Keep has Moves hold what was played, for Undo and for records of the game.
	Keep bool

	State     game.State // the position now; searches may use it
	Plies     int        // calls of Play since the game's start: decisions and nature's moves
	Decisions int        // of players since Begin, an adversary in nature's place included
	Moves     []Move     // since Begin, where Keep is set

	limit int
	slip  *game.Slip // nil: the world has no slip
}

// Move is a move that was made, and who made it.
type Move struct {
	game.Move
	By game.Player // [game.Chance]: nature
}

// Begin starts at s, which the episode then owns, after plies calls of Play; limit is the number of
// plies at which the episode is cut off, usually the game's MaxPlies.
func (e *Episode) Begin(s game.State, plies, limit int) {
	e.State, e.Plies, e.Decisions, e.limit = s, plies, 0, limit
	e.Moves = e.Moves[:0]
	e.slip, _ = game.As[*game.Slip](s)
}

// Next makes nature's moves and reports whether a player is to decide, Turn then being his. It is
// false where the game is over or cut off. An adversary in nature's place is a player and decides;
// see [game.NatureToMove].
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

// Play makes the decision m of the player to move.
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

// Undo takes back the last kept move, and nature's; it reports whether there was one. The same Luck
// may differ after it, unless derived from the position or the number of plies.
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

// Pending reports whether a move was chosen and its slip is not yet decided.
func (e *Episode) Pending() bool {
	if e.slip == nil {
		return false
	}
	_, pending := e.slip.Intended()
	return pending
}

// Decide has nature decide a pending slip, so that the position is the last decision's result,
// before nature's other moves. It does nothing without one or if the episode is cut off.
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

// Over reports whether nothing can be played any more: the game is over, or cut off.
func (e *Episode) Over() bool {
	return e.State.Turn() == game.Nobody || e.Plies >= e.limit && !(e.FinishSlip && e.Pending())
}

// Truncated reports whether the game is not over. Where Next was false, it was
// then cut off: it has no outcome, and no one may ask for the utility.
func (e *Episode) Truncated() bool { return e.State.Turn() != game.Nobody }

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

// Uniform is one of the moves at s, all equally likely. The game must not be over.
func (d *Dice) Uniform(s game.State) game.Move {
	d.moves = s.Moves(d.moves[:0])
	return d.moves[d.IntN(len(d.moves))]
}
