// Package checkers implements English draughts: men and short kings on 32 squares. Jumps are
// forced, and each path of jumps is a separate move.
//
// A position is a [State]. Its text is a PDN FEN and the moves since the last irreversible one. A
// player who cannot move loses. The game is drawn if a position occurs for the third time, or after
// 40 moves by each player without a capture or a move of a man.
package checkers

import (
	"math/bits"

	"plyfit/game"
)

// A State is a position with the earlier positions, which are needed for Undo and for detecting
// repetitions.
type State struct {
	line  []position
	ply   int // index of the current position
	root  int // index of the first position, at which Undo panics
	first int // player to move at index 0
	count int // number of the full move at index 0

	drawless bool // if set, the game ends only when a player has no move
}

// A position is a board with its history.
type position struct {
	men   [2]uint64 // all pieces of black and of white
	kings uint64    // kings of both sides
	past  uint64    // hash sum of the positions since the last irreversible move
	move  game.Move // move that led to this position
	clock uint16    // plies since the last capture or move of a man
	known uint16    // number of these plies whose positions are in State.line
	stage stage
	jumps bool // whether the mover can jump; valid unless stage is unseen
}

type stage int8

const (
	unseen stage = iota
	playing
	lost // for the player who would move next
	drawn
)

var (
	_ game.Ranker      = (*State)(nil)
	_ game.Noisy       = (*State)(nil)
	_ game.BoardHasher = (*State)(nil)
	_ game.Drawless    = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
	_ game.Celled      = (*State)(nil)
)

func newState(p position, side, count int) *State {
	return &State{line: []position{p}, first: side, count: count}
}

// Of returns the checkers position in s, without its wrappers, or nil for other games.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

func (s *State) side() int { return (s.first + s.ply) & 1 }

func (s *State) analysed() *position {
	p := &s.line[s.ply]
	if p.stage == unseen {
		p.stage = s.analyse(p)
	}
	return p
}

func (s *State) analyse(p *position) stage {
	side := s.side() & 1
	own, opp := p.men[side], p.men[1-side]
	empty := board &^ (own | opp)
	kings := p.kings & own
	p.jumps = jumpers(side, own, kings, opp, empty).any()
	switch {
	case !p.jumps && !movers(side, own, kings, empty).any():
		return lost
	case p.clock < 8 || s.drawless:
		return playing
	case p.clock >= quietLimit || s.repeated(p):
		return drawn
	}
	return playing
}

// repeated reports whether p, the current position, occurs for the third time. A position cannot
// recur in fewer than four plies.
func (s *State) repeated(p *position) bool {
	times := 1
	for i := s.ply - 4; i >= s.ply-int(p.known); i -= 2 {
		if q := &s.line[i]; q.men == p.men && q.kings == p.kings {
			if times++; times == 3 {
				return true
			}
		}
	}
	return false
}

// Turn implements [game.State]. Black is player 0 and begins.
func (s *State) Turn() game.Player {
	if s.analysed().stage != playing {
		return game.Nobody
	}
	return game.Player(s.side())
}

func (s *State) Play(m game.Move) {
	if s.ply+1 == len(s.line) {
		s.line = append(s.line, position{})
	}
	p, q := &s.line[s.ply], &s.line[s.ply+1]
	side := s.side() & 1
	from := uint64(1) << (m & fromMask)
	q.move = m
	q.stage = unseen
	to, captured := steps[m&fromMask][m>>pathShift&3], uint64(0)
	if m&(15<<jumpShift) != 0 {
		to, captured = trace(m)
	}
	q.men[side] = p.men[side]&^from | to
	q.men[1-side] = p.men[1-side] &^ captured
	if p.kings&from != 0 {
		q.kings = (p.kings&^from | to) &^ captured
		if captured == 0 {
			q.clock, q.known = p.clock+1, p.known+1
			q.past = p.past + game.Mix(p.key(side))
			s.ply++
			return
		}
	} else {
		q.kings = p.kings&^captured | to&(topRow|bottom)
	}
	q.clock, q.known, q.past = 0, 0, 0
	s.ply++
}

func (s *State) Undo() { game.StepBack(&s.ply, s.root, "checkers") }

// Utility implements [game.State]: 1, 0 or -1.
func (s *State) Utility(p game.Player) float64 {
	if s.analysed().stage == drawn {
		return 0
	}
	if int(p) == s.side() {
		return -1
	}
	return 1
}

// key returns a hash of the board and the side to move.
func (p *position) key(side int) uint64 {
	hi, lo := bits.Mul64(p.men[0]^0x2d358dccaa6c78a5, p.men[1]^0x8bb84b93962eacc9)
	hi, lo = bits.Mul64(hi^lo^uint64(side), p.kings*0x9e3779b97f4a7c15^p.men[1]^0x4b33a62ed433d4a3)
	return hi ^ lo
}

// Hash implements [game.State]. It covers the board, the side to move, the plies since the last
// capture or move of a man, and the set of positions since then.
func (s *State) Hash() uint64 {
	p := &s.line[s.ply]
	h := p.key(s.side())
	if p.clock != 0 {
		h ^= game.Mix(p.past + uint64(p.clock))
	}
	return h
}

func (s *State) BoardHash() uint64 { return s.line[s.ply].key(s.side()) }

// Clone implements [game.State]. The copy includes the earlier positions that could recur.
func (s *State) Clone() game.State {
	from := s.ply - int(s.line[s.ply].known)
	c := &State{
		line:  append(make([]position, 0, s.ply+1-from+16), s.line[from:s.ply+1]...),
		ply:   s.ply - from,
		first: (s.first + from) & 1,
		count: s.number(from),
	}
	c.root = c.ply
	c.drawless = s.drawless
	return c
}

func (s *State) WithoutDraws() game.State {
	c := s.Clone().(*State)
	c.drawless = true
	for i := range c.line {
		c.line[i].stage = unseen
	}
	return c
}

// number returns the number of the full move at the given index in line. It increases when it is
// black's turn.
func (s *State) number(index int) int { return s.count + (s.first+index)/2 }

// Men returns p's pieces other than kings. Square n is bit n-1 + (n-1)/8.
func (s *State) Men(p game.Player) uint64 {
	at := &s.line[s.ply]
	return at.men[p&1] &^ at.kings
}

// Kings returns p's kings, in the same format as [State.Men].
func (s *State) Kings(p game.Player) uint64 {
	at := &s.line[s.ply]
	return at.men[p&1] & at.kings
}

// New returns the game of English draughts. It has no options.
func New(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name:      "checkers",
		Spec:      "checkers",
		Doc:       "English draughts; utility 1, 0 or -1; a draw after a third repetition, or after 40 moves by each player without a capture or a move by a man",
		Players:   2,
		Seats:     []string{"Black", "White"},
		Sum:       game.Zero,
		Min:       -1,
		Max:       1,
		MaxPlies:  600,
		New:       func() game.State { return start() },
		Parse:     func(text string) (game.State, error) { return parsePosition(text) },
		ParseMove: parseMove,
		Formats:   []game.Format{pdn},
	}, o.Err()
}

const (
	// quietLimit is the number of plies without a capture or a move of a man after which the game
	// is drawn: 40 moves by each player (WCDF rules, 1.32.2).
	quietLimit = 80
	// pieces is the number of pieces that each player has at the start, which is also the maximum.
	pieces = 12
)

// start returns the initial position, with twelve men on each side and black (player 0) to move.
func start() *State {
	p := position{men: [2]uint64{board & (1<<13 - 1), board >> 22 << 22}}
	return newState(p, 0, 1)
}
