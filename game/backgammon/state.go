// Package backgammon implements backgammon without the doubling cube. A gammon counts 2 points and
// a backgammon 3.
//
// At the start, player 0 rolls. A [State] contains the checkers of each side (board.go), the dice
// and the player to move. Nature's moves are the 21 rolls. A player's move is a whole turn of up to
// two steps, or four for a double. There is one move for each position that can be reached
// (turn.go). Positions are written as XGID, and moves in the form 13/7 8/7 (notation.go).
package backgammon

import (
	"math/bits"

	"plyfit/game"
)

// A State is a position.
type State struct {
	ply  int        // index of the current position in line
	line []position // positions since the first one, which has nothing to undo; entries after ply are unused
	seen table
}

type position struct {
	sides  [2]side  // checkers of each side, in that player's numbering
	dice   [2]uint8 // the larger first; 0 before the roll
	player game.Player
	over   bool
}

var (
	_ game.Chancer     = (*State)(nil)
	_ game.Bounder     = (*State)(nil)
	_ game.Ranker      = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Celled      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
)

func newState(p position) *State {
	s := &State{line: make([]position, 64)}
	s.line[0] = p
	return s
}

// Of returns the backgammon position in s, without its wrappers, or nil for other games.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

func (s *State) at() *position { return &s.line[s.ply] }

// Player returns the player whose turn it is, including while the dice are being rolled. If the
// game is over, it returns the loser.
func (s *State) Player() game.Player { return s.at().player }

// Dice returns the dice to play, the larger first, or 0 and 0 before the roll.
func (s *State) Dice() (hi, lo int) { return int(s.at().dice[0]), int(s.at().dice[1]) }

// Places stores in b the number of p's checkers on each place, in p's numbering: Off, the points 1
// to 24, and Bar.
func (s *State) Places(p game.Player, b *[26]int8) {
	side := &s.at().sides[p]
	lo, hi := side[0], side[1]
	for i := range 16 {
		b[i] = int8(lo >> (4 * i) & 15)
	}
	for i := range 10 {
		b[16+i] = int8(hi >> (4 * i) & 15)
	}
}

// Occupied returns two sets of places as bits: those on which p has at least one checker, and those
// on which p has at least two. The places are in p's numbering: 1 to 24 and Bar.
func (s *State) Occupied(p game.Player) (one, two uint32) { return s.at().sides[p].points() }

// Race reports whether the two sides have passed each other, so that no more checkers can be hit.
func (s *State) Race() bool { return s.at().race() }

func (p *position) race() bool {
	mine, _ := p.sides[0].points()
	theirs, _ := p.sides[1].points()
	// The two sides' rearmost checkers have passed each other.
	return bits.Len32(mine)-1+bits.Len32(theirs)-1 < Bar
}

func (s *State) Turn() game.Player {
	switch p := s.at(); {
	case p.over:
		return game.Nobody
	case p.dice[0] == 0:
		return game.Chance
	default:
		return p.player
	}
}

// Moves implements [game.State]: the 21 rolls, or a player's turns, one for each resulting
// position.
func (s *State) Moves(dst []game.Move) []game.Move {
	switch p := s.at(); {
	case p.over:
	case p.dice[0] == 0:
		for m := range game.Move(len(rolls)) {
			dst = append(dst, m)
		}
	default:
		dst = s.turns(p, dst)
	}
	return dst
}

func (s *State) Play(m game.Move) {
	if s.ply+1 >= len(s.line) {
		s.line = append(s.line, make([]position, len(s.line))...)
	}
	p, q := &s.line[s.ply], &s.line[s.ply+1]
	s.ply++
	*q = *p
	if p.dice[0] == 0 {
		q.dice = rolls[m]
		return
	}
	q.play(m)
}

func (p *position) play(m game.Move) {
	own, other := &p.sides[p.player], &p.sides[1-p.player]
	die, next := int(p.dice[0]), int(p.dice[1])
	if m&smallFirst != 0 {
		die, next = next, die
	}
	for m &^= smallFirst; m != 0; m >>= 5 {
		from := int(m & 31)
		to := max(from-die, Off)
		own.shift(from, to)
		if to != Off && other.has(uint(25-to)) {
			other.shift(25-to, Bar)
		}
		die, next = next, die
	}
	p.over = own[0]&15 == Checkers
	p.dice = [2]uint8{}
	p.player = 1 - p.player
}

func (s *State) Undo() { game.StepBack(&s.ply, 0, "backgammon") }

// Utility implements [game.State]. A win is worth 1 point. It is worth 2 points if the loser has
// borne off no checkers, and 3 if the loser also has a checker on the bar or in the winner's home
// board. The loser's utility is the negative of the winner's.
func (s *State) Utility(who game.Player) float64 {
	p := s.at()
	points := 1.0
	for winner := range p.sides {
		if p.sides[winner].count(Off) == Checkers {
			points = stake(&p.sides[1-winner])
			if game.Player(winner) != who {
				points = -points
			}
		}
	}
	return points
}

// far contains the places 19 to 25 in the second word of a side: the opponent's home board and the
// bar.
const far = uint64(0xfffffff) << 12

// stake returns the points that the player with this side would lose if the game ended now.
func stake(loser *side) float64 {
	switch {
	case loser.count(Off) > 0:
		return 1
	case loser[1]&far != 0:
		return 3
	}
	return 2
}

// Bounds implements [game.Bounder]. A player who has borne off a checker can lose at most one
// point. A player whose checkers have all passed the opponent's and left the opponent's home board
// can lose at most two points.
func (s *State) Bounds(who game.Player) (lo, hi float64) {
	p := s.at()
	if p.over {
		u := s.Utility(who)
		return u, u
	}
	return -p.risk(who), p.risk(1 - who)
}

// risk returns the maximum number of points that the given player can still lose.
func (p *position) risk(who game.Player) float64 {
	side := &p.sides[who]
	if n := stake(side); n != 2 || p.race() {
		return n
	}
	return 3
}

// Rank implements [game.Ranker]. It prefers turns that hit, make points, bear off checkers or leave
// few blots within the opponent's reach.
func (s *State) Rank(m game.Move) int32 {
	q := *s.at()
	if q.dice[0] == 0 {
		return 0
	}
	who := q.player
	bar := q.sides[1-who].count(Bar)
	q.play(m)
	hits := q.sides[1-who].count(Bar) - bar
	one, two := q.sides[who].points()
	theirs, _ := q.sides[1-who].points()
	// The opponent's rearmost checker can hit blots only on higher points in the mover's numbering.
	reach := onBoard &^ (uint32(1)<<(25-min(bits.Len32(theirs)-1, 24)) - 1)
	blots := bits.OnesCount32(one &^ two & reach)
	return int32(4*hits - 2*blots + bits.OnesCount32(two&onBoard) + q.sides[who].count(Off))
}

// Prob implements [game.Chancer]: 1/36 for a double and 2/36 for other rolls.
func (s *State) Prob(m game.Move) float64 {
	if r := rolls[m]; r[0] == r[1] {
		return 1. / 36
	}
	return 1. / 18
}

// For implements [game.Chancer]. It returns the player who rolls.
func (s *State) For() game.Player { return s.at().player }

func (s *State) Hash() uint64 {
	p := s.at()
	h := game.Mix(p.sides[0][0] + 0x9e3779b97f4a7c15*p.sides[0][1])
	h = game.Mix(h ^ p.sides[1][0])
	return game.Mix(h ^ (p.sides[1][1] | uint64(p.dice[0])<<40 | uint64(p.dice[1])<<44 | uint64(p.player)<<48))
}

func (s *State) Clone() game.State { return newState(*s.at()) }

// Checkers is the number of checkers of each player.
const Checkers = 15

// rolls contains the dice of nature's moves, the larger first: 11, 21, 22, 31, ...
var rolls = func() (table [21][2]uint8) {
	n := 0
	for hi := uint8(1); hi <= 6; hi++ {
		for lo := uint8(1); lo <= hi; lo++ {
			table[n] = [2]uint8{hi, lo}
			n++
		}
	}
	return table
}()

// roll returns nature's move for the dice a and b, which must be from 1 to 6.
func roll(a, b int) game.Move {
	if a < 1 || a > 6 || b < 1 || b > 6 {
		panic("backgammon: dice outside 1 to 6")
	}
	hi, lo := max(a, b), min(a, b)
	return game.Move(hi*(hi-1)/2 + lo - 1)
}

// New returns the game, which has no options. Player 0 begins, with any of the 21 rolls. To let
// player 1 begin, start from a position.
func New(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name:    "backgammon",
		Spec:    "backgammon",
		Doc:     "backgammon without the cube, scored in points (gammon 2, backgammon 3); XGID positions; moves such as 13/7 8/7*",
		Players: 2,
		Seats:   []string{"X", "O"},
		Colours: []string{"White", "Black"},
		Sum:     game.Zero,
		Min:     -3,
		Max:     3,
		// Sensible play takes about 110 plies, including nature's moves, and random play about 160.
		MaxPlies:  4000,
		New:       func() game.State { return newState(start) },
		Ignored:   ignored,
		Parse:     func(text string) (game.State, error) { return parse(text) },
		ParseMove: parseMove,
		Formats:   []game.Format{mat},
		Dialects:  []game.Dialect{fibs},
	}, o.Err()
}

// start is the initial position. Each side has two checkers on the 24-point, five on the 13-point,
// three on the 8-point and five on the 6-point.
var start = func() position {
	var s side
	s.add(24, 2)
	s.add(13, 5)
	s.add(8, 3)
	s.add(6, 5)
	return position{sides: [2]side{s, s}}
}()
