// Package search searches game trees for any game that follows the contract of package game. It
// implements minimax, alpha-beta, expectimax with Star pruning, and max^n. Package mcts implements
// Monte Carlo tree search, and package policy implements agents that do not search.
//
// A search proceeds as follows:
//
//  1. A constructor ([NewAlphaBeta], [NewExpectimax], ...) creates an [Agent] from its options.
//  2. The agent binds the position once. It determines what the game offers and how the planner
//     models nature ([assume.Assumption]).
//  3. Without a fixed depth, iterative deepening computes the root's value with growing horizons.
//  4. The tree below the root is searched by a textbook algorithm (minimax.go, expectimax.go) or by
//     a fast one that computes the same values (pvs.go, chance.go, star.go).
//  5. At the horizon an [Evaluator] evaluates the position, after a quiescence search if requested.
//  6. Among moves of equal value, the agent chooses the shortest certain win (best.go). The
//     [Result] contains the move, its value and statistics of the search.
//
// Agents for any number of players ([NewMaxN], [NewParanoid]) build different trees over the same
// positions.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"plyfit/game"
	"plyfit/search/internal/position"
	"plyfit/work"
)

// An Evaluator is a static evaluation of unfinished positions.
type Evaluator interface {
	// Evaluate returns the expected utility of p, in the game's own units, at s, which must be a
	// base state. In a zero-sum game of two players, Evaluate(s,0) + Evaluate(s,1) must be 0.
	Evaluate(s game.State, p game.Player) float64
}

// A Tracker is an Evaluator that updates its sum incrementally along a line of play.
type Tracker interface {
	Evaluator
	Reset(s game.State)             // starts a new line at s
	Push(s game.State, m game.Move) // s is the position before m is played
	Pop()                           // undoes the last Push
}

// Zero returns an evaluation without any knowledge of the game. In games of points it is the
// current score, and in other games the middle of the utility range (0 if the range has no middle).
func Zero(g *game.Game) Evaluator { return position.Zero{Game: g} }

// Bound is the kind of a value: exact, a lower bound or an upper bound.
type Bound = game.Bound

const (
	Exact = game.Exact
	Lower = game.Lower
	Upper = game.Upper
)

// An Agent chooses moves. It must not be used by several goroutines at once.
type Agent interface {
	// Begin starts an episode. It discards everything remembered from earlier episodes; all random
	// choices that follow are derived from seed.
	Begin(seed uint64)
	// Search searches s and leaves it unchanged. If a limit stops the search, Search returns the
	// best move of the last completed depth. It returns a move of the next depth instead if that
	// depth has already searched the former best move and found the new one to be strictly better.
	// If no depth was completed, Search returns the best move searched so far, or ctx.Err() if ctx
	// ended the search. At a finished position the move is game.NoMove.
	Search(ctx context.Context, s game.State) (Result, error)
}

// Move returns a's move at s. Some agents compute a move alone faster than a full [Result].
func Move(ctx context.Context, a Agent, s game.State) (game.Move, error) {
	if p, ok := a.(*planner); ok {
		return p.move(ctx, s)
	}
	r, err := a.Search(ctx, s)
	return r.Move, err
}

// SearchUninterrupted searches s with a. It returns ctx.Err() if ctx ended during the search, because the result
// of an interrupted search depends on when it was interrupted.
func SearchUninterrupted(ctx context.Context, a Agent, s game.State) (Result, error) {
	r, err := a.Search(ctx, s)
	return r, cmp.Or(err, ctx.Err())
}

// A Limiter is an Agent whose limits can be changed between searches. depth is a number of
// decisions, and 0 means no limit. With neither limit, a search ends with its context or at the end
// of the game.
type Limiter interface {
	Agent
	Limit(depth int, nodes int64)
}

// Close releases the resources of an agent other than memory, such as an engine's process. Most
// agents hold none. A closed agent must not be used again.
func Close(a Agent) {
	if c, ok := a.(io.Closer); ok {
		c.Close()
	}
}

// A Starter is an agent that may be slow or fail to start, such as an external program. Start waits
// until the agent is ready. It returns an error if the agent cannot play.
type Starter interface {
	Start(context.Context) error
}

// Start calls a's Start method if a is a [Starter].
func Start(ctx context.Context, a Agent) error {
	if s, ok := a.(Starter); ok {
		return s.Start(ctx)
	}
	return nil
}

// ErrResigned is the error returned by a search if the agent resigns the game.
var ErrResigned = errors.New("resigns")

// Result is the result of a search.
type Result struct {
	Move  game.Move // game.NoMove if the root is finished or a chance node
	Value float64   // value to the mover, or to player 0 at a chance node or a finished root
	// Values contains the expected utility of each player.
	Values []float64
	// Depth is the number of decisions searched, that is, the horizon of the last completed
	// iteration.
	//
	// If the value does not rest on any estimate, Depth is the depth of the proof, including proofs
	// stored in the table. It is then at least the depth of the shallowest proof and at most the
	// horizon. The order of moves determines which of several proofs is found. Depth can exceed the
	// longest line of play only because of an end solver, a stored proof of 63 decisions or more,
	// or the two decisions that a game's own pruning looks ahead.
	Depth int
	Nodes int64 // positions visited by the value search, including the root
	PV    []game.Move

	// Best lists all moves whose value is within 1e-9*max(1,|Value|) of the best. It is empty
	// unless requested. Move is always one of the moves that are equal up to rounding. Among
	// certain wins it is one of the shortest, and among certain losses one of the longest. Lengths
	// are counted in decisions against the best defence and the worst luck. BestNodes is the number
	// of nodes visited to find Best and to choose Move.
	Best      []game.Move
	BestNodes int64

	// Root lists the root's moves in the game's order. Their values are the mover's, exact or
	// bounds.
	Root []RootMove

	// Exact reports whether the value is proved. It is proved if it does not depend on an
	// evaluation, a limit or an unproven cut at a chance node, or if it is a forced win or loss.
	Exact   bool
	Elapsed time.Duration // duration of the value search alone
	Stats   Stats
}

// A RootMove is a move at the root with its value.
type RootMove struct {
	Move  game.Move
	Value float64
	Kind  Bound
}

// Stats contains the counters of a search. If the evaluation searches the tree itself, its work is
// included.
type Stats struct {
	Evaluations int64
	Probes      int64 // lookups in the transposition table, or in the evaluation's table
	Hits        int64 // lookups that found the position
	TableCuts   int64 // lookups that made a search unnecessary
	BetaCuts    int64 // cutoffs at decision nodes
	ChanceCuts  int64 // cutoffs at chance nodes
}

// with returns s with its number of evaluations taken from e.
func (s Stats) with(e *position.Effort) Stats {
	s.Evaluations = e.Evaluations
	return s
}

// A Factory creates agents that all play alike, one for each goroutine. Matches, self-play and
// experiments take a Factory instead of an agent.
type Factory struct {
	Name string // used in results and messages
	// Identity distinguishes the factory in files from others with the same name. It consists of
	// the agent's spec and the digests of its models. Factories with equal identities create agents
	// that play alike. If empty, Name is the identity.
	Identity string
	// New creates another agent. If the agent is an io.Closer, the code that called New must close
	// it.
	New func() (Agent, error)
	// Unrepeatable is set if the agent's moves vary from run to run, because of a time limit,
	// several threads or an external program. Such agents cannot generate data sets.
	Unrepeatable bool
	// Files returns the files that another process needs to create such agents by their Identity,
	// such as models, by digest. If nil, only this process can create them.
	Files func() (map[string][]byte, error)
}

// ID returns f.Identity, or f.Name if there is none.
func (f Factory) ID() string {
	if f.Identity != "" {
		return f.Identity
	}
	return f.Name
}

// Packed is the prefix of agents' files in a job. The digest in the agent's spec follows it.
const Packed = "agents/"

// Pack adds agents, and the files they need, to a job for other processes. It returns an error if
// an agent would not play the same way there.
func Pack(job *work.Job, files work.Memory, agents ...Factory) error {
	if job.Files == nil {
		job.Files = map[string]string{}
	}
	job.Agents = nil
	for _, f := range agents {
		switch {
		case f.Unrepeatable:
			return fmt.Errorf("agent %s: plays differently on each machine; use nodes= instead of a time limit, one thread and no external program", f.Name)
		case f.Files == nil:
			return fmt.Errorf("agent %s: exists only in this process; run the job without other workers", f.Name)
		}
		own, err := f.Files()
		if err != nil {
			return fmt.Errorf("agent %s: %w", f.Name, err)
		}
		for name, data := range own {
			job.Files[Packed+name] = files.Add(data)
		}
		job.Agents = append(job.Agents, f.ID())
	}
	return nil
}

// Unpack recreates a job's world and agents in another process. See
// [plyfit/catalog.Catalog.Unpack].
type Unpack func(job *work.Job, files work.Files) (*game.Game, []Factory, error)
