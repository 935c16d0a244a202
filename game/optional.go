package game

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// This file holds the interfaces that a State may implement besides [State], the most needed first.
// Ask for one with [As]. A game without any can be played, searched and learned. The examples in
// optional_example_test.go are run as tests.

// Chancer is implemented by every State that has chance nodes.
//
// Example: in pig at "34 57 turn 12 roll 0" the die is in the air. Turn is [Chance], Moves lists
// the faces 1 to 6, Prob is 1/6 for each, and For is player 0, who threw it.
type Chancer interface {
	// Prob is the probability, in (0, 1], of a move that Moves lists at a
	// chance node. Over Moves the probabilities sum to 1.
	Prob(m Move) float64
	// For is the player whose luck the chance node is: who rolled the dice, or on whose board the
	// tile appears. Under [Adversary] the opponent of For chooses.
	For() Player
}

// Ponderer is implemented by a [Chancer] whose nature may be an agent that searches, so that Prob
// may take long.
//
// Example: in pacman:ghost=(minimax:depth=12) a ghost searches twelve decisions ahead. To give it a
// second, call Ponder with a context of a second, and Prob if there was no error.
type Ponderer interface {
	// Ponders reports whether nature is such an agent in this game.
	Ponders() bool
	// Ponder computes the chance node's probabilities, so that Prob has them at once. If ctx ends
	// first it returns an error and leaves the position unchanged. Elsewhere it does nothing.
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

// Drawer is implemented by a State that can draw its board for a terminal. Without it `plyfit play`
// prints the State's String.
//
// Example: connect four draws seven columns, X for the first player's stones and O for the
// second's, and "X to move" next to them.
type Drawer interface {
	// Draw is a drawing of several lines, each rune one column wide, with the last Play's changes
	// marked. With colour it may hold SGR sequences (ESC [ ... m) and no other control sequences;
	// without, it shows the same information in plain text.
	Draw(colour bool) string
}

// Drawing returns s as it draws itself, or as text if it does not.
func Drawing(s State, colour bool) string {
	if d, ok := As[Drawer](s); ok {
		return d.Draw(colour)
	}
	return s.String()
}

// Spelled is the legal move m at s for a person to read: a State's method Spell, as in chess, which
// spells g1f3 Nf3, else MoveString. A spelling is unique among the legal moves, and ParseMove reads
// it.
func Spelled(s State, m Move) string {
	if sp, ok := As[interface{ Spell(m Move) string }](s); ok {
		return sp.Spell(m)
	}
	return s.MoveString(m)
}

// Illustrator is implemented by a State that can draw its board as a picture, for pages and
// reports. Without it a page shows what [Drawer] draws.
//
// Example: tic-tac-toe draws nine cells, each a place named by its move's number, so a click on the
// middle makes the move 5.
type Illustrator interface {
	// SVG is the position as one svg element, seen from the side of player below: of a
	// [HiddenState] what he knows, or everything where below is [Nobody]. It holds no scripts,
	// links or styles, and every size is relative. Clickable parts have the attribute data-place
	// with the place's name. The last Play's changes are marked.
	SVG(below Player) string
	// Clicks are the places to click for the legal move m: chains of places, each in its order, the
	// chains in any order. A move without a place on the board has none. Moves may share their
	// places; a page then asks which is meant.
	Clicks(m Move) [][]string
}

// Ranker is implemented by a State that can guess which moves are good. A search tries higher ranks
// first, so that alpha-beta cuts more. Ranks never change a search's value.
//
// Example: in connect four a move that completes four in a row has the rank 1<<20, a move that
// blocks the opponent's four 1<<19.
type Ranker interface {
	Rank(m Move) int32
}

// Bounder is implemented by a State that can bound the final result better than [Game.Min] and
// [Game.Max]. Pruning at chance nodes needs it.
//
// Example: a player of backgammon who has borne off a checker cannot lose a gammon any more, so his
// Bounds begin at -1, not at -3.
type Bounder interface {
	// Bounds encloses Utility(p) at every end that can be reached from here.
	// The bounds after a move lie inside the bounds before it.
	Bounds(p Player) (lo, hi float64)
}

// Noisy is implemented by a State that distinguishes noisy moves, such as captures, after which a
// static evaluation is unreliable. Quiescence search follows them beyond the horizon.
//
// Example: chess lists captures that lose no material, promotions to a queen, and all moves when
// the king is in check.
type Noisy interface {
	// Noisy appends the noisy moves to dst: a subset of Moves, always in the same order.
	Noisy(dst []Move) []Move
	// Forced reports whether all moves of an unfinished position are noisy and waiting is impossible:
	// in chess with the king in check, in checkers with a piece that can jump. A static evaluation
	// assumes that some quiet move keeps what the player has, so quiescence search asks for none.
	Forced() bool
}

// Guessed is implemented by a State of a game without passing that helps a search with unproven cuts
// ([plyfit/search.Selective]). Such a search skips noisy moves that gain too little, and stops where
// a player would still be ahead after a pass (null move).
//
// Example: in chess a move that takes a knight gains a knight. A pass would hardly ever be the best
// move, except with the king in check, or if a side has only pawns left and zugzwang is possible.
type Guessed interface {
	// Gain is the most that a noisy move gains its mover at once, if nothing answers it: in the
	// game's units, at a level score, at least 0 and below Game.Max.
	Gain(m Move) float64
	// MayPass reports whether a pass is worse than some move, judging by the board
	// without a search. The position is not over.
	MayPass() bool
	// Pass leaves everything as it is, but that the other player is to move. Undo takes it back.
	Pass()
}

// Scorer is implemented by a State of a game in which points are collected on the way. The current
// score is then the constant evaluation (eval=zero).
//
// Example: in 2048 the position "0012/0000/0100/0000 player 0" has the score 0; a move that merges
// two 4s adds 8.
type Scorer interface {
	// Score is what player p has collected so far, in the units of Utility.
	Score(p Player) float64
}

// Countable is implemented by a State of a game of several players that can be counted before its
// end, so that a match cut off at the limit of plies is not automatically a draw. Labels never use
// it.
//
// Example: a player who never passes at go may fill the board and be captured until the limit; the
// area at that moment counts.
type Countable interface {
	// CountNow is what player p gets if the game ends as it stands, in the units of Utility.
	CountNow(p Player) float64
}

// BoardHasher is implemented by a State whose Hash covers more than the board, such as a repetition
// count or a clock.
//
// Example: after 1. Nf3 Nf6 2. Ng1 Ng8 a game of chess is back at the initial board. Hash differs
// from that of the start, since one more return is a draw. BoardHash is the same.
type BoardHasher interface {
	// BoardHash is a hash of the board and the player to move, whatever moves led there.
	BoardHash() uint64
}

// BoardHash is a hash of s without history and wrappers, equal for positions that no evaluation can
// distinguish. It is the base state's Hash if s is no [BoardHasher].
func BoardHash(s State) uint64 {
	if b, ok := As[BoardHasher](s); ok {
		return b.BoardHash()
	}
	return Base(s).Hash()
}

// MoveClassifier is implemented by a State that can tell, without making its moves, which of them
// end the game and which lead to a chance node. With a constant evaluation (eval=zero) a search
// needs no more at its last decision, and most positions are leaves, so this pays. A game in which
// a position can have more than 64 moves must not implement it.
//
// Example: in connect four after 112233 the first player completes the bottom row in column 4.
// ClassifyMoves lists the seven columns and sets bit 3 of over, since the fourth move of the list
// ends the game. In pig at "34 57 turn 12 player 0" it lists roll and hold and sets bit 0 of
// chance, since a roll hands over to nature.
type MoveClassifier interface {
	// ClassifyMoves appends what Moves appends, in the same order. Bit i of over is set if the i-th
	// of these moves ends the game, bit i of chance if it leads to a chance node; all others lead
	// to a decision.
	ClassifyMoves(dst []Move) (moves []Move, over, chance uint64)
}

// Shaper is implemented by a State with its own number of players, sum and bounds, in place of its
// Game's. [ShapeOf] asks for it.
//
// Example: an explicit tree with leaves <1,2,-3> has three players and a general sum; one with
// plain numbers has two players and sum zero.
type Shaper interface {
	Shape() Shape
}

// HiddenState is implemented by every State of a game of imperfect information, such as one with
// cards in the hands of others. Its [Game] says so by Hidden. Positions that a player cannot tell
// apart are an information set (von Neumann and Morgenstern 1944; AIMA 5.6).
//
// Anyone who plays or evaluates for p may use what Info(p) says and nothing else. A State holds the
// whole deal, so this is a promise, which the laws of packages gametest, featuretest and searchtest
// hold everyone to: they put another position of the information set in place of the true one, and
// want the same answer.
//
// Example: in kuhn at "2 0 pb" player 0 holds card 2, has passed, and player 1 has bet. Info(0) is
// "2 ? pb". Sample(0, rng) is "2 0 pb" or "2 1 pb", each with probability 1/2.
type HiddenState interface {
	State
	// Info is what p knows, on one line: equal at two positions of a game if and
	// only if p cannot tell them apart. It holds everything that p has seen and
	// done that the future depends on, so that no one forgets ("perfect
	// recall"); who is to move and which moves there are follow from it.
	Info(p Player) string
	// Sample is a position, with nothing to undo, that p cannot tell from this
	// one: a determinization. It is drawn by rng, uniformly over the deals that
	// the rules and Info(p) allow, whatever the others' moves suggest. Two
	// positions of one information set give the same sample for the same rng.
	Sample(p Player, rng *rand.Rand) State
}

// View is what p knows at s, one of g's positions, and "" where nothing is hidden.
func (g *Game) View(s State, p Player) string {
	if !g.Hidden {
		return ""
	}
	return s.(HiddenState).Info(p)
}

// Open is g with perfect information, for searching a drawn position and for an agent that cheats.
// It is g itself if nothing is hidden.
func (g *Game) Open() *Game {
	if !g.Hidden {
		return g
	}
	open := *g
	open.Hidden = false
	return &open
}

// RefuseHidden is an error in games of imperfect information, for anyone who, called
// what, would use all of a position.
func RefuseHidden(what string, g *Game) error {
	if !g.Hidden {
		return nil
	}
	return fmt.Errorf("%s sees all of a position, and %s hides some of it: want pimc, ismcts or random", what, g.Name)
}

// Dialect is how a game's positions and moves are given in a protocol between programs, set in
// Game.Dialects; functions that a protocol does not use are nil.
type Dialect struct {
	Protocol string // which it is: "uci", "gtp", "fibs"
	Name     string // what the protocol calls the game; "" where it needs no name
	Size     int    // the edge of the board, for protocols that ask

	// Tell is s, a base state, in the protocol's words: for UCI the argument of its
	// command position, for FIBS a board.
	Tell func(s State) (string, error)
	// Parse reads what Tell says, without moves, in words: startpos, or the fields of a FEN.
	Parse func(g *Game, fields []string) (State, error)

	// FEN is the board of s alone, for programs that begin games there; nil: it has none.
	FEN func(s State) string

	// Move and ParseMove are a legal move's name at s, and back.
	Move      func(s State, m Move) string
	ParseMove func(s State, name string) (Move, error)

	// Past is where s began and the moves since, for protocols that know games and no positions.
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

// Celled is implemented by a State whose board is cells, each holding one of a few things. Tables
// are derived from it (package features/tuples), so that a game can be learned without hand-written
// features.
//
// Example: in tic-tac-toe at "XO..X.... O" the cells are 2 1 0 0 2 0 0 0 0 as player 1 sees them,
// who has O: 0 is an empty cell, 1 a mark of his own, 2 one of the other's.
type Celled interface {
	// Cells is what the board is like: the same at all positions of a game.
	Cells() Cells
	// Fill writes into dst each cell's content in the view of player p, row by row, then what is
	// next to the board. Where the players face each other, each sees the board from his own side.
	// Hidden cells hold what p sees.
	Fill(p Player, dst []uint8)
}

// Cells is what a board of cells is like.
type Cells struct {
	Rows, Columns int
	Upward        bool // the first row is the lowest, as people draw the board

	States  int    // a cell holds 0 to States-1, of which 0 is nothing
	Symbols string // one for each state, for the names of weights; "": 0-9a-zA-Z
	Legend  string // what the symbols mean

	// Holes are cells of the rectangle that are no part of the board: the light squares
	// of checkers. They hold nothing.
	Holes []int

	// Symmetries are those of the rules in every player's view, the identity first: cell c goes to
	// Symmetries[k][c] ([Symmetries] are those of a rectangle). None: the identity alone.
	Symmetries [][]int

	// Apart says that the same cells are worth one thing to who moves first and another
	// to the others: in connect four the rows are odd or even to a player.
	Apart bool

	// Beside are cells after the board's, by how many things each may hold: what no cell of the
	// board shows and everything depends on, in go whether the other has passed.
	Beside []int
}

// Len is how many cells Fill writes.
func (c *Cells) Len() int { return c.Rows*c.Columns + len(c.Beside) }

// Symmetries are the symmetries of a board of rows and columns whose cells are numbered row by row:
// cell c goes to Symmetries[k][c]. First the identity, then mirrored left to right, top to bottom,
// and both; on a square board the same four of the transposed board follow.
func Symmetries(rows, columns int) [][]int {
	kinds := 4
	if rows == columns {
		kinds = 8
	}
	all := make([][]int, kinds)
	for k := range all {
		for r := range rows {
			for c := range columns {
				y, x := r, c
				if k >= 4 {
					y, x = x, y
				}
				if k&1 != 0 {
					x = columns - 1 - x
				}
				if k&2 != 0 {
					y = rows - 1 - y
				}
				all[k] = append(all[k], y*columns+x)
			}
		}
	}
	return all
}
