package game

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// This file contains the interfaces that a State may implement in addition to [State], with the
// most important ones first. [As] finds one of them in a State. A game that implements none of them
// can still be played, searched and learned.

// Chancer is implemented by every State that has chance nodes.
//
// Example: in pig at "34 57 turn 12 roll 0", the die has been thrown. Turn returns [Chance], Moves
// lists the faces 1 to 6, Prob returns 1/6 for each of them, and For returns player 0, who threw
// the die.
type Chancer interface {
	// Prob returns the probability, in (0, 1], of a move that Moves lists at a chance node. The
	// probabilities of all these moves sum to 1.
	Prob(m Move) float64
	// For returns the player to whom the chance event belongs: the player who rolled the dice, or
	// the player on whose board the tile appears. Under [Adversary], this player's opponent chooses
	// the move.
	For() Player
}

// Ponderer is implemented by a [Chancer] whose chance moves may be chosen by an agent that
// searches. In such a game, Prob may take a long time.
//
// Example: in pacman:ghost=(minimax:depth=12), a ghost searches twelve decisions ahead. To limit
// this search to one second, call Ponder with a context that ends after a second. If Ponder returns
// no error, call Prob.
type Ponderer interface {
	// Ponders reports whether such an agent chooses nature's moves in this game.
	Ponders() bool
	// Ponder computes the probabilities of the chance node, so that later calls to Prob return
	// immediately. If ctx ends first, Ponder returns an error and leaves the position unchanged.
	// Ponder does nothing if the position is not a chance node.
	Ponder(ctx context.Context) error
}

// Pondering returns the Ponderer in s. ok is false if there is none, or if no chance moves are
// chosen by an agent that searches.
func Pondering(s State) (p Ponderer, ok bool) {
	if p, ok = As[Ponderer](s); ok {
		ok = p.Ponders()
	}
	return p, ok
}

// Drawer is implemented by a State that can draw its board for a terminal. For other states,
// `plyfit play` prints String.
//
// Example: connect four draws seven columns, X for the first player's stones and O for the
// second's, and "X to move" next to them.
type Drawer interface {
	// Draw returns a drawing of several lines in which every rune is one column wide. Most games
	// mark the changes made by the last Play. With colour, the drawing may contain SGR sequences
	// (ESC [ ... m) and no other control sequences. Without colour, it shows the same information
	// as plain text.
	Draw(colour bool) string
}

// Drawing returns the result of s.Draw, or that of s.String if s is not a [Drawer].
func Drawing(s State, colour bool) string {
	if d, ok := As[Drawer](s); ok {
		return d.Draw(colour)
	}
	return s.String()
}

// Spelled returns the legal move m of s in the notation that people prefer. If the State has a
// method Spell, its result is used. In chess, for example, it returns Nf3 for g1f3. Otherwise, the
// result is that of MoveString. The notation is unique among the legal moves, and ParseMove reads
// it.
func Spelled(s State, m Move) string {
	if sp, ok := As[interface{ Spell(m Move) string }](s); ok {
		return sp.Spell(m)
	}
	return s.MoveString(m)
}

// Illustrator is implemented by a State that can draw its board as a picture for pages and reports.
// For other states, a page shows the drawing of [Drawer].
//
// Example: tic-tac-toe draws nine cells. Each cell is a place named after the number of its move,
// so a click on the middle cell makes move 5.
type Illustrator interface {
	// SVG returns the position as a single svg element, as seen by the player below, who sits at
	// the bottom of the board. For a [HiddenState], it shows what that player knows, or everything
	// if below is [Nobody]. The element contains no scripts, links or styles, and all sizes are
	// relative. The attribute data-place contains the name of a clickable place. Most games mark
	// the changes made by the last Play.
	SVG(below Player) string
	// Clicks returns the places to click for the legal move m, as chains of places. The user clicks
	// the places of each chain in the given order, and may click the chains in any order. A move
	// without a place on the board has no chains. If several moves have the same places, a page
	// lets the user choose.
	Clicks(m Move) [][]string
}

// Ranker is implemented by a State that can estimate which moves are good. A search tries moves of
// higher rank first, so that alpha-beta prunes more. Ranks do not change the value that an exact
// search returns.
//
// Example: in connect four, a move that completes four in a row has rank 1<<20. A move that blocks
// four in a row for the opponent has rank 1<<19.
type Ranker interface {
	Rank(m Move) int32
}

// Bounder is implemented by a State that has tighter bounds on the final result than [Game.Min] and
// [Game.Max]. Pruning at chance nodes requires it.
//
// Example: a backgammon player who has borne off a checker can no longer lose a gammon. That
// player's Bounds therefore begin at -1, not at -3.
type Bounder interface {
	// Bounds returns an interval that contains Utility(p) at every end of the game that can still
	// be reached. The bounds after a move lie inside the bounds before it.
	Bounds(p Player) (lo, hi float64)
}

// Noisy is implemented by a State with noisy moves, such as captures, which make a static
// evaluation unreliable. Quiescence search follows noisy moves beyond the depth limit.
//
// Example: chess lists captures that lose no material, promotions to a queen, and, if the king is
// in check, all moves.
type Noisy interface {
	// Noisy appends the noisy moves to dst: a subset of Moves, always in the same order.
	Noisy(dst []Move) []Move
	// Forced reports whether all moves of an unfinished position are noisy and the player cannot
	// wait. This is the case in chess if the king is in check, and in checkers if a piece can jump.
	// A static evaluation assumes that some quiet move preserves the value of the position, so
	// quiescence search does not evaluate forced positions.
	Forced() bool
}

// Guessed is implemented by a State of a game without passing in which a search may also prune
// moves without proof ([plyfit/search.Selective]). Such a search skips noisy moves that gain too
// little. It also stops if a player would still be ahead after a pass (null move).
//
// Example: in chess, capturing a knight gains the value of a knight. A pass would hardly ever be
// the best move, unless the king is in check, or a side has only pawns left and zugzwang is
// possible.
type Guessed interface {
	// Gain returns the most that a noisy move can immediately gain for its mover, if the opponent
	// does not reply. The gain is measured in the game's units, starting from a level score, and is
	// at least 0 and less than Game.Max.
	Gain(m Move) float64
	// MayPass reports whether a pass is probably worse than some move. It examines only the board
	// and does not search. It must not be called when the game is over.
	MayPass() bool
	// Pass changes only the player to move. Undo undoes it.
	Pass()
}

// Scorer is implemented by a State of a game in which players collect points during play. In such a
// game, the constant evaluation (eval=zero) returns the current score.
//
// Example: in 2048, the position "0012/0000/0100/0000 player 0" has the score 0. A move that merges
// two 4s adds 8 points.
type Scorer interface {
	// Score returns the points that player p has collected, in the units of Utility.
	Score(p Player) float64
}

// BoardHasher is implemented by a State whose Hash depends on more than the board, such as a
// repetition count or a clock.
//
// Example: after 1. Nf3 Nf6 2. Ng1 Ng8, a game of chess has returned to the initial board. Its Hash
// differs from the initial one because the next repetition is a draw. BoardHash is the same.
type BoardHasher interface {
	// BoardHash returns a hash of the board and the player to move. It does not depend on earlier
	// moves.
	BoardHash() uint64
}

// BoardHash returns a hash of s that ignores history and wrappers. Positions that no evaluation can
// distinguish have the same hash. If s is not a [BoardHasher], the result is the Hash of the base
// state.
func BoardHash(s State) uint64 {
	if b, ok := As[BoardHasher](s); ok {
		return b.BoardHash()
	}
	return Base(s).Hash()
}

// MoveClassifier is implemented by a State that can determine, without playing its moves, which of
// them end the game and which lead to a chance node. A search with a constant evaluation
// (eval=zero) needs nothing else at its last decision. This saves time, because most positions are
// leaves. A game must not implement MoveClassifier if a position can have more than 64 moves.
//
// Example: in connect four after 112233, the first player can complete the bottom row in column 4.
// ClassifyMoves lists the seven columns and sets bit 3 of over, because the fourth move in the list
// ends the game. In pig at "34 57 turn 12 player 0", it lists roll and hold and sets bit 0 of
// chance, because a roll leads to a chance node.
type MoveClassifier interface {
	// ClassifyMoves appends the same moves as Moves, in the same order. Bit i of over is set if the
	// i-th move ends the game. Bit i of chance is set if it leads to a chance node. All other moves
	// lead to a decision.
	ClassifyMoves(dst []Move) (moves []Move, over, chance uint64)
}

// Shaper is implemented by a State whose number of players, sum and bounds may differ from those of
// its Game. [ShapeOf] uses it.
//
// Example: an explicit tree with leaves such as <1,2,-3> has three players and no fixed sum. A tree
// with plain numbers has two players and sum zero.
type Shaper interface {
	Shape() Shape
}

// HiddenState is implemented by every State of a game with imperfect information, such as a card
// game. In the [Game] of such a State, Hidden is true. The positions that a player cannot
// distinguish form an information set (von Neumann and Morgenstern 1944; AIMA 5.6).
//
// Code that plays or evaluates for p may use only the information in Info(p). The type cannot
// enforce this rule, because a State contains the whole deal. The checks in packages gametest,
// featuretest and searchtest replace the true position with another one from the same information
// set, and require the same answer.
//
// Example: in kuhn at "2 0 pb", player 0 holds card 2 and has passed, and player 1 has bet. Info(0)
// is "2 ? pb". Sample(0, rng) is "2 0 pb" or "2 1 pb", each with probability 1/2.
type HiddenState interface {
	State
	// Info returns what p knows, on one line. Two positions of a game have the same Info if and
	// only if p cannot distinguish them. Info contains everything p has seen and done that affects
	// the rest of the game ("perfect recall"). It determines the player to move and the legal
	// moves.
	Info(p Player) string
	// Sample returns a position that p cannot distinguish from this one (a determinization), with
	// nothing to undo. It uses rng to draw uniformly from the deals that are consistent with the
	// rules and Info(p), and ignores what the other players' moves suggest. Two positions from the
	// same information set return the same sample for the same rng.
	Sample(p Player, rng *rand.Rand) State
}

// View returns what p knows at s, a position of g. It returns "" if nothing is hidden.
func (g *Game) View(s State, p Player) string {
	if !g.Hidden {
		return ""
	}
	return s.(HiddenState).Info(p)
}

// Open returns a copy of g with perfect information, for searching a sampled position and for
// agents that cheat. If nothing is hidden, it returns g itself.
func (g *Game) Open() *Game {
	if !g.Hidden {
		return g
	}
	open := *g
	open.Hidden = false
	return &open
}

// RefuseHidden returns an error if g is a game of imperfect information. The parameter what is the
// name of the agent or tool that needs the whole position.
func RefuseHidden(what string, g *Game) error {
	if !g.Hidden {
		return nil
	}
	return fmt.Errorf("%s needs the whole position, but %s hides part of it; use pimc, ismcts or random", what, g.Name)
}

// A Dialect defines how a game's positions and moves are written in a protocol between programs. It
// is an element of Game.Dialects. Functions that the protocol does not use are nil.
type Dialect struct {
	Protocol string // "uci", "gtp" or "fibs"
	Name     string // name of the game in the protocol, or "" if it needs no name
	Size     int    // number of squares along an edge of the board, for protocols that need it

	// Format formats a base state for the protocol. In UCI, it returns the argument of the position
	// command, and in FIBS, a board.
	Format func(s State) (string, error)
	// Parse reads a position without moves from its words: startpos, or the fields of a FEN.
	Parse func(g *Game, fields []string) (State, error)

	// FEN formats only the board of s, for programs that start games from a given board. It is nil
	// if there is no such format.
	FEN func(s State) string

	// Move formats a legal move of s, and ParseMove reads it.
	Move      func(s State, m Move) string
	ParseMove func(s State, name string) (Move, error)

	// Past returns the position in which the game began and the moves since then, for protocols
	// that transmit games but not positions.
	Past func(s State) (first State, moves []Move)
	// Left estimates the maximum number of plies until the end of the game, for time control.
	Left func(s State) int
}

// Dialect returns the dialect of g's base game for a protocol, or nil if there is none.
func (g *Game) Dialect(protocol string) *Dialect {
	dialects := g.Base().Dialects
	for i := range dialects {
		if dialects[i].Protocol == protocol {
			return &dialects[i]
		}
	}
	return nil
}

// Celled is implemented by a State whose board consists of cells, each with a small number of
// states. Package features/tuples derives tables from such boards, so that a game can be learned
// without hand-written features.
//
// Example: in tic-tac-toe at "XO..X.... O", the cells are 2 1 0 0 2 0 0 0 0 for player 1, who plays
// O. 0 is an empty cell, 1 is the player's mark, and 2 is the opponent's.
type Celled interface {
	// Cells returns a description of the board, which is the same for all positions of a game.
	Cells() Cells
	// Fill writes the content of each cell to dst, from the point of view of player p: the board
	// row by row, then the additional cells (Cells.Extra). In games in which the players face each
	// other, each player has their own side in front. Hidden cells contain what p knows.
	Fill(p Player, dst []uint8)
}

// Cells describes a board of cells.
type Cells struct {
	Rows, Columns int
	Upward        bool // the first row is the lowest one in drawings

	States  int    // number of states of a cell; 0 is empty
	Symbols string // one for each state, used in the names of weights; "" means 0-9a-zA-Z
	Legend  string // meaning of the symbols

	// Holes lists cells of the rectangle that do not belong to the board, such as the light squares
	// in checkers. They are always empty.
	Holes []int

	// Symmetries lists the symmetries of the rules from every player's point of view, beginning
	// with the identity. Symmetry k moves cell c to Symmetries[k][c]. The function [Symmetries]
	// computes them for a rectangle. If Symmetries is empty, only the identity is used.
	Symmetries [][]int

	// Apart reports whether the same cells have different values for the first player and for the
	// other players. In connect four, for example, odd rows favour one player and even rows the
	// other.
	Apart bool

	// Extra lists the number of states of each additional cell after the board. Such cells contain
	// information that the board does not show. In backgammon, for example, they contain the
	// numbers of checkers that the players have borne off.
	Extra []int
}

// Len returns the number of values that Fill writes.
func (c *Cells) Len() int { return c.Rows*c.Columns + len(c.Extra) }

// Symmetries returns the symmetries of a rectangular board whose cells are numbered row by row.
// Symmetry k moves cell c to Symmetries[k][c]. The first four are the identity, the mirror images
// from left to right and from top to bottom, and both combined. On a square board, a transposition
// followed by each of these gives four more.
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
