package game

import "context"

// This file holds the interfaces that a State may implement besides [State],
// from the most to the least needed. Ask for one with [As]. A game without any
// of them can be played, searched and learned. The examples in
// optional_example_test.go are run as tests.

// Chancer is implemented by every State that has chance nodes.
//
// Example: in pig at "34 57 turn 12 roll 0" the die is in the air. Turn is
// [Chance], Moves lists the faces 1 to 6, Prob is 1/6 for each, and For is
// player 0, who threw it.
type Chancer interface {
	// Prob is the probability, in (0, 1], of a move that Moves lists at a
	// chance node. Over Moves the probabilities sum to 1.
	Prob(m Move) float64
	// For is the player whose luck the chance node is: who rolled the dice, or
	// on whose board the tile appears. Under [Adversary] the opponent of For
	// chooses nature's move.
	For() Player
}

// Ponderer is implemented by a [Chancer] whose nature may be an agent that searches,
// so that Prob may take long.
//
// Example: in pacman:ghost=(minimax:depth=12) a ghost searches twelve decisions ahead
// before it moves. Who gives it a second asks Ponder with a context of a second, and
// Prob where there was no error.
type Ponderer interface {
	// Ponders reports whether nature is such an agent in this game.
	Ponders() bool
	// Ponder computes the probabilities of the chance node at hand, so that Prob has
	// them at once. Where ctx ends before that, it returns an error, and the position
	// is as it was. Away from chance nodes it does nothing.
	Ponder(ctx context.Context) error
}

// Pondering is the nature of s where it is an agent that searches; ok is false where it
// never thinks.
func Pondering(s State) (p Ponderer, ok bool) {
	if p, ok = As[Ponderer](s); ok {
		ok = p.Ponders()
	}
	return p, ok
}

// Drawer is implemented by a State that can draw its board for a person at a
// terminal. Without it `plyfit play` prints the State's String.
//
// Example: connect four draws seven columns, X for the first player's stones
// and O for the second's, and writes "X to move" beside them.
type Drawer interface {
	// Draw is a drawing of several lines in which each rune is one column wide.
	// What the last Play changed is marked. With colour the drawing may hold
	// SGR sequences (ESC [ ... m) and no other control sequences. Without
	// colour it shows the same information in plain text.
	Draw(colour bool) string
}

// Spelled is the legal move m at s for a person to read. A State whose moves people
// write otherwise than programs do has a method Spell, as chess, which spells g1f3 as
// books do, Nf3: no other legal move is spelled like it, and ParseMove reads it. Of
// others it is MoveString.
func Spelled(s State, m Move) string {
	if sp, ok := As[interface{ Spell(m Move) string }](s); ok {
		return sp.Spell(m)
	}
	return s.MoveString(m)
}

// Illustrator is implemented by a State that can draw its board as a picture, for
// pages and reports. Where it is missing, a page shows what [Drawer] draws.
//
// Example: tic-tac-toe draws nine cells, each of them a place by the number that
// its move has, so a page makes the move 5 by a click on the middle.
type Illustrator interface {
	// SVG is the position as one svg element, seen from the side of player below: of a
	// [HiddenState] what he knows, and everything where below is [Nobody]. It
	// holds neither scripts nor links nor styles, and every size is relative. What can
	// be clicked has the attribute data-place with the name of the place. What the
	// last Play changed is marked.
	SVG(below Player) string
	// Clicks are the places to click for the legal move m: chains of places, each
	// chain in its order, the chains themselves in any. A move that has no place on
	// the board has none. Moves may share their places; a page then asks which one
	// is meant.
	Clicks(m Move) [][]string
}

// Ranker is implemented by a State that can guess which moves are good. A
// search tries moves of higher rank first, so that alpha-beta cuts more. Ranks
// never change the value of a search.
//
// Example: in connect four a move that completes four in a row has the rank
// 1<<20, a move that blocks the opponent's four 1<<19.
type Ranker interface {
	Rank(m Move) int32
}

// Bounder is implemented by a State that can bound the final result better than
// [Game.Min] and [Game.Max] do. Pruning at chance nodes lives on it.
//
// Example: a player of backgammon who has borne off a checker cannot lose a
// gammon any more. Bounds of that player then begin at -1, not at -3.
type Bounder interface {
	// Bounds encloses Utility(p) at every end that can be reached from here.
	// The bounds after a move lie inside the bounds before it.
	Bounds(p Player) (lo, hi float64)
}

// Noisy is implemented by a State that can tell noisy moves from quiet ones.
// After a noisy move, such as a capture, a static evaluation is unreliable.
// Quiescence search follows these moves beyond the horizon.
//
// Example: chess lists captures, but for those that lose material, and promotions to
// a queen, and all moves when the king is in check.
type Noisy interface {
	// Noisy appends the noisy moves to dst: a subset of Moves, always in the
	// same order.
	Noisy(dst []Move) []Move
}

// Gainer is implemented by a State that says how much its noisy moves gain. A search that
// may leave moves out on a guess leaves out those that are not enough.
//
// Example: in chess a move that takes a knight gains a knight.
type Gainer interface {
	// Gain is what a noisy move gains its mover at once and at most, if nothing
	// answers it: in the game's units, at a level score, at least 0 and below
	// Game.Max.
	Gain(m Move) float64
}

// Forced is implemented by a State with positions in which no one can wait: all moves
// are noisy, and a static evaluation, which takes it that some quiet move keeps what
// the player has, means nothing. Quiescence search asks for none there.
//
// Examples: chess with the king in check; checkers with a piece that can jump.
type Forced interface {
	// Forced reports whether the mover of an unfinished position is forced to a noisy
	// move.
	Forced() bool
}

// Passer is implemented by a State of a game without passing in which to pass would
// hardly ever be the best move. Who would still be ahead after doing nothing is ahead:
// a search that may leave moves out on a guess leaves the others out there (null move).
//
// Example: chess, but with the king in check, and where a side has only pawns left and
// to have to move may be what loses.
type Passer interface {
	// MayPass reports whether a pass is worse than some move, as far as the board tells
	// without a search. The position is not over.
	MayPass() bool
	// Pass leaves everything as it is, but that the other player is to move. Undo takes
	// it back.
	Pass()
}

// Scorer is implemented by a State of a game in which points are collected on
// the way. The current score is then the evaluation that knows nothing
// (eval=zero).
//
// Example: in 2048 the position "0012/0000/0100/0000 player 0" has the score 0;
// a move that merges two 4s adds 8.
type Scorer interface {
	// Score is what player p has collected so far, in the units of Utility.
	Score(p Player) float64
}

// Countable is implemented by a State of a game of several players that can be counted
// before its end, so that a match which is cut off at the limit of plies is no draw by
// that alone. Labels are never made of it.
//
// Example: who never passes at go may fill the board up and be taken off it again until
// the limit; the area at that moment counts.
type Countable interface {
	// CountNow is what player p gets if the game ends as it stands, in the units of
	// Utility.
	CountNow(p Player) float64
}

// BoardHasher is implemented by a State whose Hash covers more than the board,
// such as a repetition count or a clock.
//
// Example: after 1. Nf3 Nf6 2. Ng1 Ng8 a game of chess stands at the initial
// board again. Hash differs from that of the start, since one more return means
// a draw. BoardHash is the same.
type BoardHasher interface {
	// BoardHash is a hash of the board and the player to move, whatever moves
	// led there.
	BoardHash() uint64
}

// BoardHash is a hash of s without its history and without its wrappers.
// Positions that no evaluation can tell apart have the same BoardHash. It is
// the Hash of the base state where s is no [BoardHasher].
func BoardHash(s State) uint64 {
	if b, ok := As[BoardHasher](s); ok {
		return b.BoardHash()
	}
	return Base(s).Hash()
}

// MoveClassifier is implemented by a State that can tell, without making its
// moves, which of them end the game and which lead to a chance node. A search
// asks at the last decision before its horizon if the evaluation is constant
// there (eval=zero): what kind of leaf a move leads to is then all it needs to
// know. Most positions of a search are leaves, so this pays. A game in which a
// position can have more than 64 moves must not implement it.
//
// Example: in connect four after 112233 the first player completes the bottom
// row in column 4. ClassifyMoves lists the seven columns and sets bit 3 of
// over, since the fourth move of the list ends the game. In pig at
// "34 57 turn 12 player 0" it lists roll and hold and sets bit 0 of chance,
// since a roll hands over to nature.
type MoveClassifier interface {
	// ClassifyMoves appends to dst what Moves appends, in the same order. Bit i
	// of over is set where the i-th of these moves ends the game, bit i of
	// chance where it leads to a chance node. All other moves lead to a
	// decision.
	ClassifyMoves(dst []Move) (moves []Move, over, chance uint64)
}

// Shaper is implemented by a State that has its own number of players, sum and
// bounds, in place of its Game's. [ShapeOf] asks for it.
//
// Example: an explicit tree with leaves <1,2,-3> has three players and a
// general sum; one with plain numbers has two players and sum zero.
type Shaper interface {
	Shape() Shape
}
