package kuhn

import (
	"fmt"
	"strconv"

	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// SVG implements [game.Illustrator]: what player below knows, and everything for
// [game.Nobody].
func (s *State) SVG(below game.Player) string {
	var rows []svg.Row
	for p := range game.Player(s.players) {
		r := svg.Row{Name: fmt.Sprintf("player %d", p), Note: chips(s.Paid(p)), Turn: s.Turn() == p}
		if s.Folded(p) {
			r.Note += ", folded"
		}
		switch c := s.Card(p); {
		case c < 0:
			r.Text = "no card yet"
		case below >= 0 && p != below:
			r.Hidden = 1
		default:
			r.Cards = []svg.Card{{Rank: strconv.Itoa(c)}}
		}
		rows = append(rows, r)
	}
	rows = append(rows, svg.Row{Name: "the deck", Text: fmt.Sprintf("one card each of 0 to %d; the highest wins", s.players)})
	return svg.Table(rows, "kuhn: "+s.text(below))
}

func chips(n int) string {
	if n == 1 {
		return "1 chip"
	}
	return fmt.Sprintf("%d chips", n)
}

// Clicks implements [game.Illustrator]: no move has a place.
func (s *State) Clicks(game.Move) [][]string { return nil }
