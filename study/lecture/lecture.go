// Package lecture computes the Pacman table of Berkeley's CS188 lecture on adversarial search and
// uncertainty. The table contains Pacman's score for each assumption about the ghost and each kind
// of ghost.
//
// A [Chase] is a cell of the table. It consists of a board, a [Planner] for Pacman that uses
// [Evaluation] at the leaves, and ghosts that mix the moves of a [Ghost] with random moves.
// [Chase.Expect] computes the exact expectation, and [Chase.Play] plays a single game. A [Walk]
// chooses among equally good moves and counts how often Pacman turns back.
package lecture

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"plyfit/game"
	"plyfit/game/pacman"
	"plyfit/game/play"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/policy"
)

const (
	// The lecture's boards.
	Board    = "pacman:layout=lecture,stop=off"                                   // board of the table
	Corridor = "pacman:layout=trapped"                                            // board on which two random ghosts close in on Pacman
	Dots     = "pacman:layout=%%%%%%%%%%%%%/%____P.____.%/%%%%%%%%%%%%%,stop=off" // board with one dot next to Pacman and one far away

	Depth = 4 // number of rounds that Pacman searches ahead in the table
)

// A Planner specifies Pacman's search and its assumption about the ghosts.
type Planner string

const (
	Minimax    Planner = "minimax"                    // assumes that the ghosts play against Pacman
	Expectimax Planner = "expectimax, uniform ghost"  // assumes that the ghosts move at random
	Informed   Planner = "expectimax, the true ghost" // assumes the true behaviour of the ghosts
)

// Published contains the mean scores published in the lecture, each over five games, by planner and
// by the fraction of planned ghost moves.
var Published = map[Planner]map[float64]string{
	Minimax:    {1: "483", 0: "493"},
	Expectimax: {1: "-303", 0: "503"},
}

// A Chase is a game of Pacman that is played between policies. It must be used from a single
// goroutine.
type Chase struct {
	Start          *pacman.State // Pacman must be to move
	Player, Ghosts game.Policy
	Agent          search.Agent // the planner's agent; only the policies are needed to play

	moves []game.Move
	probs []float64
}

// NewChase returns a Chase that begins at the start of o.Game. The ghosts play the move of a
// [Ghost] with probability planned, and a random move otherwise. If o.Eval is nil, [Evaluation] is
// used; if o.Depth is 0, [Depth] is used. Pacman's equally good moves have equal probabilities.
// NewChase returns an error for worlds with slips or an adversary.
func NewChase(o search.Options, planner Planner, planned float64) (*Chase, error) {
	start, ok := o.Game.New().(*pacman.State)
	if !ok {
		return nil, fmt.Errorf("game %s: want Pacman without slip or adversary", o.Game.Spec)
	}
	ghosts, err := policy.NewMix([]float64{planned, 1 - planned}, []game.Policy{&Ghost{}, policy.Uniform{}})
	if err != nil {
		return nil, err
	}
	if o.Eval == nil {
		o.Eval = Evaluation{}
	}
	o.Depth, o.Complete = cmp.Or(o.Depth, Depth), true
	make := search.NewExpectimax
	switch planner {
	case Expectimax:
	case Minimax:
		make = search.NewAlphaBeta
	case Informed:
		o.Assume = assume.Assumption{Kind: assume.Policy, Policy: ghosts}
	default:
		panic("lecture: unknown planner " + string(planner))
	}
	agent, err := make(o)
	if err != nil {
		return nil, err
	}
	player := policy.FromAgent(agent, o.Game)
	player.Split = true
	return &Chase{Start: start, Agent: agent, Player: player, Ghosts: ghosts}, nil
}

// Play plays a game of at most limit plies, counting both Pacman's moves and the ghosts'. It
// returns the last position and the number of Pacman's moves. It returns an error only if ctx is
// done.
func (c *Chase) Play(ctx context.Context, random *rand.Rand, limit int) (end *pacman.State, moves int, err error) {
	draw := func(s game.State) game.Move {
		moves, probs := c.odds(s)
		return moves[policy.Draw(probs, random)]
	}
	e := play.Episode{Luck: play.LuckFunc(draw)}
	e.Begin(c.Start.Clone(), 0, limit)
	for ctx.Err() == nil && e.Next() {
		e.Play(draw(e.State))
	}
	return e.State.(*pacman.State), e.Decisions, ctx.Err()
}

// odds returns the moves at s and their probabilities. The next call overwrites both.
func (c *Chase) odds(s game.State) ([]game.Move, []float64) {
	mover := c.Player
	if s.Turn() == game.Chance {
		mover = c.Ghosts
	}
	c.moves = s.Moves(c.moves[:0])
	c.probs = mover.Probs(s, c.moves, c.probs[:0])
	return c.moves, c.probs
}

// Expectation is the exact expected outcome of a [Chase].
type Expectation struct {
	Score  float64 // expected score at the end or at the limit
	Won    float64 // probability that Pacman wins
	Lost   float64 // probability that Pacman is caught; the remaining games are truncated
	Moves  float64 // expected number of Pacman's moves
	States int     // number of reachable situations, excluding finished games
}

// Finished games have smaller numbers than all situations.
const (
	won = iota
	lost
	ends
)

type link struct {
	to   int
	prob float64
	gain float64 // of the score
}

// Expect computes the expected outcome by following the probabilities of all situations. A
// situation is a position without its score. The policies must not depend on the score; each is
// queried once per situation. Games are truncated when Pacman has made as many moves as the limit
// allows, or when finished games have all but 1e-13 of the probability. A limit of 0 means no
// limit; in that case, Expect does not return if the policies can move in cycles forever.
func (c *Chase) Expect(limit int) Expectation {
	known := map[uint64]int{}
	states, links := make([]*pacman.State, ends), make([][]link, ends)
	find := func(s *pacman.State) int {
		switch {
		case s.Turn() == game.Nobody && s.Won():
			return won
		case s.Turn() == game.Nobody:
			return lost
		}
		i, ok := known[s.Situation()]
		if !ok {
			i = len(states)
			known[s.Situation()] = i
			states = append(states, s.Clone().(*pacman.State))
		}
		return i
	}
	for i := find(c.Start); i < len(states); i++ {
		s := states[i]
		states[i] = nil // only the links are needed from here on
		var out []link
		moves, probs := c.odds(s)
		before := s.Score(0)
		for k, m := range moves {
			if probs[k] > 0 {
				s.Play(m)
				out = append(out, link{find(s), probs[k], s.Score(0) - before})
				s.Undo()
			}
		}
		links = append(links, out)
	}
	out := Expectation{Score: c.Start.Score(0), States: len(links) - ends}
	now, next := make([]float64, len(links)), make([]float64, len(links))
	now[ends] = 1
	for moves, going := 0, 1.0; going > 1e-13 && (limit == 0 || moves < limit); moves++ {
		out.Moves += going
		// Pacman moves, then each ghost.
		for range 1 + c.Start.Ghosts() {
			copy(next, now[:ends])
			clear(next[ends:])
			going = 0
			for i, p := range now {
				for _, l := range links[i] {
					q := float64(p * l.prob)
					out.Score += float64(q * l.gain)
					next[l.to] += q
					if l.to >= ends {
						going += q
					}
				}
			}
			now, next = next, now
		}
	}
	out.Won, out.Lost = now[won], now[lost]
	return out
}

// Ties specifies the choice among equally good moves.
type Ties string

const (
	AnyTie Ties = "drawn"    // a random move
	GoOn   Ties = "going on" // the previous direction if possible, otherwise a move that neither reverses nor stops
)

// Walk contains statistics of Pacman's moves in a game.
type Walk struct {
	Moves    int `json:"moves"`    // number of moves
	Reversed int `json:"reversed"` // moves opposite to the previous step
	Tied     int `json:"tied"`     // reversals despite an equally good alternative
	Stopped  int `json:"stopped"`

	last game.Move // previous step
}

// Choose selects one of the best moves and counts it. The parameter n is the index of the move for
// [AnyTie].
func (w *Walk) Choose(best []game.Move, ties Ties, n int) game.Move {
	last, back := game.NoMove, game.NoMove
	if w.Moves > w.Stopped {
		last, back = w.last, pacman.Reverse(w.last)
	}
	if ties == GoOn {
		if n = slices.Index(best, last); n < 0 {
			n = max(0, slices.IndexFunc(best, func(m game.Move) bool { return m != back && m != pacman.Stop }))
		}
	}
	m := best[n]
	w.Moves++
	switch m {
	case pacman.Stop:
		w.Stopped++
		return m
	case back:
		w.Reversed++
		if len(best) > 1 {
			w.Tied++
		}
	}
	w.last = m
	return m
}
