package poker

import (
	"fmt"
	"strconv"

	"plyfit/game"
	"plyfit/internal/svg"
)

// seat returns a player's row in a picture. paid is the number of chips that the player has paid
// into the pot.
func seat(p game.Player, turn bool, paid int, folded bool) svg.Row {
	r := svg.Row{Name: fmt.Sprintf("player %d", p), Note: fmt.Sprintf("%d chips", paid), Turn: turn}
	if paid == 1 {
		r.Note = "1 chip"
	}
	if folded {
		r.Note += ", folded"
	}
	return r
}

// show adds a card to a row. The card may be hidden or not yet dealt.
func show(r svg.Row, dealt, hidden bool, card svg.Card) svg.Row {
	switch {
	case !dealt:
		r.Text = "no card yet"
	case hidden:
		r.Hidden = 1
	default:
		r.Cards = []svg.Card{card}
	}
	return r
}

// SVG implements [game.Illustrator]. It draws what the player below knows, or everything if below
// is [game.Nobody].
func (s *Kuhn) SVG(below game.Player) string {
	var rows []svg.Row
	for p := range game.Player(s.players) {
		card := s.Card(p)
		rows = append(rows, show(seat(p, s.Turn() == p, s.Paid(p), s.Folded(p)), card >= 0, below >= 0 && p != below, svg.Card{Rank: strconv.Itoa(card)}))
	}
	rows = append(rows, svg.Row{Name: "the deck", Text: fmt.Sprintf("cards 0 to %d, one of each; the highest card wins", s.players)})
	return svg.Table(rows, "kuhn: "+s.Info(below))
}

// Clicks implements [game.Illustrator]. Moves are not tied to a place in the picture.
func (s *Kuhn) Clicks(game.Move) [][]string { return nil }

// SVG implements [game.Illustrator]. It draws what the player below knows, or everything if below
// is [game.Nobody].
func (s *Leduc) SVG(below game.Player) string {
	n := s.at()
	var rows []svg.Row
	for p := range game.Player(2) {
		rows = append(rows, show(seat(p, p == n.turn, s.Paid(p), n.folded == p), n.cards[p] >= 0, below >= 0 && p != below, face(n.cards[p])))
	}
	rows = append(rows, show(svg.Row{Name: "the table"}, n.cards[2] >= 0, false, face(n.cards[2])))
	return svg.Table(rows, "leduc: "+s.Info(below))
}

func face(card int8) svg.Card {
	suit := "♠"
	if card%2 != 0 {
		suit = "♥"
	}
	return svg.Card{Rank: cards[2*max(0, card):][:1], Suit: suit}
}

// Clicks implements [game.Illustrator]. Moves have no places.
func (s *Leduc) Clicks(game.Move) [][]string { return nil }
