// Package backgammon is backgammon without the doubling cube: gammons count 2, backgammons 3.
//
// The journey: [New] makes the game, at whose start player 0 is to roll; a [State] is what each
// side has on its points (board.go) and whose turn it is; nature's moves are the 21 rolls; a
// player's move is his whole turn, two or four steps, one for each position it can reach (turn.go).
// notation.go reads and prints XGID positions and moves like 13/7 8/7.
package backgammon

import (
	"math/bits"

	"plyfit/game"
)

// State is a position.
type State struct {
	ply  int        // of the position in line
	line []position // since the first, which has nothing to undo; beyond ply it is room
	seen table
}

type position struct {
	sides  [2]side  // each as its player counts
	dice   [2]uint8 // the larger first; 0 while they are still to be rolled
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

// Of is the position inside s, or nil where s is none of backgammon.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

func (s *State) at() *position { return &s.line[s.ply] }

// Player is whose turn it is, also while his dice roll; once the game is over, the loser.
func (s *State) Player() game.Player { return s.at().player }

// Dice are the dice to play, the larger first; 0 and 0 before they are rolled.
func (s *State) Dice() (hi, lo int) { return int(s.at().dice[0]), int(s.at().dice[1]) }

// Places writes into b how many checkers p has on each place as he counts: Off,
// his points 1 to 24, Bar.
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

// Occupied are the bits of the places where p has at least one checker, and at
// least two, as he counts: 1 to 24 and Bar.
func (s *State) Occupied(p game.Player) (one, two uint32) { return s.at().sides[p].points() }

// Race reports whether the two sides have passed each other, so that no checker
// can be hit any more.
func (s *State) Race() bool { return s.at().race() }

func (p *position) race() bool {
	mine, _ := p.sides[0].points()
	his, _ := p.sides[1].points()
	// The rearmost of one stands before the rearmost of the other.
	return bits.Len32(mine)-1+bits.Len32(his)-1 < Bar
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

// Moves implements [game.State]: the 21 rolls; a player's turns, one for each
// position that they lead to.
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

func (s *State) Undo() {
	if s.ply == 0 {
		panic("backgammon: Undo at the first position")
	}
	s.ply--
}

// Utility implements [game.State]: 1 point for a win, 2 if the loser has borne off no checker, 3 if
// he then has one on the bar or in the winner's home board; the loser pays it.
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

// far are the places 19 to 25 of the second word of a side: the bar and the other's home board.
const far = uint64(0xfffffff) << 12

// stake is what a player with this side would lose now.
func stake(loser *side) float64 {
	switch {
	case loser.count(Off) > 0:
		return 1
	case loser[1]&far != 0:
		return 3
	}
	return 2
}

// Bounds implements [game.Bounder]: who has borne off a checker loses one point
// at most, and who has passed the other and left his home board two.
func (s *State) Bounds(who game.Player) (lo, hi float64) {
	p := s.at()
	if p.over {
		u := s.Utility(who)
		return u, u
	}
	return -p.risk(who), p.risk(1 - who)
}

// risk is the most that who can still lose.
func (p *position) risk(who game.Player) float64 {
	side := &p.sides[who]
	if n := stake(side); n != 2 || p.race() {
		return n
	}
	return 3
}

// Rank implements [game.Ranker]: hits before others, and then turns that leave
// few blots within the reach of the other.
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
	his, _ := q.sides[1-who].points()
	// His rearmost checker reaches blots below it as the mover counts.
	reach := onBoard &^ (uint32(1)<<(25-min(bits.Len32(his)-1, 24)) - 1)
	blots := bits.OnesCount32(one &^ two & reach)
	return int32(4*hits - 2*blots + bits.OnesCount32(two&onBoard) + q.sides[who].count(Off))
}

// Prob implements [game.Chancer]: 1/36 for a double, 2/36 for another roll.
func (s *State) Prob(m game.Move) float64 {
	if r := rolls[m]; r[0] == r[1] {
		return 1. / 36
	}
	return 1. / 18
}

// For implements [game.Chancer]: the roller.
func (s *State) For() game.Player { return s.at().player }

func (s *State) Hash() uint64 {
	p := s.at()
	h := game.Mix(p.sides[0][0] + 0x9e3779b97f4a7c15*p.sides[0][1])
	h = game.Mix(h ^ p.sides[1][0])
	return game.Mix(h ^ (p.sides[1][1] | uint64(p.dice[0])<<40 | uint64(p.dice[1])<<44 | uint64(p.player)<<48))
}

func (s *State) Clone() game.State { return newState(*s.at()) }

// Checkers is how many each player has.
const Checkers = 15

// rolls are the dice of nature's moves, the larger first: 11, 21, 22, 31, ...
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

// roll is nature's move of the dice a and b, each from 1 to 6.
func roll(a, b int) game.Move {
	if a < 1 || a > 6 || b < 1 || b > 6 {
		panic("backgammon: dice outside 1 to 6")
	}
	hi, lo := max(a, b), min(a, b)
	return game.Move(hi*(hi-1)/2 + lo - 1)
}

// New is the game, which has no options. Player 0 begins, with any of the 21
// rolls; a position in which player 1 is to roll lets him begin.
func New(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name:    "backgammon",
		Spec:    "backgammon",
		Doc:     "backgammon without the cube, in points (gammon 2, backgammon 3); XGID positions, moves like 13/7 8/7*",
		Players: 2,
		Seats:   []string{"X", "O"},
		Colours: []string{"White", "Black"},
		Sum:     game.Zero,
		Min:     -3,
		Max:     3,
		// Sensible play takes some 110 plies, nature's included, random play some 160.
		MaxPlies:  4000,
		New:       func() game.State { return newState(start) },
		Ignored:   ignored,
		Parse:     func(text string) (game.State, error) { return parse(text) },
		ParseMove: parseMove,
		Formats:   []game.Format{mat},
		Dialects:  []game.Dialect{fibs},
	}, o.Err()
}

// start is the position that games begin from: each side has two checkers on
// its 24-point, five on the 13, three on the 8 and five on the 6.
var start = func() position {
	var s side
	s.add(24, 2)
	s.add(13, 5)
	s.add(8, 3)
	s.add(6, 5)
	return position{sides: [2]side{s, s}}
}()
