package game

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/list"
)

// A Player is a player's number, from 0 to n-1, or one of the special values Chance and Nobody.
type Player int8

const (
	Chance Player = -1 // nature is to move
	Nobody Player = -2 // the game is over
)

// A Move is an opaque code that only its game can interpret. It is legal in the position whose
// Moves method listed it, and has no meaning elsewhere.
type Move uint32

// NoMove represents the absence of a move, for example at a finished root or before a search has
// visited any positions. No game may use it as a move.
const NoMove Move = math.MaxUint32

// A State is a position that Play and Undo change in place. An implementation is therefore a
// pointer. Neither method allocates once the buffers are large enough. A State must not be used by
// more than one goroutine at a time. Clone makes a copy for another goroutine.
type State interface {
	// Turn returns the player to move, Chance, or Nobody if the game is over.
	Turn() Player
	// Moves appends the legal moves (or nature's moves) to dst, in an order that is always the same
	// for the same position. There are none if and only if the game is over.
	Moves(dst []Move) []Move
	// Play makes a move that Moves lists here. The effect of any other move is undefined.
	Play(m Move)
	// Undo undoes the last Play. It panics if there is nothing to undo.
	Undo()
	// Utility returns player p's result, in the game's units, once the game is over. Before the
	// end, it is undefined.
	Utility(p Player) float64
	// Hash returns a hash of everything that affects the rest of the game, including repetitions.
	// Equal positions have equal hashes in every process.
	Hash() uint64
	// Clone returns an independent copy. The copy has no moves to undo, but it remembers
	// repetitions.
	Clone() State
	// String returns the whole position on one line, in the usual notation. Game.Parse reads it.
	String() string
	// MoveString returns a move of this position in the usual notation. Game.ParseMove reads it.
	MoveString(m Move) string
}

// StepBack implements [State.Undo] for a game that counts the calls of Play. It decrements ply, and
// panics with the name of the game if ply is first.
func StepBack(ply *int, first int, name string) {
	if *ply <= first {
		panic(name + ": Undo at the first position")
	}
	*ply--
}

// A Policy describes how a player plays. Ghosts, opponents and mixtures of agents are policies.
type Policy interface {
	// Probs appends to dst the probability of each of the given legal moves, in the same order. The
	// probabilities sum to 1. Probs leaves s unchanged.
	Probs(s State, moves []Move, dst []float64) []float64
}

// An Interruptible is a [Policy] that searches and may therefore take a long time.
type Interruptible interface {
	Policy
	// ProbsWithin is like Probs, but stops when ctx is done. In that case, it returns an error and
	// leaves s unchanged.
	ProbsWithin(ctx context.Context, s State, moves []Move, dst []float64) ([]float64, error)
}

// ProbsWithin calls p.ProbsWithin if p is [Interruptible]. Otherwise, it calls p.Probs, which is
// expected to be fast.
func ProbsWithin(ctx context.Context, p Policy, s State, moves []Move, dst []float64) ([]float64, error) {
	if i, ok := p.(Interruptible); ok {
		return i.ProbsWithin(ctx, s, moves, dst)
	}
	return p.Probs(s, moves, dst), nil
}

// A Bound is the relation between the value that a search returns and the true value.
type Bound int8

const (
	Exact Bound = iota
	Lower       // the true value is at least this
	Upper       // the true value is at most this
)

func (b Bound) String() string {
	switch b {
	case Exact:
		return "exact"
	case Lower:
		return "lower"
	case Upper:
		return "upper"
	}
	return "unknown"
}

// A Sum describes what the players' utilities at the end of a game add up to.
type Sum int8

const (
	Zero     Sum = iota // always zero
	Constant            // always the same number
	General             // no fixed sum; also used for single-player games
)

// A Shape contains what a search needs to know about a game before it begins.
type Shape struct {
	Players  int
	Sum      Sum
	Min, Max float64 // bounds of any player's Utility, in the game's units
}

// A Game creates positions. The game's package sets its fields once. They must not be modified
// afterwards.
type Game struct {
	Name string // name without options, such as "2048"; models belong to this name
	Spec string // name with options and wrappers, as users write it: "2048:size=3+adversary"
	Doc  string // one line about the game and its options

	Players  int
	Sum      Sum
	Min, Max float64 // bounds of any player's Utility; infinite if there are none

	// Hidden reports whether the game has imperfect information. If so, all its states implement
	// [HiddenState].
	Hidden bool

	// Seats lists the players' names, such as White and Black. If nil, the players are called
	// player 0, player 1 and so on. See [Game.Seat].
	Seats []string

	// Colours lists the names of the players used next to pictures ([Illustrator]), such as Red and
	// Yellow, if they differ from Seats. If nil, Seats is used. See [Game.Side].
	Colours []string

	// MaxPlies is the maximum number of calls to Play in an episode, including nature's moves. A
	// longer episode is cut off and recorded as truncated, and its result is never used as a label.
	// MaxPlies is positive for every game.
	MaxPlies int

	// Formats lists the file formats that are specific to the game (see [FormatsOf]).
	Formats []Format

	// Pawns reports whether values are usually given in hundredths of a pawn. Such values are
	// scaled using Elo ratings.
	Pawns bool

	// Swing is an amount by which a quiet move hardly ever changes the value of a position, or 0 if
	// unknown. Selective searches use it to decide which moves to skip.
	Swing float64

	// Dialects describes how positions and moves are sent to other programs (see [Game.Dialect]).
	Dialects []Dialect

	// Inside is the game inside the outermost wrapper, or nil if there is no wrapper. See
	// [Game.Base].
	Inside *Game

	New       func() State                      // S0; a random start is a chance node
	Parse     func(string) (State, error)       // reads the output of String
	ParseMove func(State, string) (Move, error) // reads the output of MoveString for a legal move in the State

	// CutLabel splits a line into the position and the label that may follow it, which Parse
	// ignores. If CutLabel is nil, Parse rejects labels, and [Game.Cut] finds them by their
	// punctuation.
	CutLabel func(line string) (position, label string)

	// Ignored returns the part of a position's text that Parse ignores, such as a match score, or
	// "" if there is none. If Ignored is nil, Parse ignores nothing.
	Ignored func(position string) string
}

// Base returns g without its wrappers. Its states are those returned by the function [Base]. The
// number of players and the bounds of utility may differ from g's.
func (g *Game) Base() *Game {
	for g.Inside != nil {
		g = g.Inside
	}
	return g
}

// Chancy reports whether nature moves at random, so that the same choices can lead to different
// games.
func (g *Game) Chancy() bool {
	s := g.New()
	_, hostile := As[*Adversary](s)
	_, chance := As[Chancer](s)
	return chance && !hostile
}

// FixedSum reports whether player 0's utility determines the utilities of all players. This is the
// case for one player and for two players with a constant sum. Player 1's utility is total minus
// player 0's utility. For one player and in zero-sum games, total is 0.
func (g *Game) FixedSum() (total float64, ok bool) {
	switch {
	case g.Players == 1, g.Players == 2 && g.Sum == Zero:
		return 0, true
	case g.Players == 2 && g.Sum == Constant:
		return g.Min + g.Max, true
	}
	return 0, false
}

// CheckOutcome returns an error if the given utilities are impossible at the end of the game: their
// number is wrong, one of them is out of bounds, or their sum is not the game's.
func (g *Game) CheckOutcome(utilities []float64) error {
	if len(utilities) != g.Players {
		return fmt.Errorf("an outcome for each of %d players, not %v", g.Players, utilities)
	}
	sum := 0.0
	for _, u := range utilities {
		if !(u >= g.Min && u <= g.Max) {
			return fmt.Errorf("utilities of %s from %v to %v, not %v", g.Name, g.Min, g.Max, u)
		}
		sum += u
	}
	total, fixed := 0.0, g.Sum == Zero && g.Players > 1
	if g.Sum == Constant {
		total, fixed = g.Min+g.Max, g.Players == 2
	}
	if fixed && math.Abs(sum-total) > 1e-9*(g.Max-g.Min) {
		return fmt.Errorf("utilities of %s that sum to %v, not %v", g.Name, total, utilities)
	}
	return nil
}

// Seat returns the name of player p.
func (g *Game) Seat(p Player) string {
	if p >= 0 && int(p) < len(g.Seats) {
		return g.Seats[p]
	}
	return fmt.Sprintf("player %d", p)
}

// Side returns the name of player p for use next to a picture: the player's colour if there is one,
// and otherwise the result of Seat.
func (g *Game) Side(p Player) string {
	if p >= 0 && int(p) < len(g.Colours) {
		return g.Colours[p]
	}
	return g.Seat(p)
}

// Shape returns the game's number of players, sum and bounds.
func (g *Game) Shape() Shape { return Shape{g.Players, g.Sum, g.Min, g.Max} }

// ShapeOf returns the shape of s, a position of g. If s is a [Shaper], this is its own shape, and
// otherwise it is the game's.
func ShapeOf(g *Game, s State) Shape {
	if sh, ok := As[Shaper](s); ok {
		return sh.Shape()
	}
	return g.Shape()
}

// A Wrapper is a State that contains another State. See [Slip] and [Adversary].
type Wrapper interface {
	State
	// Unwrap returns the State inside. It is the same object throughout the wrapper's life, and
	// changes with it.
	Unwrap() State
}

// As returns the first state that implements T, starting with s and continuing with the states
// inside it. ok is false if there is none.
func As[T any](s State) (t T, ok bool) {
	for {
		if t, ok = s.(T); ok {
			return t, true
		}
		w, wrapped := s.(Wrapper)
		if !wrapped {
			return t, false
		}
		s = w.Unwrap()
	}
}

// Base returns s without its wrappers. The result remains valid while s plays and undoes moves.
func Base(s State) State {
	for {
		w, wrapped := s.(Wrapper)
		if !wrapped {
			return s
		}
		s = w.Unwrap()
	}
}

// FindMove returns the legal move of s whose MoveString is text, or an error that lists the legal
// moves. It serves as ParseMove for games in which MoveString is the only notation.
func FindMove(s State, text string) (Move, error) {
	moves := s.Moves(nil)
	for _, m := range moves {
		if s.MoveString(m) == text {
			return m, nil
		}
	}
	return NoMove, &MoveError{Text: text, Legal: list.Map(moves, s.MoveString)}
}

// OneMove returns the only legal move m of s for which fits(m) is true. If there is no such move or
// more than one, it returns an error that lists the matching moves, or all moves if none matches.
// text is the move as it appears in the error.
func OneMove(s State, text string, fits func(m Move) bool) (Move, error) {
	moves := s.Moves(nil)
	fitting := slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return !fits(m) })
	switch len(fitting) {
	case 0:
		fitting = moves
	case 1:
		return fitting[0], nil
	}
	return NoMove, &MoveError{Text: text, Legal: list.Map(fitting, s.MoveString)}
}

// Drawless is implemented by a State whose draws by material, repetition or clock can be switched
// off. Published perft counts ignore such draws.
type Drawless interface {
	// WithoutDraws returns a copy of the position in which the game ends only when there are no
	// legal moves.
	WithoutDraws() State
}

// Perft counts the sequences of exactly depth moves from s, including nature's moves. It plays
// every move. Sequences in which the game ends earlier do not count. For depth 0, the result is 1.
// buffers holds the moves at each ply and may be nil. Passing the same buffers again avoids
// allocations.
func Perft(s State, depth int, buffers [][]Move) int64 {
	if depth <= 0 {
		return 1
	}
	for len(buffers) < depth {
		buffers = append(buffers, make([]Move, 0, 64))
	}
	moves := s.Moves(buffers[depth-1][:0])
	buffers[depth-1] = moves
	var leaves int64
	for _, m := range moves {
		s.Play(m)
		if depth == 1 {
			leaves++
		} else {
			leaves += Perft(s, depth-1, buffers[:depth-1])
		}
		s.Undo()
	}
	return leaves
}
