// Package search searches game trees for any game that follows the contract of package game. It
// implements minimax, alpha-beta, expectimax with Star pruning, and max^n. Package mcts implements
// Monte Carlo tree search, and package policy implements agents that do not search.
//
// A search proceeds as follows:
//
//  1. A constructor ([NewAlphaBeta], [NewExpectimax], ...) creates an [Agent] from its options.
//  2. At the start of each search, the agent binds the position: it determines what the game offers
//     and how the planner models nature ([assume.Assumption]).
//  3. Without a fixed depth, iterative deepening computes the root's value with growing horizons.
//  4. The tree below the root is searched by a textbook algorithm (minimax.go, expectimax.go) or by
//     a fast one that normally computes the same values (pvs.go, chance.go, star.go).
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
	// Evaluate returns the expected utility of player p at the base state s, in the game's own
	// units. In a two-player zero-sum game, Evaluate(s,0) + Evaluate(s,1) must be 0.
	Evaluate(s game.State, p game.Player) float64
}

// A Tracker is an Evaluator that updates its value incrementally as moves are played and undone.
type Tracker interface {
	Evaluator
	Reset(s game.State)             // starts a new line at s
	Push(s game.State, m game.Move) // s is the position before m is played
	Pop()                           // undoes the last Push
}

// Zero returns an evaluation without any knowledge of the game. In games with a score it returns
// the current score. In other games it returns the middle of the utility range, or 0 if the range
// has no middle.
func Zero(g *game.Game) Evaluator { return position.Zero{Game: g} }

// Bound is the kind of a value: exact, a lower bound or an upper bound.
type Bound = game.Bound

const (
	Exact = game.Exact
	Lower = game.Lower
	Upper = game.Upper
)

// An Agent chooses moves. It must not be used by several goroutines at the same time.
type Agent interface {
	// Begin starts an episode. It discards everything remembered from earlier episodes. All random
	// choices in the episode are derived from seed.
	Begin(seed uint64)
	// Search searches s and leaves it unchanged. If a limit stops the search, Search returns the
	// best move of the last completed depth. If the search at the next depth had already revisited
	// that move and found a better one, it returns the better one. If no depth was completed, it
	// returns the best move searched so far, or ctx.Err() if ctx ended the search. At a finished
	// position the move is game.NoMove.
	Search(ctx context.Context, s game.State) (Result, error)
}

// Move returns a's move at s. Some agents can find the move faster than a full [Result].
func Move(ctx context.Context, a Agent, s game.State) (game.Move, error) {
	if p, ok := a.(*planner); ok {
		return p.move(ctx, s)
	}
	r, err := a.Search(ctx, s)
	return r.Move, err
}

// SearchUninterrupted searches s with the agent a. It returns ctx.Err() if ctx ended during the
// search, because the result of an interrupted search depends on when it was interrupted.
func SearchUninterrupted(ctx context.Context, a Agent, s game.State) (Result, error) {
	r, err := a.Search(ctx, s)
	return r, cmp.Or(err, ctx.Err())
}

// A Limiter is an Agent whose limits can be changed between searches. The parameter depth is a
// number of decisions, where 0 means no limit. Without any limit, a search ends when its context
// ends or when it reaches the end of the game.
type Limiter interface {
	Agent
	Limit(depth int, nodes int64)
}

// Close releases an agent's resources other than memory, such as an engine's process. Most agents
// have none. A closed agent must not be used again.
func Close(a Agent) {
	if c, ok := a.(io.Closer); ok {
		c.Close()
	}
}

// A Starter is an agent that may be slow to start or fail to start, such as an external program.
// Start waits until the agent is ready, and returns an error if the agent cannot play.
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
	Move  game.Move // best move, or game.NoMove if the root is finished or a chance node
	Value float64   // value to the mover, or to player 0 at a chance node or a finished root
	// Values contains the expected utility of each player.
	Values []float64
	// Depth is the number of decisions searched, that is, the horizon of the last completed
	// iteration.
	//
	// If the value does not rest on any estimate, Depth is the depth of the proof, which may
	// include proofs stored in the table. The order of moves determines which of several proofs is
	// found, so Depth may exceed the depth of the shallowest proof. It can exceed the longest line
	// of play only because of an endgame solver, a stored proof of 63 decisions or more, or a
	// game's own pruning, which looks two decisions ahead.
	Depth int
	Nodes int64 // positions visited by the value search, including the root
	PV    []game.Move

	// Best lists all moves whose value is within 1e-9*max(1,|Value|) of the best. It is empty
	// unless requested. Move is always a move whose value equals the best except for rounding.
	// Among certain wins it is one of the shortest, and among certain losses one of the longest.
	// The length of a win or loss is its number of decisions against the best defence and the worst
	// luck. BestNodes is the number of nodes visited to find Best and to choose Move.
	Best      []game.Move
	BestNodes int64

	// Root lists the root's moves in the game's order. Their values, from the mover's point of
	// view, are either exact values or bounds.
	Root []RootMove

	// Exact reports whether the value is proved. A value is proved if it is a forced win or loss,
	// or if it depends on no evaluation, no limit and no unproven cut at a chance node.
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

// with returns a copy of s that includes the number of evaluations counted by e.
func (s Stats) with(e *position.Effort) Stats {
	s.Evaluations = e.Evaluations
	return s
}

// A Factory creates agents that all play alike, usually one for each goroutine. Matches, self-play
// and experiments take a Factory instead of an agent.
type Factory struct {
	Name string // name in results and messages
	// Identity distinguishes the factory from others with the same name when it is written to
	// files. It consists of the agent's spec and the digests of its models. Factories with equal
	// identities create agents that play alike. If Identity is empty, Name is used instead.
	Identity string
	// New creates another agent. If the agent is an io.Closer, New's caller must close it.
	New func() (Agent, error)
	// Unrepeatable is set if the agent's moves may vary from run to run because of a time limit,
	// several threads or an external program. Such agents cannot generate data sets.
	Unrepeatable bool
	// Files returns the files, such as models, that another process needs to create the same agents
	// from their Identity. The keys are the files' digests. If Files is nil, only this process can
	// create the agents.
	Files func() (map[string][]byte, error)
}

// ID returns f.Identity, or f.Name if f.Identity is empty.
func (f Factory) ID() string {
	if f.Identity != "" {
		return f.Identity
	}
	return f.Name
}

// Packed is the prefix of the names given to agents' files in a job. The digest from the agent's
// spec follows it.
const Packed = "agents/"

// Pack adds agents and the files they need to a job for other processes. It returns an error if an
// agent would not play the same way there.
func Pack(job *work.Job, files work.Memory, agents ...Factory) error {
	if job.Files == nil {
		job.Files = map[string]string{}
	}
	job.Agents = nil
	for _, f := range agents {
		switch {
		case f.Unrepeatable:
			return fmt.Errorf("agent %s: the agent plays differently on each machine; use nodes= instead of a time limit, one thread and no external program", f.Name)
		case f.Files == nil:
			return fmt.Errorf("agent %s: the agent exists only in this process; run the job without other workers", f.Name)
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

// Unpack recreates a job's game and agents in another process. See [plyfit/catalog.Catalog.Unpack].
type Unpack func(job *work.Job, files work.Files) (*game.Game, []Factory, error)
