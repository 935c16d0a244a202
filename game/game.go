package game

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/list"
)

// Player numbers the players 0..n-1; Chance and Nobody are the two others that Turn can name.
type Player int8

const (
	Chance Player = -1 // nature is to move
	Nobody Player = -2 // the game is over
)

// Move is opaque: only its game can read it. A move is legal in the position
// whose Moves listed it and means nothing elsewhere.
type Move uint32

// NoMove stands where there is no move to tell: at a finished root, before a
// search has visited anything. No game may use it as a move.
const NoMove Move = math.MaxUint32

// State is a position changed in place, so a pointer: Play and Undo, no allocation once buffers are
// large enough. A State belongs to one goroutine; Clone makes one for another.
type State interface {
	// Turn is the player to move, Chance, or Nobody when the game is over.
	Turn() Player
	// Moves appends the legal moves (or nature's) to dst, always in the same
	// order for the same position; none if and only if the game is over.
	Moves(dst []Move) []Move
	// Play makes a move that Moves lists here; others have undefined results.
	Play(m Move)
	// Undo takes the last Play back; it panics when there is none.
	Undo()
	// Utility is what player p gets, in the game's units, once the game is
	// over. Before that its result is undefined.
	Utility(p Player) float64
	// Hash covers everything that the future depends on, repetition included:
	// equal positions have equal hashes in every process.
	Hash() uint64
	// Clone is an independent copy: nothing to undo, but repetition is remembered.
	Clone() State
	// String is the whole position on one line, in the field's notation; Game.Parse reads it.
	String() string
	// MoveString is a move of this position in the field's notation; Game.ParseMove reads it.
	MoveString(m Move) string
}

// Policy is how someone plays: ghosts, opponents, a mixture of agents.
type Policy interface {
	// Probs appends to dst the probability of each of the moves, all legal at
	// s, in their order; they sum to 1. It leaves s as it found it.
	Probs(s State, moves []Move, dst []float64) []float64
}

// Interruptible is a [Policy] that searches, so that an answer may take long.
type Interruptible interface {
	Policy
	// ProbsWithin is Probs as long as ctx lasts. Where ctx ends before there is an
	// answer, it returns an error, and s is as it was.
	ProbsWithin(ctx context.Context, s State, moves []Move, dst []float64) ([]float64, error)
}

// ProbsWithin asks p as long as ctx lasts, where p can be interrupted; all others answer at once.
func ProbsWithin(ctx context.Context, p Policy, s State, moves []Move, dst []float64) ([]float64, error) {
	if i, ok := p.(Interruptible); ok {
		return i.ProbsWithin(ctx, s, moves, dst)
	}
	return p.Probs(s, moves, dst), nil
}

// Bound says what a value of a search is: the truth, or a side of it.
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

// Sum says what the players' utilities of a finished game add up to.
type Sum int8

const (
	Zero     Sum = iota // always 0
	Constant            // always the same number
	General             // anything; games of one player, too
)

// Shape is what a search must know of a game before it begins.
type Shape struct {
	Players  int
	Sum      Sum
	Min, Max float64 // bounds of any player's Utility, in the game's units
}

// Game makes positions. Its fields are set once by the game's package and only read afterwards.
type Game struct {
	Name string // the game's name without options: "2048"; models belong to it
	Spec string // with options and wrappers, as a user writes it: "2048:size=3+adversary"
	Doc  string // one line on the game and its options

	Players  int
	Sum      Sum
	Min, Max float64 // bounds of any player's Utility; infinite where there are none

	// Hidden says that this is a game of imperfect information: all states are
	// of the type [HiddenState].
	Hidden bool

	// Seats are what the players are called, as White and Black; nil: player 0,
	// player 1. See [Game.Seat].
	Seats []string

	// Colours are the players in pictures ([Illustrator]), Red and Yellow, if text names them
	// otherwise; nil: as Seats. See [Game.Side].
	Colours []string

	// MaxPlies is the number of calls of Play, nature's included, after which an episode is cut off
	// and recorded as truncated; its end is then never a label. Positive for every game.
	MaxPlies int

	// Formats are the field's own ways to write games down; see [FormatsOf].
	Formats []Format

	// Pawns says that people tell a value as hundredths of a pawn, on which Elo's scale
	// is modelled.
	Pawns bool

	// Swing is what a quiet move hardly ever changes the value of a position by; 0: not
	// known. Searches that may guess leave moves out by it.
	Swing float64

	// Dialects are how positions and moves are sent to other programs; see [Game.Dialect].
	Dialects []Dialect

	// Inside is the game that a world was made of, without its last
	// wrapper; nil for a game as it is. See [Game.Base].
	Inside *Game

	New       func() State                      // S0; a random start is a chance node
	Parse     func(string) (State, error)       // reads what String prints
	ParseMove func(State, string) (Move, error) // reads what MoveString prints, for a legal move of the State

	// CutLabel takes a line apart that may have a label behind the position, which Parse
	// passes over; nil: Parse refuses labels, and [Game.Cut] finds them by their signs.
	CutLabel func(line string) (position, label string)

	// Ignored names what a position's text says and Parse leaves out, such as a match
	// score, "" where that is nothing; nil: never anything.
	Ignored func(position string) string
}

// Base is g without its wrappers: the game whose states [Base] gives, with its
// own number of players and bounds of utility.
func (g *Game) Base() *Game {
	for g.Inside != nil {
		g = g.Inside
	}
	return g
}

// Chancy reports whether nature moves by chance, so that the same moves lead to other games.
func (g *Game) Chancy() bool {
	s := g.New()
	_, hostile := As[*Adversary](s)
	_, chance := As[Chancer](s)
	return chance && !hostile
}

// FixedSum reports whether one player's utility determines all: there is one player, or two with a
// constant sum. The second player gets total minus the first's; total is 0 with one player and in
// zero-sum games.
func (g *Game) FixedSum() (total float64, ok bool) {
	switch {
	case g.Players == 1, g.Players == 2 && g.Sum == Zero:
		return 0, true
	case g.Players == 2 && g.Sum == Constant:
		return g.Min + g.Max, true
	}
	return 0, false
}

// CheckOutcome reports utilities of the players that no end of the game gives: out of its
// bounds, or with another sum than the game's.
func (g *Game) CheckOutcome(utilities []float64) error {
	if len(utilities) != g.Players {
		return fmt.Errorf("an outcome for each of %d players, not %v", g.Players, utilities)
	}
	sum := 0.0
	for _, u := range utilities {
		if !(u >= g.Min && u <= g.Max) {
			return fmt.Errorf("utilities of %s, from %v to %v, not %v", g.Name, g.Min, g.Max, u)
		}
		sum += u
	}
	total, fixed := 0.0, g.Sum == Zero && g.Players > 1
	if g.Sum == Constant {
		total, fixed = g.Min+g.Max, g.Players == 2
	}
	if fixed && math.Abs(sum-total) > 1e-9*(g.Max-g.Min) {
		return fmt.Errorf("utilities of %s, whose sum is %v, not %v", g.Name, total, utilities)
	}
	return nil
}

// Seat is what player p is called.
func (g *Game) Seat(p Player) string {
	if p >= 0 && int(p) < len(g.Seats) {
		return g.Seats[p]
	}
	return fmt.Sprintf("player %d", p)
}

// Side is what player p is called beside a picture: by his colour where he has one,
// else as Seat has it.
func (g *Game) Side(p Player) string {
	if p >= 0 && int(p) < len(g.Colours) {
		return g.Colours[p]
	}
	return g.Seat(p)
}

// Shape is the game's own shape.
func (g *Game) Shape() Shape { return Shape{g.Players, g.Sum, g.Min, g.Max} }

// ShapeOf is the shape of s as a position of g: its own where it is a [Shaper], else the game's.
func ShapeOf(g *Game, s State) Shape {
	if sh, ok := As[Shaper](s); ok {
		return sh.Shape()
	}
	return g.Shape()
}

// Wrapper is a State around another: [Slip], [Adversary].
type Wrapper interface {
	State
	// Unwrap is the State inside. It is the same for the wrapper's whole life,
	// moving along with it.
	Unwrap() State
}

// As finds in s, or in the states it wraps, from the outside in, the first that
// has T; ok is false where none has.
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

// Base is s without its wrappers. It stays valid while s is played and undone.
func Base(s State) State {
	for {
		w, wrapped := s.(Wrapper)
		if !wrapped {
			return s
		}
		s = w.Unwrap()
	}
}

// FindMove is the ParseMove of games whose MoveString is the only spelling: the legal move of s
// that prints as text, or an error that lists what was expected.
func FindMove(s State, text string) (Move, error) {
	moves := s.Moves(nil)
	for _, m := range moves {
		if s.MoveString(m) == text {
			return m, nil
		}
	}
	return NoMove, &MoveError{Text: text, Legal: list.Map(moves, s.MoveString)}
}

// OneMove is the only legal move of s that fits text; the error lists those that fit it, all moves if
// there are none.
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

// Drawless is a State whose draws by material, repetition or clock can be
// switched off: published perft counts know none of them.
type Drawless interface {
	// WithoutDraws is a copy of the position in which only the end of moves ends the game.
	WithoutDraws() State
}

// Perft counts the paths of exactly depth calls of Play from s, nature's included, making every
// one; a finished game adds none. depth 0 is one path. Buffers hold the moves of each ply; passing
// the same again saves the allocation, nil is allowed.
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
