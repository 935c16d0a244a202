// Package search searches game trees with minimax, alpha-beta, expectimax with Star pruning and
// max^n, for any game that follows the contract of package game. Monte Carlo tree search is package
// mcts; ways to play without a search are package policy.
//
// The journey of a search:
//
//  1. A constructor ([NewAlphaBeta], [NewExpectimax], ...) makes an [Agent] from its options.
//  2. The position is bound once: what the game offers, and how the planner models nature
//     ([assume.Assumption]).
//  3. Without a fixed depth, iterative deepening computes the root's value with growing horizons.
//  4. The tree below is searched as in the textbook (minimax.go, expectimax.go), or fast, to the
//     same values (pvs.go, chance.go, star.go).
//  5. At the horizon an [Evaluator] values the position, after a quiescence search if requested.
//  6. Among moves of equal value the shortest certain win is chosen (best.go). The [Result] holds
//     the move, its value, and how it was found.
//
// Agents for any number of players ([NewMaxN], [NewParanoid]) have their own trees over the same
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
	// Begin starts an episode: it forgets earlier ones, and seed decides all random choices.
	Begin(seed uint64)
	// Search searches s and leaves it unchanged. A search that a limit stopped returns the best
	// move of the last finished depth, or a move that the next depth proved strictly better after
	// searching the former best as deep. If no depth was finished it returns the best move searched
	// so far, or ctx's error if ctx ended it. At a finished position the move is game.NoMove.
	Search(ctx context.Context, s game.State) (Result, error)
}

// Move is a's move at s, for callers who only play: some agents answer faster with a move alone.
func Move(ctx context.Context, a Agent, s game.State) (game.Move, error) {
	if p, ok := a.(*planner); ok {
		return p.move(ctx, s)
	}
	r, err := a.Search(ctx, s)
	return r.Move, err
}

// Whole is a's search of s, or ctx's error if ctx ended meanwhile: what a stopped search answers
// depends on when it was stopped.
func Whole(ctx context.Context, a Agent, s game.State) (Result, error) {
	r, err := a.Search(ctx, s)
	return r, cmp.Or(err, ctx.Err())
}

// Limiter is an Agent whose limits can be changed between two searches: depth in decisions, and
// nodes, 0 for no limit. Without either a search ends with its context or at the end of the game.
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
	// Depth is the number of decisions searched: the horizon of the last finished iteration. If no
	// estimate touched the value it is the depth of the proof, including what the table stored: at
	// least that of the shallowest proof, at most the horizon. It may exceed the longest line of
	// play only through an end solver, a stored proof of 63 decisions or more, or the two decisions
	// of a game's own pruning. The order of moves decides which of several proofs is found.
	Depth int
	Nodes int64 // visited by the value search, the root included
	PV    []game.Move

	// Best are all moves as good as the best, within 1e-9*max(1,|Value|); empty unless requested.
	// Move is one of those equal to the last digits: one of the shortest certain wins or longest
	// certain losses, in decisions against the best defence and the worst luck. BestNodes is the
	// cost of both.
	Best      []game.Move
	BestNodes int64

	// Root are the root's moves in the game's order with the mover's values, exact or bounds.
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

// Stats count what a search did. Where an evaluation searches the tree itself they count what it did.
type Stats struct {
	Evaluations int64
	Probes      int64 // of the transposition table, or of the evaluation's
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

// Factory makes agents that all play alike, one for each goroutine: what matches,
// self-play and experiments are given in place of one agent.
type Factory struct {
	Name string // as results and messages call it
	// Identity distinguishes it from others of the same name in files: an agent's spec with the
	// digests of its models. Equal identities play alike. "": Name.
	Identity string
	// New makes one more. An agent that is also an io.Closer is closed by whatever code
	// made it when it is needed no more.
	New func() (Agent, error)
	// Unrepeatable says that a limit by time, racing threads or a program of others
	// make the answers differ from run to run: such agents make no data sets.
	Unrepeatable bool
	// Files are what another process needs to make such agents by their Identity: models and the
	// like, by digest. nil: only this process can make them.
	Files func() (map[string][]byte, error)
}

// ID is Identity, or Name where there is none.
func (f Factory) ID() string {
	if f.Identity != "" {
		return f.Identity
	}
	return f.Name
}

// Packed prefixes agents' files in a job, before the digest in their specs.
const Packed = "agents/"

// Pack puts agents into a job that goes to other processes, with the files that they
// are made of. It refuses those who would not be the same there.
func Pack(job *work.Job, files work.Memory, agents ...Factory) error {
	if job.Files == nil {
		job.Files = map[string]string{}
	}
	job.Agents = nil
	for _, f := range agents {
		switch {
		case f.Unrepeatable:
			return fmt.Errorf("agent %s: plays otherwise on each machine: want no limit by time (nodes= is one by work), one thread and no program of others", f.Name)
		case f.Files == nil:
			return fmt.Errorf("agent %s: is known to this process only: want it to work here", f.Name)
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

// Unpack remakes a job's world and agents in another process: [plyfit/catalog.Catalog.Unpack].
type Unpack func(job *work.Job, files work.Files) (*game.Game, []Factory, error)
