package poker

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"

	"plyfit/game"
	"plyfit/internal/text"
)

// A player's moves in Leduc hold'em. Nature's are the cards, 0 to 5 for Js Jh Qs Qh Ks Kh.
const (
	fold game.Move = iota
	call           // or check, where there is nothing to call
	raise
)

// Ranks is their number, of jacks, queens and kings; there are two cards of each.
const Ranks = 3

const (
	deck       = 2 * Ranks
	cards      = "JsJhQsQhKsKh"
	maxRaises  = 2 // a round
	firstRaise = 2 // chips; twice that in the second round
	maxPlies   = 3 + 2*4
	maxStake   = 1 + maxRaises*firstRaise*3
)

// NewLeduc is Leduc hold'em; it has no options.
func NewLeduc(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name:      "leduc",
		Spec:      "leduc",
		Doc:       "Leduc hold'em: two rounds of bets, a card each and one for both; hidden cards; moves fold call raise",
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
	line  [maxPlies + 1]node // since the start
	plies int                // of the position in line
	first int                // before which nothing can be undone
}

type node struct {
	move   game.Move   // that led here
	cards  [3]int8     // of player 0, player 1 and the table; -1: not dealt yet
	paid   [2]int8     // chips of each player, the ante included
	turn   game.Player // as Turn has it
	round  int8        // 0 and 1
	raises int8        // in this round
	moved  int8        // decisions in this round
	folded game.Player // who has folded; Nobody: no one
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

// Rank is the rank of the card of p, 0 for the jack to 2 for the king, and -1
// where it is not dealt yet.
func (s *Leduc) Rank(p game.Player) int { return rank(s.at().cards[p]) }

// Table is the rank of the public card, -1 where it is not dealt yet.
func (s *Leduc) Table() int { return rank(s.at().cards[2]) }

func rank(card int8) int {
	if card < 0 {
		return -1
	}
	return int(card / 2)
}

// Paid is how many chips p has put in.
func (s *Leduc) Paid(p game.Player) int { return int(s.at().paid[p]) }

func (s *Leduc) Turn() game.Player { return s.at().turn }

// Moves implements [game.State]: the cards that are left; or fold where there is
// something to call, call, and raise while the round has seen fewer than two.
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

// deal gives a card to the next who lacks one; with the second and the third a round begins.
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

func (s *Leduc) Undo() {
	if s.plies == s.first {
		panic("leduc: Undo at the first position")
	}
	s.plies--
}

// Utility implements [game.State]: the chips won, or minus those lost. A pair with
// the card on the table wins, else the higher rank; equal ranks share the pot.
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

// Compare is 1 where a card of rank own wins against one of rank other with one of
// rank table on the table, -1 where it loses and 0 where they share the pot.
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

// Prob implements [game.Chancer]: each card that is left is equally likely.
func (s *Leduc) Prob(game.Move) float64 { return 1 / float64(deck-s.dealt()) }

func (s *Leduc) dealt() (n int) {
	for _, c := range s.at().cards {
		if c >= 0 {
			n++
		}
	}
	return n
}

// For implements [game.Chancer]: who is dealt the card; the public card counts
// as player 0's, who moves next.
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

// Info implements [game.HiddenState]: the position with the other's card as a question mark.
func (s *Leduc) Info(p game.Player) string { return string(s.AppendInfo(nil, p)) }

// Sample implements [game.HiddenState]: the other's card is drawn from those that are
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

// String implements [game.State]: the private cards, the moves of the first round (f, c, r), the
// public card, the moves of the second: `Ks Qh rc Jh cr`; before the first card `-`.
func (s *Leduc) String() string { return s.Info(game.Nobody) }

// AppendInfo appends what Info gives; all of the position for no one.
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

// MoveString implements [game.State]: fold, call (a check, too), raise, or the card.
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
