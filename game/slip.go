package game

import (
	"fmt"
	"math"
	"strings"
)

// WithSlip is g in a slippery world: with probability p (0 < p <= 1) a player's move is replaced by
// one drawn uniformly from all legal ones, the intended included. Every move of a player is
// followed by a chance node whose moves are the legal moves of the position before it.
func WithSlip(g *Game, p float64) (*Game, error) {
	if !(p > 0 && p <= 1) {
		return nil, fmt.Errorf("slip=%v: want a probability above 0 and at most 1", p)
	}
	if g.Hidden {
		return nil, fmt.Errorf("+slip: %s hides some of a position; want a game in which all is seen", g.Spec)
	}
	if g.slippery() {
		return nil, fmt.Errorf("+slip: %s has slip already", g.Spec)
	}
	if _, hostile := As[*Adversary](g.New()); hostile {
		return nil, fmt.Errorf("+slip: %s has an adversary; want one of the two", g.Spec)
	}
	w := *g
	w.Inside = g
	w.Spec = fmt.Sprintf("%s+slip=%v", g.Spec, p)
	if w.MaxPlies <= math.MaxInt/2 {
		w.MaxPlies *= 2 // a decision takes two calls of Play
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
				return nil, &PositionError{g.Name, text, len(inner), "no move before a player is to move"}
			}
			m, err := g.ParseMove(s, intended)
			if err != nil {
				return nil, err
			}
			slip.Play(m)
			slip.forget()
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

// Slip is a position of a slippery world: that of the state inside, and the
// move that was chosen there but not yet decided, if there is one.
type Slip struct {
	State // the position in which the move is chosen
	p     float64

	intended Move // NoMove: none is pending
	legal    int  // how many moves the intended one was chosen among
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

// NewSlip wraps s, which it then owns.
func NewSlip(s State, p float64) *Slip { return &Slip{State: s, p: p, intended: NoMove} }

func (s *Slip) Unwrap() State { return s.State }

// Probability returns the probability that a move slips.
func (s *Slip) Probability() float64 { return s.p }

// Intended is the move that was chosen and not yet decided; ok is false where none is pending.
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
	// Choosing is the only Play that leaves the inside as it was.
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

// slipSalt are the first 64 bits of the fraction of the square root of 2.
const slipSalt = 0x6a09e667f3bcc908

func (s *Slip) Hash() uint64 {
	h := s.State.Hash()
	if s.intended != NoMove {
		// The salt keeps these apart from the hashes of a game that are themselves
		// Mix of small numbers.
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

// forget makes the present position one with nothing to undo.
func (s *Slip) forget() { s.undo = s.undo[:0] }

// PlayIntended plays m and, where a slip may replace it, has it be m: the position is
// the one that was meant. It returns how many calls of Undo take that back.
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
