// Package search searches game trees: minimax, alpha-beta, expectimax with Star
// pruning, max^n, over any game that keeps the contract of package game. Monte
// Carlo tree search is package mcts, ways to play without a search package policy.
//
// The journey of a search:
//
//  1. A constructor ([NewAlphaBeta], [NewExpectimax], ...) makes an [Agent] of the
//     options of its kind; an agent is asked for a move at a position.
//  2. The position is bound once: what the game offers, and what nature is taken for
//     ([assume.Assumption]).
//  3. Iterative deepening asks for the root's value with one horizon after the other,
//     where there is no fixed depth.
//  4. The tree below is searched: as in the textbook (minimax.go, alphabeta.go,
//     expectimax.go), or fast, to the same values (pvs.go, chance.go, star.go).
//  5. At the horizon an [Evaluator] says what a position is worth, after a quiescence
//     search where that is asked for.
//  6. Among moves of one value the shortest of certain wins is chosen (best.go).
//     The [Result] tells the move, its value, and how it was found.
//
// Agents for any number of players ([NewMaxN], [NewParanoid]) have their own trees
// over the same positions.
package search

import (
	"context"
	"errors"
	"io"
	"time"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// Evaluator is the static evaluation of positions that are not over.
type Evaluator interface {
	// Evaluate is the expected utility of p, in the game's own units, at s, a
	// base state. In a zero-sum game of two Evaluate(s,0) + Evaluate(s,1) = 0.
	Evaluate(s game.State, p game.Player) float64
}

// Tracker is an Evaluator that keeps its sum up to date along a line of play.
type Tracker interface {
	Evaluator
	Reset(s game.State)             // begin at s
	Push(s game.State, m game.Move) // s is the position before m is played
	Pop()
}

// Zero is the evaluation that knows nothing: the current score in games of
// score, the middle of the range elsewhere (0 where the range has no middle).
func Zero(g *game.Game) Evaluator { return position.Zero{Game: g} }

// Bound says whether a value is exact or a side of the truth.
type Bound = game.Bound

const (
	Exact = game.Exact
	Lower = game.Lower
	Upper = game.Upper
)

// Agent chooses moves. An Agent belongs to one goroutine.
type Agent interface {
	// Begin starts an episode: whatever was remembered of earlier ones is
	// forgotten, and all random choices follow from seed.
	Begin(seed uint64)
	// Search searches s, which it leaves as it found it. A search that was
	// stopped returns the best of the last depth that it finished, or a move that
	// the next one found to be better, and not only as good, after searching that
	// best one as deep, or the best of the moves that the first depth came to; and
	// where ctx stopped it before it had finished any, ctx's error. At a finished
	// position the move is game.NoMove.
	Search(ctx context.Context, s game.State) (Result, error)
}

// Limiter is an Agent whose limits can be changed between two searches: decisions
// to search and nodes, 0 for no limit. Without either a search goes on until its
// context ends, or the game is searched to the end.
type Limiter interface {
	Agent
	Limit(depth int, nodes int64)
}

// Close gives back what an agent holds beside memory, an engine's process; most
// hold nothing. A closed agent must not be used any more.
func Close(a Agent) {
	if c, ok := a.(io.Closer); ok {
		c.Close()
	}
}

// Starter is an agent that can be wrong or late before its first move, such as the program
// of others. Start waits until it is ready; the error says why it cannot play.
type Starter interface {
	Start(context.Context) error
}

// Start has an agent get ready, where it is a [Starter].
func Start(ctx context.Context, a Agent) error {
	if s, ok := a.(Starter); ok {
		return s.Start(ctx)
	}
	return nil
}

// ErrResigned is the error of a search whose agent gives the game up.
var ErrResigned = errors.New("resigns")

// Result is what a search found at its root.
type Result struct {
	Move  game.Move // game.NoMove at a finished root and at a chance node
	Value float64   // of the depth Depth; the mover's, or player 0's at a chance node or a finished root
	// Values are the expected utilities of all players.
	Values []float64
	// Depth is the number of decisions searched: the horizon of the last
	// iteration that was finished. Where the search came to no estimate it is how
	// far its proof of the value looks ahead, what the table remembers of it
	// included: never fewer decisions than the shallowest proof needs, never more
	// than the horizon. It is at most the longest line of play, but that a game
	// that solves its end, a proof of 63 decisions or more that
	// the table remembers, and the two decisions that a game looks ahead where
	// it prunes moves may count to the horizon. Several proofs may be there: which one is
	// found depends on the order of moves.
	Depth int
	Nodes int64 // visited by the value search, the root included
	PV    []game.Move

	// Best are all moves as good as the best, within 1e-9*max(1,|Value|); empty
	// unless the agent was asked to complete them. Move is one of those that are
	// best to the last digits; of certain wins it is one of the shortest, of
	// certain losses one of the longest, counted in decisions against the best
	// defence and the worst luck. BestNodes is what both took.
	Best      []game.Move
	BestNodes int64

	// Root are the root's moves in the game's order with their values in the
	// mover's view, exact or bounds.
	Root []RootMove

	// Exact says that the value is a proof: no evaluation, no cut by chance and no
	// limit touched it, or it is a win or a loss that can be forced.
	Exact   bool
	Elapsed time.Duration // of the value search alone
	Stats   Stats
}

// RootMove is one move of the root with what the search found out about it.
type RootMove struct {
	Move  game.Move
	Value float64
	Kind  Bound
}

// Stats count what a search did.
type Stats struct {
	Evaluations int64
	Probes      int64 // of the transposition table
	Hits        int64 // probes that found the position
	TableCuts   int64 // probes that made a search needless
	BetaCuts    int64 // decision nodes left early
	ChanceCuts  int64 // chance nodes left early
}

// with is s with the evaluations that e counted.
func (s Stats) with(e *position.Effort) Stats {
	s.Evaluations = e.Evaluations
	return s
}
