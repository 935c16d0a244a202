package leduc

import (
	"fmt"

	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// SVG implements [game.Illustrator]: what player below knows, and everything for
// [game.Nobody].
func (s *State) SVG(below game.Player) string {
	n := s.at()
	var rows []svg.Row
	for i, name := range []string{"player 0", "player 1", "the table"} {
		p := game.Player(i)
		r := svg.Row{Name: name}
		if i < 2 {
			r.Turn = p == n.turn
			if r.Note = fmt.Sprintf("%d chips", n.paid[p]); n.paid[p] == 1 {
				r.Note = "1 chip"
			}
			if n.folded == p {
				r.Note += ", folded"
			}
		}
		switch c := n.cards[i]; {
		case c < 0:
			r.Text = "no card yet"
		case i < 2 && below >= 0 && p != below:
			r.Hidden = 1
		default:
			r.Cards = []svg.Card{face(c)}
		}
		rows = append(rows, r)
	}
	return svg.Table(rows, "leduc: "+s.text(below))
}

// face is a card as it is drawn.
func face(card int8) svg.Card {
	suit := "♠"
	if card%2 == 1 {
		suit = "♥"
	}
	return svg.Card{Rank: name(card)[:1], Suit: suit}
}

// Clicks implements [game.Illustrator]: no move has a place.
func (s *State) Clicks(game.Move) [][]string { return nil }
