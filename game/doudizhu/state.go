// Package doudizhu implements dou dizhu ("fight the landlord"). One player with twenty cards plays
// against two with seventeen cards each, who win or lose together. Hands are hidden.
//
// The cards are dealt one by one at chance nodes. If the option bid is on, the players then bid to
// be the landlord. A [State] contains the hands, the bids and the plays. play.go defines the
// combinations and which of them beat others, generate.go lists the possible plays of a hand, and
// notation.go formats positions and what the players know.
package doudizhu

import (
	"fmt"
	"math/rand/v2"

	"plyfit/game"
)

// Players is the number of players.
const Players = 3

const (
	handSize = 17
	bottom   = 3 // number of cards that the landlord picks up
	maxBid   = 3
	maxPlies = 54 + 7 + 3*54
)

type rules struct {
	bid    bool // whether the highest bidder is the landlord; if not, player 0 is
	points bool // whether bombs, rockets and springs double the stake
	four   bool // whether four of a rank may have kickers
}

// New returns the game with these options:
//
//   - bid=on: the players bid to be the landlord; if off, player 0 is the landlord.
//   - score=points: each bomb, rocket and spring doubles the stake; if win, the stake is fixed.
//   - four=off: four of a rank cannot have kickers, as in OpenSpiel.
func New(o *game.Options) (*game.Game, error) {
	r := &rules{bid: o.Bool("bid", false), points: o.String("score", "win", "win", "points") == "points", four: o.Bool("four", true)}
	most := 2.0
	if r.bid {
		most *= maxBid
	}
	if r.points {
		most *= 1 << 15 // 13 bombs, a rocket and a spring
	}
	return &game.Game{
		Name:      "doudizhu",
		Spec:      o.Spec("doudizhu"),
		Doc:       "dou dizhu: a landlord against two farmers; hidden cards; bid=off, score=win or points, four=on; moves such as 55, 333-4, pass",
		Players:   Players,
		Sum:       game.Zero,
		Min:       -most,
		Max:       most,
		Hidden:    true,
		MaxPlies:  maxPlies,
		New:       func() game.State { return r.state(position{landlord: none}) },
		Parse:     r.parse,
		ParseMove: game.FindMove,
	}, o.Err()
}

const none = -1

type stage int8

const (
	dealing stage = iota
	bidding
	playing
	over
)

// A position contains everything that affects the rest of the game.
type position struct {
	hands    [Players]Cards
	bottom   Cards // cards on the table before the landlord picks them up
	last     game.Move
	bids     [7]int8
	offers   int8 // number of bids made
	landlord int8
	turn     int8
	by       int8 // player who made the last play
	stake    int32
	plays    [Players]int8 // number of plays of each player, at most 2
	stage    stage
}

// A State is a position.
type State struct {
	*rules
	ply  int
	line []position // positions since the first one, which has nothing to undo; entries after ply are unused
}

var (
	_ game.HiddenState = (*State)(nil)
	_ game.Chancer     = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Celled      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
)

func (r *rules) state(p position) *State {
	s := &State{rules: r, line: make([]position, 16)}
	s.line[0] = p
	return s
}

func (s *State) at() *position { return &s.line[s.ply] }

// Hand returns the cards of p, which only p knows.
func (s *State) Hand(p game.Player) *Cards { return &s.at().hands[p] }

// Unseen returns the cards that p neither holds nor has seen played.
func (s *State) Unseen(p game.Player) (c Cards) {
	at := s.at()
	for q := range game.Player(Players) {
		if q != p {
			c.add(&at.hands[q], 1)
		}
	}
	c.add(&at.bottom, 1)
	if at.stage == dealing {
		undealt := s.undealt()
		c.add(&undealt, 1)
	}
	return c
}

// Landlord returns the player who plays alone, or -1 before this is decided.
func (s *State) Landlord() game.Player { return game.Player(s.at().landlord) }

// Fewest returns the smallest number of cards held by an opponent of p. There must be a landlord.
func (s *State) Fewest(p game.Player) int {
	l := s.Landlord()
	if p != l {
		return s.Hand(l).Count()
	}
	return min(s.Hand((l+1)%Players).Count(), s.Hand((l+2)%Players).Count())
}

// Last returns the play to beat and its player. If there is none, the play has the kind Other.
func (s *State) Last() (Play, game.Player) {
	at := s.at()
	return PlayOf(at.last), game.Player(at.by)
}

func (s *State) Turn() game.Player {
	switch at := s.at(); at.stage {
	case dealing:
		return game.Chance
	case over:
		return game.Nobody
	default:
		return game.Player(at.turn)
	}
}

// undealt returns the cards that are in no hand: not yet dealt, on the table, or already played.
func (s *State) undealt() Cards {
	left := full
	for p := range s.at().hands {
		left.add(&s.at().hands[p], -1)
	}
	return left
}

// receiver returns the player who receives the next card. Player 0 receives all of their cards
// first, followed by player 1 and, if there are bids, player 2.
func (s *State) receiver() int {
	for p := range s.at().hands {
		if s.at().hands[p].Count() < s.size(p) {
			return p
		}
	}
	panic("doudizhu: all cards are dealt")
}

// size returns the number of cards that p is dealt.
func (s *State) size(p int) int {
	if p == 0 && !s.bid {
		return handSize + bottom
	}
	return handSize
}

// Moves implements [game.State]. It lists the ranks to deal, or a pass and the higher bids, or the
// possible plays. A player with a play to beat may also pass.
func (s *State) Moves(dst []game.Move) []game.Move {
	at := s.at()
	switch at.stage {
	case over:
		return dst
	case dealing:
		for r, n := range s.undealt() {
			if n > 0 {
				dst = append(dst, game.Move(r))
			}
		}
		return dst
	case bidding:
		dst = append(dst, Pass)
		for bid := at.highest() + 1; bid <= maxBid; bid++ {
			dst = append(dst, game.Move(bid))
		}
		return dst
	}
	if at.last != Pass {
		dst = append(dst, Pass)
	}
	g := generator{hand: &at.hands[at.turn], last: PlayOf(at.last), four: s.four, dst: dst}
	g.plays()
	return g.dst
}

// highest returns the highest bid so far.
func (p *position) highest() (bid int8) {
	for _, b := range p.bids[:p.offers] {
		bid = max(bid, b)
	}
	return bid
}

func (s *State) Play(m game.Move) {
	if s.ply+1 >= len(s.line) {
		s.line = append(s.line, make([]position, len(s.line))...)
	}
	s.line[s.ply+1] = s.line[s.ply]
	s.ply++
	switch at := s.at(); at.stage {
	case dealing:
		s.deal(int(m))
	case bidding:
		at.offer(int8(m))
	default:
		s.play(m)
	}
}

// deal deals a card to the next player. Once all other cards have been dealt, the remaining ones
// form player 2's hand, or the cards on the table if there are bids.
func (s *State) deal(rank int) {
	at := s.at()
	at.hands[s.receiver()][rank]++
	last := 1
	if s.bid {
		last = 2
	}
	if at.hands[last].Count() < handSize {
		return
	}
	rest := s.undealt()
	if s.bid {
		at.bottom, at.stage = rest, bidding
		return
	}
	at.hands[2] = rest
	at.begin(0, 1)
}

// begin starts the playing stage with the landlord to play.
func (p *position) begin(landlord, stake int8) {
	p.landlord, p.turn, p.by, p.stake, p.stage = landlord, landlord, landlord, int32(stake), playing
}

// offer records a bid. Bidding ends after a bid of 3, after a bid followed by two passes, or after
// three passes. In the last case, the game is over.
func (p *position) offer(bid int8) {
	p.bids[p.offers] = bid
	p.offers++
	p.turn = p.offers % Players
	high, winner, passes := p.highest(), int8(none), 0
	for i, b := range p.bids[:p.offers] {
		if passes++; b > 0 {
			winner, passes = int8(i%Players), 0
		}
	}
	switch {
	case high == maxBid, high > 0 && passes == Players-1:
		p.hands[winner].add(&p.bottom, 1)
		p.bottom = Cards{}
		p.begin(winner, high)
	case passes == Players:
		p.stage = over
	}
}

func (s *State) play(m game.Move) {
	at := s.at()
	me := at.turn
	at.turn = (me + 1) % Players
	if m == Pass {
		if at.turn == at.by {
			at.last = Pass // the play was not beaten, so its player leads
		}
		return
	}
	made := PlayOf(m)
	cards := made.Cards()
	at.hands[me].add(&cards, -1)
	at.last, at.by = m, me
	at.plays[me] = min(at.plays[me]+1, 2)
	if s.points && made.Kind >= Bomb {
		at.stake *= 2
	}
	if at.hands[me].Count() > 0 {
		return
	}
	at.stage, at.last = over, Pass
	// A spring: one side has made no plays, or the landlord has made only the first one.
	l := at.landlord
	if s.points && (at.plays[l] == 1 || at.plays[(l+1)%Players] == 0 && at.plays[(l+2)%Players] == 0) {
		at.stake *= 2
	}
}

func (s *State) Undo() { game.StepBack(&s.ply, 0, "doudizhu") }

// Utility implements [game.State]. The landlord wins or loses the stake against each farmer. If no
// player bids, all players get 0.
func (s *State) Utility(p game.Player) float64 {
	at := s.at()
	if at.landlord == none {
		return 0
	}
	stake := float64(at.stake)
	if at.hands[at.landlord].Count() > 0 {
		stake = -stake
	}
	if int8(p) == at.landlord {
		return 2 * stake
	}
	return -stake
}

// Prob implements [game.Chancer]. Each remaining card is equally likely.
func (s *State) Prob(m game.Move) float64 {
	left := s.undealt()
	return float64(left[m]) / float64(left.Count())
}

// For implements [game.Chancer]. It returns the player who receives the card.
func (s *State) For() game.Player { return game.Player(s.receiver()) }

func (s *State) Hash() uint64 {
	at := s.at()
	h := uint64(at.stage) | uint64(at.turn)<<4 | uint64(at.by)<<8 | uint64(at.landlord+1)<<12 | uint64(at.stake)<<16
	for i := range at.hands {
		packed := uint64(at.plays[i])
		for _, n := range at.hands[i] {
			packed = packed<<3 | uint64(n)
		}
		h = game.Mix(h ^ packed)
	}
	if at.stage == bidding || at.landlord == none {
		for _, b := range at.bids[:at.offers] {
			h = game.Mix(h<<2 ^ uint64(b))
		}
	}
	return game.Mix(h ^ uint64(at.last))
}

func (s *State) Clone() game.State { return s.state(*s.at()) }

// Sample implements [game.HiddenState]. It shuffles the cards that p has not seen and deals each
// other player the same number of cards as before.
func (s *State) Sample(p game.Player, rng *rand.Rand) game.State {
	at := *s.at()
	unseen := s.Unseen(p)
	var deck [54]int8
	n := 0
	for r, k := range unseen {
		for range k {
			deck[n], n = int8(r), n+1
		}
	}
	draw := func(count int) (c Cards) {
		for range count {
			i := rng.IntN(n)
			c[deck[i]]++
			n--
			deck[i] = deck[n]
		}
		return c
	}
	for q := range at.hands {
		if q != int(p) {
			at.hands[q] = draw(at.hands[q].Count())
		}
	}
	at.bottom = draw(at.bottom.Count())
	return s.state(at)
}

// MoveString implements [game.State]: pass, a bid, the rank of a card that is dealt, or the cards
// of a play with the kickers after a hyphen, as in 333444-59.
func (s *State) MoveString(m game.Move) string {
	switch s.at().stage {
	case dealing:
		return symbols[m : m+1]
	case bidding:
		if m != Pass {
			return fmt.Sprint(m)
		}
	}
	if m == Pass {
		return "pass"
	}
	play := PlayOf(m)
	return string(play.append(nil))
}
