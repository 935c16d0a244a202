// Package othello implements othello. The board consists of two sets of 64 bits.
//
// A position is a [State]. It is parsed from 64 squares or from a list of moves
// ([parseTranscript]). The functions Mobility and Flips of package asm implement the rules. The
// final value is bounded by means of stable discs (stableDiscs). With few empty squares, a search
// uses the endgame solver ([State.Solve]).
package othello

import (
	"math/bits"

	"plyfit/game"
	"plyfit/internal/asm"
)

// A State is a position with all earlier positions, so that Undo only has to go back one step.
type State struct {
	ply   int
	first int  // player to move at ply 0
	wins  bool // whether the utility is only 1, 0 or -1
	line  [128]position
	order order
}

// A position is a board from the point of view of the player to move. The legal moves and the
// bounds are computed when they are first needed, because many nodes need only one of the two.
type position struct {
	own, opp uint64 // discs of the mover and of the opponent
	moves    uint64 // the mover's legal squares; valid unless stage is unseen
	stage    stage
	bounded  bool // whether lo and hi are valid
	lo, hi   int8 // bounds of the mover's final disc difference
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

// newState returns the position at ply 0, in which the player first is to move and has the discs in
// own, unless the game is over.
func newState(own, opp uint64, first int) *State {
	s := &State{first: first}
	s.line[0] = position{own: own, opp: opp}
	return s
}

// Of returns the othello position in s, without its wrappers, or nil for other games.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

// at returns the current position, whose moves may not yet have been computed.
func (s *State) at() *position { return &s.line[s.ply&127] }

// analysed returns the current position with its moves.
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

// Moves implements [game.State]: the legal squares from a1 row by row to h8, or Pass.
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

func (s *State) Undo() { game.StepBack(&s.ply, 0, "othello") }

// Utility implements [game.State]. It returns the number of p's discs minus the number of the
// opponent's discs. Empty squares count for the winner. If score=win, Utility returns the sign of
// the difference.
func (s *State) Utility(p game.Player) float64 {
	at := s.at()
	u := s.worth(final(at.own, at.opp))
	if p != s.mover() {
		u = -u
	}
	return u
}

// worth returns the utility that corresponds to a final disc difference. The function is monotonic,
// so it maps bounds to bounds.
func (s *State) worth(discs int) float64 {
	if s.wins {
		discs = max(-1, min(1, discs))
	}
	return float64(discs)
}

// final returns the disc difference at the end of the game, from the point of view of the player
// whose discs are own.
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

// Hash implements [game.State]. It mixes the discs and the player to move with 128-bit products.
func (s *State) Hash() uint64 {
	x, o := s.Discs()
	turn := uint64(s.Turn()) // -2 at the end of the game, no matter who would move next
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

// Past returns the position in which this State began, and the moves since then, which Undo can
// undo.
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

// Discs returns the discs of X and the discs of O.
func (s *State) Discs() (x, o uint64) {
	at := s.at()
	if s.mover() == 0 {
		return at.own, at.opp
	}
	return at.opp, at.own
}

// Viewed returns the current position from player p's point of view: p's discs, the opponent's
// discs, and the moves that each of the two could make if it were their turn.
func (s *State) Viewed(p game.Player) (own, opp, moves, replies uint64) {
	at := s.analysed()
	moves, replies = at.moves, asm.Mobility(at.opp, at.own)
	if p == s.mover() {
		return at.own, at.opp, moves, replies
	}
	return at.opp, at.own, replies, moves
}

// mostFlipped is larger than the number of discs that a single move can flip.
const mostFlipped = 20

// Sweeps reports whether the side to move can flip the opponent's last disc, which ends the game.
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

// Empties returns the number of empty squares.
func (s *State) Empties() int { return 64 - popcount(s.at().own|s.at().opp) }

// In a set of squares, bit row*8+column is a square: a1 is bit 0, h1 bit 7, and h8 bit 63.

const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
	row1  = 0xff
	row8  = row1 << 56

	corners = 1 | 1<<7 | 1<<56 | 1<<63
)

func popcount(b uint64) int { return bits.OnesCount64(b) }

// New returns the game. If the option score is discs, the utility is the disc difference. If it is
// win, the utility is 1, 0 or -1.
func New(o *game.Options) (*game.Game, error) {
	wins := o.String("score", "discs", "discs", "win") == "win"
	scored := func(s *State) game.State {
		s.wins = wins
		return s
	}
	g := &game.Game{
		Name:     "othello",
		Spec:     o.Spec("othello"),
		Doc:      "othello; score=discs (the utility is the disc difference; empty squares go to the winner) or win (1, 0 or -1)",
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
		g.Formats = nil // GGF records results in discs
	}
	return g, o.Err()
}

// maxPlies is an upper bound for the length of a game. A position with moves has at most 62 empty
// squares, and there are never two passes in a row.
const maxPlies = 124

// Pass is the move of a player who has no legal square while the opponent has one.
const Pass game.Move = 64

// start returns the initial position: X on e4 and d5, O on d4 and e5. X is player 0 and moves
// first.
func start() *State {
	return newState(1<<28|1<<35, 1<<27|1<<36, 0)
}
