package game

import (
	"fmt"
	"math"
)

// WithAdversary returns the game g with an adversary in place of nature. At every chance node, the
// opponent of the player returned by [Chancer.For] chooses the move. A single-player game gets a
// second player with the opposite utility. WithAdversary returns an error if g has hidden
// information, more than two players, a slip wrapper, or two players whose utilities do not sum to
// zero.
func WithAdversary(g *Game) (*Game, error) {
	switch {
	case g.Hidden:
		return nil, fmt.Errorf("+adversary: %s has hidden information, which +adversary does not support", g.Spec)
	case g.Players > 2:
		return nil, fmt.Errorf("+adversary: %s has %d players; want 1 or 2", g.Spec, g.Players)
	case g.Players == 2 && g.Sum != Zero:
		return nil, fmt.Errorf("+adversary: %s is not a zero-sum game", g.Spec)
	case g.slippery():
		return nil, fmt.Errorf("+adversary: %s already has +slip; use only one of the two", g.Spec)
	}
	w := *g
	w.Inside = g
	w.Spec = g.Spec + "+adversary"
	w.Players, w.Sum = 2, Zero
	if g.Players == 1 {
		w.Seats, w.Colours = []string{g.Seat(0), "nature"}, nil
		hi := math.Max(math.Abs(g.Min), math.Abs(g.Max))
		w.Min, w.Max = -hi, hi
	}
	w.New = func() State { return NewAdversary(g.New(), g.Players) }
	w.Parse = func(text string) (State, error) {
		s, err := g.Parse(text)
		if err != nil {
			return nil, err
		}
		if sh := ShapeOf(g, s); sh.Players != g.Players || sh.Sum != g.Sum {
			return nil, &PositionError{g.Name, text, -1, "a position for one player, or for two players whose utilities sum to 0 (required by +adversary)"}
		}
		return NewAdversary(s, g.Players), nil
	}
	w.ParseMove = func(s State, text string) (Move, error) {
		if a, ok := s.(*Adversary); ok {
			s = a.State
		}
		return g.ParseMove(s, text)
	}
	return &w, nil
}

func (g *Game) slippery() bool {
	_, ok := As[*Slip](g.New())
	return ok
}

// An Adversary is a position of a game in which an adversary chooses nature's moves. As[Chancer]
// still finds the probabilities of the wrapped state, so a planner can also treat the position as a
// chance node.
type Adversary struct {
	State
	solo bool // whether the game has a single player, so that nature becomes player 1, with the opposite utility
}

var (
	_ Wrapper = (*Adversary)(nil)
	_ Bounder = (*Adversary)(nil)
)

// NewAdversary wraps s, a state of a game with one or two players, and takes ownership of it.
func NewAdversary(s State, players int) *Adversary {
	return &Adversary{State: s, solo: players == 1}
}

func (a *Adversary) Unwrap() State { return a.State }

func (a *Adversary) Turn() Player {
	t := a.State.Turn()
	if t != Chance {
		return t
	}
	c, _ := As[Chancer](a.State)
	return 1 - c.For()
}

func (a *Adversary) Utility(p Player) float64 {
	if a.solo && p == 1 {
		return -a.State.Utility(0)
	}
	return a.State.Utility(p)
}

// Bounds returns the bounds of the wrapped state, or infinite bounds if it has none.
func (a *Adversary) Bounds(p Player) (lo, hi float64) {
	b, ok := As[Bounder](a.State)
	switch {
	case !ok:
		return math.Inf(-1), math.Inf(1)
	case a.solo && p == 1:
		lo, hi = b.Bounds(0)
		return -hi, -lo
	}
	return b.Bounds(p)
}

func (a *Adversary) Clone() State { return &Adversary{a.State.Clone(), a.solo} }

// NatureToMove reports whether nature is to move at s, even if an adversary chooses its move.
// Nature's moves never count towards a depth.
func NatureToMove(s State) bool {
	for {
		switch w := s.(type) {
		case *Adversary:
			return w.State.Turn() == Chance
		case Wrapper:
			if s.Turn() == Chance {
				return true
			}
			s = w.Unwrap()
		default:
			return s.Turn() == Chance
		}
	}
}

// Solo reports whether the wrapped game has only one player, which makes nature the second player.
func (a *Adversary) Solo() bool { return a.solo }
