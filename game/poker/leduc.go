package poker

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"

	"plyfit/game"
	"plyfit/internal/text"
)

// A player's moves in Leduc hold'em. Nature's moves are the cards, 0 to 5 for Js Jh Qs Qh Ks Kh.
const (
	fold game.Move = iota
	call           // call, or check if there is nothing to call
	raise
)

// Ranks is the number of ranks: jack, queen and king. There are two cards of each rank.
const Ranks = 3

const (
	deck       = 2 * Ranks
	cards      = "JsJhQsQhKsKh"
	maxRaises  = 2 // per round
	firstRaise = 2 // amount in chips; twice this amount in the second round
	maxPlies   = 3 + 2*4
	maxStake   = 1 + maxRaises*firstRaise*3
)

// NewLeduc returns Leduc hold'em. It has no options.
func NewLeduc(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name:      "leduc",
		Spec:      "leduc",
		Doc:       "Leduc hold'em: two rounds of betting, one card each and a public card; hidden cards; moves fold call raise",
		Players:   2,
		Sum:       game.Zero,
		Min:       -maxStake,
		Max:       maxStake,
		Hidden:    true,
		MaxPlies:  maxPlies,
		New:       func() game.State { return newLeduc() },
		Parse:     parseLeduc,
		ParseMove: game.FindMove,
	}, o.Err()
}

// Leduc is a position of Leduc hold'em.
type Leduc struct {
	line  [maxPlies + 1]node // positions since the start
	plies int                // index of the position in line
	first int                // number of calls to Play that cannot be undone
}

type node struct {
	move   game.Move   // move that led to this position
	cards  [3]int8     // cards of player 0, player 1 and the table; -1 if not yet dealt
	paid   [2]int8     // chips of each player, including the ante
	turn   game.Player // result of Turn
	round  int8        // round, 0 or 1
	raises int8        // number of raises in this round
	moved  int8        // number of decisions in this round
	folded game.Player // player who has folded, or Nobody
}

var (
	_ game.HiddenState = (*Leduc)(nil)
	_ game.Chancer     = (*Leduc)(nil)
	_ game.Drawer      = (*Leduc)(nil)
	_ game.Illustrator = (*Leduc)(nil)
)

func newLeduc() *Leduc {
	s := new(Leduc)
	s.line[0] = node{cards: [3]int8{-1, -1, -1}, paid: [2]int8{1, 1}, turn: game.Chance, folded: game.Nobody}
	return s
}

func (s *Leduc) at() *node { return &s.line[s.plies] }

// Rank returns the rank of p's card, from 0 for a jack to 2 for a king, or -1 if it has not been
// dealt.
func (s *Leduc) Rank(p game.Player) int { return rank(s.at().cards[p]) }

// Table returns the rank of the public card, or -1 if it has not been dealt.
func (s *Leduc) Table() int { return rank(s.at().cards[2]) }

func rank(card int8) int {
	if card < 0 {
		return -1
	}
	return int(card / 2)
}

// Paid returns the number of chips that p has put in.
func (s *Leduc) Paid(p game.Player) int { return int(s.at().paid[p]) }

func (s *Leduc) Turn() game.Player { return s.at().turn }

// Moves implements [game.State]. For nature, it lists the remaining cards. For a player, it lists
// fold if there is a bet to call, then call, and then raise if there have been fewer than two
// raises in the round.
func (s *Leduc) Moves(dst []game.Move) []game.Move {
	n := s.at()
	switch {
	case n.turn == game.Nobody:
		return dst
	case n.turn == game.Chance:
		for c := range int8(deck) {
			if c != n.cards[0] && c != n.cards[1] {
				dst = append(dst, game.Move(c))
			}
		}
		return dst
	}
	if n.paid[n.turn] < n.paid[1-n.turn] {
		dst = append(dst, fold)
	}
	dst = append(dst, call)
	if n.raises < maxRaises {
		dst = append(dst, raise)
	}
	return dst
}

func (s *Leduc) Play(m game.Move) {
	s.plies++
	n := &s.line[s.plies]
	*n = s.line[s.plies-1]
	n.move = m
	if n.turn == game.Chance {
		n.deal(int8(m))
		return
	}
	me := n.turn
	n.turn = 1 - me
	n.moved++
	switch {
	case m == fold:
		n.folded, n.turn = me, game.Nobody
	case m == raise:
		n.paid[me] = n.paid[1-me] + firstRaise<<n.round
		n.raises++
	case n.moved > 1: // a call, or the second check, ends the round
		n.paid[me] = n.paid[1-me]
		n.turn = game.Nobody
		if n.round == 0 {
			n.turn = game.Chance
		}
	}
}

// deal gives a card to the next place without one. A round begins after the second and third cards.
func (n *node) deal(card int8) {
	for i, c := range n.cards {
		if c >= 0 {
			continue
		}
		n.cards[i] = card
		if i > 0 {
			n.round, n.raises, n.moved, n.turn = int8(i-1), 0, 0, 0
		}
		return
	}
}

func (s *Leduc) Undo() { game.StepBack(&s.plies, s.first, "leduc") }

// Utility implements [game.State]. It returns the number of chips that p has won, or minus the
// number lost. A pair with the public card wins. Without a pair, the higher rank wins. Equal ranks
// share the pot.
func (s *Leduc) Utility(p game.Player) float64 {
	n := s.at()
	if n.folded == p {
		return -float64(n.paid[p])
	}
	sign := 1
	if n.folded < 0 {
		sign = Compare(s.Rank(p), s.Rank(1-p), s.Table())
	}
	return float64(sign * int(n.paid[1-p]))
}

// Compare returns 1 if a card of the first rank beats a card of the second rank, -1 if it loses,
// and 0 if the two share the pot. The third argument is the rank of the public card.
func Compare(own, other, table int) int {
	switch {
	case own == other:
		return 0
	case own == table:
		return 1
	case other == table:
		return -1
	}
	return cmp.Compare(own, other)
}

// Prob implements [game.Chancer]. Each remaining card is equally likely.
func (s *Leduc) Prob(game.Move) float64 { return 1 / float64(deck-s.dealt()) }

func (s *Leduc) dealt() (n int) {
	for _, c := range s.at().cards {
		if c >= 0 {
			n++
		}
	}
	return n
}

// For implements [game.Chancer]. It returns the player who receives the card. The public card
// counts as player 0's, because player 0 moves next.
func (s *Leduc) For() game.Player { return game.Player(s.dealt() % 2) }

func (s *Leduc) Hash() uint64 {
	h := uint64(s.plies)
	for i := 1; i <= s.plies; i++ {
		h = game.Mix(h<<3 ^ uint64(s.line[i].move))
	}
	return game.Mix(h)
}

func (s *Leduc) Clone() game.State {
	c := *s
	c.first = c.plies
	return &c
}

// Info implements [game.HiddenState]. It returns the position with a question mark for the
// opponent's card.
func (s *Leduc) Info(p game.Player) string { return string(s.AppendInfo(nil, p)) }

// Sample implements [game.HiddenState]. It draws the opponent's card from the cards that are
// neither p's nor on the table.
func (s *Leduc) Sample(p game.Player, rng *rand.Rand) game.State {
	c := s.Clone().(*Leduc)
	other, seen := 1-int(p), s.at().cards
	if seen[other] < 0 {
		return c
	}
	seen[other] = -1
	var left [deck]int8
	n := 0
	for card := range int8(deck) {
		if card != seen[0] && card != seen[1] && card != seen[2] {
			left[n], n = card, n+1
		}
	}
	drawn := left[rng.IntN(n)]
	for i := range c.line[:c.plies+1] {
		if c.line[i].cards[other] >= 0 {
			c.line[i].cards[other] = drawn
		}
	}
	c.line[1+other].move = game.Move(drawn)
	return c
}

// String implements [game.State]. It returns the private cards, the moves of the first round (f, c,
// r), the public card and the moves of the second round: `Ks Qh rc Jh cr`. Before the first card,
// it returns `-`.
func (s *Leduc) String() string { return s.Info(game.Nobody) }

// AppendInfo appends the result of Info, or the whole position if p is [game.Nobody].
func (s *Leduc) AppendInfo(out []byte, p game.Player) []byte {
	if s.plies == 0 {
		return append(out, '-')
	}
	for i := 1; i <= s.plies; i++ {
		m, before := s.line[i].move, s.line[i-1].turn
		if before != game.Chance {
			if s.line[i].moved == 1 {
				out = append(out, ' ')
			}
			out = append(out, "fcr"[m])
			continue
		}
		if i > 1 {
			out = append(out, ' ')
		}
		if p >= 0 && i <= 2 && i != int(p)+1 {
			out = append(out, '?')
		} else {
			out = append(out, name(int8(m))...)
		}
	}
	return out
}

func name(card int8) string { return cards[2*card : 2*card+2] }

// MoveString implements [game.State]: fold, call (also for a check), raise, or the card.
func (s *Leduc) MoveString(m game.Move) string {
	if s.at().turn == game.Chance {
		return name(int8(m))
	}
	return [...]string{"fold", "call", "raise"}[m]
}

func (s *Leduc) Draw(colour bool) string {
	var b strings.Builder
	n := s.at()
	face := func(card int8) string {
		if card < 0 {
			return "--"
		}
		if colour && card%2 == 1 {
			return text.Paint(colour, name(card), text.Fg(203))
		}
		return name(card)
	}
	for p := range game.Player(2) {
		mark, note := " ", ""
		if p == n.turn {
			mark = ">"
		}
		if n.folded == p {
			note = "  folded"
		}
		fmt.Fprintf(&b, "%s player %d  %s  chips %d%s\n", mark, p, face(n.cards[p]), n.paid[p], note)
	}
	fmt.Fprintf(&b, "  table     %s\n", face(n.cards[2]))
	return b.String()
}

func parseLeduc(text string) (game.State, error) {
	s := newLeduc()
	if err := read(s, "leduc", text, "fcr", "one of Js Jh Qs Qh Ks Kh"); err != nil {
		return nil, err
	}
	s.first = s.plies
	return s, nil
}
