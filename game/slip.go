package game

import (
	"fmt"
	"math"
	"strings"
)

// WithSlip returns the game g with slips. With probability p (0 < p <= 1), a player's move is
// replaced by a move drawn uniformly from all legal moves, including the intended one. Every
// player's move is followed by a chance node, whose moves are the legal moves of the position
// before it.
func WithSlip(g *Game, p float64) (*Game, error) {
	if !(p > 0 && p <= 1) {
		return nil, fmt.Errorf("slip=%v: want a probability above 0 and at most 1", p)
	}
	if g.Hidden {
		return nil, fmt.Errorf("+slip: %s has hidden information, which +slip does not support", g.Spec)
	}
	if g.slippery() {
		return nil, fmt.Errorf("+slip: %s already has slip", g.Spec)
	}
	if _, hostile := As[*Adversary](g.New()); hostile {
		return nil, fmt.Errorf("+slip: %s already has +adversary; use only one of the two", g.Spec)
	}
	w := *g
	w.Inside = g
	w.Spec = fmt.Sprintf("%s+slip=%v", g.Spec, p)
	if w.MaxPlies <= math.MaxInt/2 {
		w.MaxPlies *= 2 // a decision takes two calls to Play
	}
	w.New = func() State { return NewSlip(g.New(), p) }
	w.Parse = func(text string) (State, error) {
		inner, intended, pending := strings.Cut(text, " ~")
		s, err := g.Parse(inner)
		if err != nil {
			return nil, err
		}
		slip := NewSlip(s, p)
		if pending {
			if s.Turn() < 0 {
				return nil, &PositionError{g.Name, text, len(inner), "no pending move, because no player is to move"}
			}
			m, err := g.ParseMove(s, intended)
			if err != nil {
				return nil, err
			}
			slip.Play(m)
			slip.undo = slip.undo[:0]
		}
		return slip, nil
	}
	w.ParseMove = func(s State, text string) (Move, error) {
		if slip, ok := s.(*Slip); ok {
			s = slip.State
		}
		return g.ParseMove(s, text)
	}
	return &w, nil
}

// A Slip is a position of a game with slips. It consists of the wrapped state and, if a move has
// been chosen but may still slip, that move.
type Slip struct {
	State // position in which the move is chosen
	p     float64

	intended Move // NoMove if none is pending
	legal    int  // number of legal moves when the intended move was chosen
	undo     []slipUndo
	scratch  []Move
}

type slipUndo struct {
	intended Move
	legal    int
}

var (
	_ Wrapper = (*Slip)(nil)
	_ Chancer = (*Slip)(nil)
)

// NewSlip wraps s and takes ownership of it. Each move slips with probability p.
func NewSlip(s State, p float64) *Slip { return &Slip{State: s, p: p, intended: NoMove} }

func (s *Slip) Unwrap() State { return s.State }

// Probability returns the probability that a move slips.
func (s *Slip) Probability() float64 { return s.p }

// Intended returns the move that has been chosen but may still slip. ok is false if there is none.
func (s *Slip) Intended() (m Move, ok bool) { return s.intended, s.intended != NoMove }

func (s *Slip) Turn() Player {
	if s.intended != NoMove {
		return Chance
	}
	return s.State.Turn()
}

func (s *Slip) Play(m Move) {
	s.undo = append(s.undo, slipUndo{s.intended, s.legal})
	switch {
	case s.intended != NoMove:
		s.intended = NoMove
		s.State.Play(m)
	case s.State.Turn() == Chance:
		s.State.Play(m)
	default:
		s.scratch = s.State.Moves(s.scratch[:0])
		s.intended, s.legal = m, len(s.scratch)
	}
}

func (s *Slip) Undo() {
	if len(s.undo) == 0 {
		panic("game: Undo at the first position")
	}
	last := s.undo[len(s.undo)-1]
	s.undo = s.undo[:len(s.undo)-1]
	// Choosing a move is the only kind of Play that does not change the wrapped state.
	if chose := last.intended == NoMove && s.intended != NoMove; !chose {
		s.State.Undo()
	}
	s.intended, s.legal = last.intended, last.legal
}

func (s *Slip) Prob(m Move) float64 {
	if s.intended == NoMove {
		c, _ := As[Chancer](s.State)
		return c.Prob(m)
	}
	p := s.p / float64(s.legal)
	if m == s.intended {
		p += 1 - s.p
	}
	return p
}

func (s *Slip) For() Player {
	if s.intended == NoMove {
		c, _ := As[Chancer](s.State)
		return c.For()
	}
	return s.State.Turn()
}

// slipSalt contains the first 64 bits of the fractional part of the square root of 2.
const slipSalt = 0x6a09e667f3bcc908

func (s *Slip) Hash() uint64 {
	h := s.State.Hash()
	if s.intended != NoMove {
		// The salt separates these hashes from those of games that directly use the Mix of a small
		// number.
		h = Mix(h ^ Mix(slipSalt+uint64(s.intended)))
	}
	return h
}

func (s *Slip) Clone() State {
	return &Slip{State: s.State.Clone(), p: s.p, intended: s.intended, legal: s.legal}
}

func (s *Slip) String() string {
	if s.intended == NoMove {
		return s.State.String()
	}
	return s.State.String() + " ~" + s.State.MoveString(s.intended)
}

// PlayIntended plays m. If a slip may replace m, it also plays m at the chance node, so that the
// move does not slip. It returns the number of calls to Undo that restore s.
func PlayIntended(s State, m Move) (plies int) {
	s.Play(m)
	if slip, ok := As[*Slip](s); ok {
		if intended, pending := slip.Intended(); pending {
			s.Play(intended)
			return 2
		}
	}
	return 1
}
