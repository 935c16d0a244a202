// Package othello is the game of othello on two sets of 64 bits.
//
// The journey: [New] makes the game; a position is a [State], read from 64 squares or from a
// transcript of moves ([parseTranscript]). Mobility and Flips of package asm are all its rules;
// stable discs (stableDiscs) bound the final value, and with few empty squares a search uses the
// game's own endgame solver ([State.Solve]).
package othello

import (
	"math/bits"

	"plyfit/game"
	"plyfit/internal/asm"
)

// State is a position and all those before it, so that Undo is a step back.
type State struct {
	ply   int
	first int  // who is to move at ply 0
	wins  bool // the utility is 1, 0 or -1
	line  [128]position
	order order
}

// position is a board in its mover's view. What may never be asked for (at
// leaves: the moves; inside: bounds) is found when it is asked for first.
type position struct {
	own, opp uint64 // the mover's discs, and the other's
	moves    uint64 // the mover's legal squares, once stage is known
	stage    stage
	bounded  bool // lo, hi are known
	lo, hi   int8 // bounds of the mover's difference in discs at the end
}

type stage int8

const (
	unseen stage = iota
	playing
	passing
	over
)

var (
	_ game.Ranker      = (*State)(nil)
	_ game.Bounder     = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
	_ game.Celled      = (*State)(nil)
	_ game.Solvable    = (*State)(nil)
)

// newState is the position with these discs, player first to move. First counts
// for nothing where the game is over.
func newState(own, opp uint64, first int) *State {
	s := &State{first: first}
	s.line[0] = position{own: own, opp: opp}
	return s
}

// Of is s without its wrappers as an othello position, nil for other games.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

// at is the present position, its moves not necessarily known.
func (s *State) at() *position { return &s.line[s.ply&127] }

// analysed is the present position with its moves.
func (s *State) analysed() *position {
	p := &s.line[s.ply&127]
	if p.stage == unseen {
		p.analyse()
	}
	return p
}

func (p *position) analyse() {
	p.moves = asm.Mobility(p.own, p.opp)
	switch {
	case p.moves != 0:
		p.stage = playing
	case asm.Mobility(p.opp, p.own) != 0:
		p.stage = passing
	default:
		p.stage = over
	}
}

func (s *State) mover() game.Player { return game.Player((s.first + s.ply) & 1) }

// Turn implements [game.State]. X is player 0.
func (s *State) Turn() game.Player {
	if s.analysed().stage == over {
		return game.Nobody
	}
	return s.mover()
}

// Moves implements [game.State]: squares from a1 along the rows to h8, or Pass.
func (s *State) Moves(dst []game.Move) []game.Move {
	p := s.analysed()
	if p.stage == passing {
		return append(dst, Pass)
	}
	for m := p.moves; m != 0; m &= m - 1 {
		dst = append(dst, game.Move(bits.TrailingZeros64(m)))
	}
	return dst
}

func (s *State) Play(m game.Move) {
	p := &s.line[s.ply&127]
	s.ply++
	q := &s.line[s.ply&127]
	q.stage, q.bounded = unseen, false
	if m == Pass {
		q.own, q.opp = p.opp, p.own
		return
	}
	flips := asm.Flips(uint(m), p.own, p.opp)
	q.own, q.opp = p.opp^flips, p.own^flips^1<<(m&63)
}

func (s *State) Undo() {
	if s.ply == 0 {
		panic("othello: Undo at the first position")
	}
	s.ply--
}

// Utility implements [game.State]: p's discs less the other's, the empty
// squares going to the player who has more; with score=win the sign of that.
func (s *State) Utility(p game.Player) float64 {
	at := s.at()
	u := s.worth(final(at.own, at.opp))
	if p != s.mover() {
		u = -u
	}
	return u
}

// worth is the utility of a difference in discs at the end. It is monotone: that
// of a bound is a bound.
func (s *State) worth(discs int) float64 {
	if s.wins {
		discs = max(-1, min(1, discs))
	}
	return float64(discs)
}

// final is the difference in discs, as own's player has it, at the end of the game.
func final(own, opp uint64) int {
	mine, theirs := popcount(own), popcount(opp)
	switch {
	case mine > theirs:
		return 64 - 2*theirs
	case mine < theirs:
		return 2*mine - 64
	}
	return 0
}

// Hash implements [game.State]: the discs and who is to move, if anyone is,
// mixed by products of 128 bits.
func (s *State) Hash() uint64 {
	x, o := s.Discs()
	turn := uint64(s.Turn()) // -2 at the end, no matter who would be to move
	hi, lo := bits.Mul64(x^0x2d358dccaa6c78a5, o^0x8bb84b93962eacc9)
	hi, lo = bits.Mul64(hi^lo^turn, (x+turn)*0x9e3779b97f4a7c15^o^0x4b33a62ed433d4a3)
	return hi ^ lo
}

func (s *State) Clone() game.State {
	at := s.at()
	c := newState(at.own, at.opp, int(s.mover()))
	c.wins = s.wins
	return c
}

// Past is where this State began and the moves made since, those that Undo can take back.
func (s *State) Past() (first *State, moves []game.Move) {
	p := s.line[0]
	for i := range s.ply {
		q := s.line[(i+1)&127]
		m := Pass
		if placed := (q.own | q.opp) &^ (p.own | p.opp); placed != 0 {
			m = game.Move(bits.TrailingZeros64(placed))
		}
		moves, p = append(moves, m), q
	}
	first = newState(s.line[0].own, s.line[0].opp, s.first)
	first.wins = s.wins
	return first, moves
}

// Discs are those of X and of O.
func (s *State) Discs() (x, o uint64) {
	at := s.at()
	if s.mover() == 0 {
		return at.own, at.opp
	}
	return at.opp, at.own
}

// Seen are the discs and the mobility of the present position in the view of
// player p: his own, the other's, and where each could move if it were his turn.
func (s *State) Seen(p game.Player) (own, opp, moves, replies uint64) {
	at := s.analysed()
	moves, replies = at.moves, asm.Mobility(at.opp, at.own)
	if p == s.mover() {
		return at.own, at.opp, moves, replies
	}
	return at.opp, at.own, replies, moves
}

// mostFlipped is more discs than one move takes.
const mostFlipped = 20

// Sweeps reports whether the side to move has a move that takes the other's last disc,
// which ends the game.
func (s *State) Sweeps() bool {
	at := s.analysed()
	if popcount(at.opp) >= mostFlipped {
		return false
	}
	for moves := at.moves; moves != 0; moves &= moves - 1 {
		if asm.Flips(uint(bits.TrailingZeros64(moves)), at.own, at.opp) == at.opp {
			return true
		}
	}
	return false
}

// Empties is the number of empty squares.
func (s *State) Empties() int { return 64 - popcount(s.at().own|s.at().opp) }

// A set of squares has bit row*8+column, a1 being bit 0, h1 bit 7, h8 bit 63.

const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
	row1  = 0xff
	row8  = row1 << 56

	corners = 1 | 1<<7 | 1<<56 | 1<<63
)

func popcount(b uint64) int { return bits.OnesCount64(b) }

// New is the game of othello. Option score, discs or win: what the utility is,
// the difference in discs or who has more.
func New(o *game.Options) (*game.Game, error) {
	wins := o.String("score", "discs", "discs", "win") == "win"
	scored := func(s *State) game.State {
		s.wins = wins
		return s
	}
	g := &game.Game{
		Name:     "othello",
		Spec:     o.Spec("othello"),
		Doc:      "othello; score=discs (the utility is the difference in discs, empty squares going to the winner) or win (1, 0 or -1)",
		Players:  2,
		Seats:    []string{"X", "O"},
		Colours:  []string{"Black", "White"},
		Sum:      game.Zero,
		Min:      -64,
		Max:      64,
		MaxPlies: maxPlies,
		New:      func() game.State { return scored(start()) },
		Parse: func(text string) (game.State, error) {
			s, err := parsePosition(text)
			if err != nil {
				return nil, err
			}
			return scored(s), nil
		},
		ParseMove: parseMove,
		Formats:   []game.Format{ggfFormat},
		Dialects:  []game.Dialect{gtp},
	}
	if wins {
		g.Min, g.Max = -1, 1
		g.Formats = nil // GGF tells games by their discs
	}
	return g, o.Err()
}

// maxPlies is more than any game has: 62 empty squares at most in a position
// with moves, and no two passes in a row.
const maxPlies = 124

// Pass is the move of a player who can turn no disc while the other can.
const Pass game.Move = 64

// start is the position of four discs: X on e4 and d5, O on d4 and e5. X is
// player 0 and moves first.
func start() *State {
	return newState(1<<28|1<<35, 1<<27|1<<36, 0)
}
