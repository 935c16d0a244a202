package doudizhu

import (
	"strings"

	"plyfit/game"
)

// Ranks is the number of ranks, from 3 to 2 and the two jokers. Suits do not matter.
const Ranks = 15

// Ranks that cannot be part of a chain.
const (
	Two   = 12
	Black = 13 // the lower joker
	Red   = 14
)

// Cards contains the number of cards of each rank.
type Cards [Ranks]int8

var full = Cards{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1}

// Count returns the number of cards.
func (c *Cards) Count() (n int) {
	for _, k := range c {
		n += int(k)
	}
	return n
}

// add adds n times other.
func (c *Cards) add(other *Cards, n int8) {
	for r, k := range other {
		c[r] += n * k
	}
}

const symbols = "3456789TJQKA2BR"

// append appends the cards from the lowest to the highest, or a hyphen if there are none.
func (c *Cards) append(out []byte) []byte {
	from := len(out)
	for r, n := range c {
		for range n {
			out = append(out, symbols[r])
		}
	}
	if len(out) == from {
		out = append(out, '-')
	}
	return out
}

func readCards(text string) (c Cards, ok bool) {
	if text == "-" {
		return c, true
	}
	last := 0
	for _, symbol := range text {
		r := strings.IndexRune(symbols, symbol)
		if r < last || c[r] == full[r] {
			return c, false
		}
		c[r], last = c[r]+1, r
	}
	return c, text != ""
}

// A Kind is a type of card combination.
type Kind uint8

// The kinds. Chains are consecutive ranks up to the ace.
const (
	Other      Kind = iota // a pass, a bid, or a card that is dealt
	Solos                  // a single card, or a chain of at least 5
	Pairs                  // a pair, or a chain of at least 3
	Trios                  // a trio, or a chain of at least 2 (an airplane)
	TriosSolos             // trios, each with a single card
	TriosPairs             // trios, each with a pair
	FourSolos              // four of a rank with two single cards; not a bomb
	FourPairs              // four of a rank with two pairs
	Bomb
	Rocket // both jokers
)

// Pass is the move of a player who does not bid or does not beat the last play.
const Pass game.Move = 0

// A play is encoded as the kind, the lowest rank, the length in ranks, and up to five kicker ranks,
// with four bits each. noKicker marks an unused kicker.
const noKicker = 15

// A Play is a combination of cards in decoded form.
type Play struct {
	Kind    Kind
	Head    int // lowest rank of the main part
	Length  int // number of ranks of the main part
	Kickers [5]int8
}

func (p *Play) move() game.Move {
	m := game.Move(p.Kind)<<28 | game.Move(p.Head)<<24 | game.Move(p.Length)<<20
	for i, k := range p.Kickers {
		m |= game.Move(k) << (4 * i)
	}
	return m
}

// PlayOf returns the play that a move represents once the bidding is over. A pass has the kind
// Other.
func PlayOf(m game.Move) Play {
	p := Play{Kind: Kind(m >> 28), Head: int(m >> 24 & 15), Length: int(m >> 20 & 15)}
	for i := range p.Kickers {
		p.Kickers[i] = int8(m >> (4 * i) & 15)
	}
	return p
}

// Shape returns the number of cards in each main rank, the number of kickers, and the number of
// cards in each kicker.
func (p *Play) Shape() (main, kickers, each int) {
	switch p.Kind {
	case Solos, Rocket:
		return 1, 0, 0
	case Pairs:
		return 2, 0, 0
	case Trios:
		return 3, 0, 0
	case TriosSolos:
		return 3, p.Length, 1
	case TriosPairs:
		return 3, p.Length, 2
	case FourSolos:
		return 4, 2, 1
	case FourPairs:
		return 4, 2, 2
	case Bomb:
		return 4, 0, 0
	}
	return 0, 0, 0
}

// Cards returns the cards of the play.
func (p *Play) Cards() (c Cards) {
	main, kickers, each := p.Shape()
	for i := range p.Length {
		c[p.Head+i] += int8(main)
	}
	for _, k := range p.Kickers[:kickers] {
		c[k] += int8(each)
	}
	return c
}

// Beats reports whether p may follow the play last.
func (p *Play) Beats(last *Play) bool {
	switch {
	case p.Kind == Rocket:
		return true
	case p.Kind == Bomb && last.Kind != Bomb:
		return last.Kind != Rocket
	}
	return p.Kind == last.Kind && p.Length == last.Length && p.Head > last.Head
}

// append appends the main part, followed by a hyphen and the kickers, as in 333444-59.
func (p *Play) append(out []byte) []byte {
	main, kickers, each := p.Shape()
	for i := range p.Length {
		for range main {
			out = append(out, symbols[p.Head+i])
		}
	}
	if kickers > 0 {
		out = append(out, '-')
	}
	for _, k := range p.Kickers[:kickers] {
		for range each {
			out = append(out, symbols[k])
		}
	}
	return out
}
