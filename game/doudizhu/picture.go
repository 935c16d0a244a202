package doudizhu

import (
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/svg"
)

// SVG implements [game.Illustrator]. It draws what the player below knows, or everything for
// [game.Nobody]. Suits do not matter, so the cards show only their ranks.
func (s *State) SVG(below game.Player) string {
	at := s.at()
	var rows []svg.Row
	row := func(name, note string, c *Cards, shown bool) *svg.Row {
		r := svg.Row{Name: name, Note: note}
		switch {
		case c.Count() == 0:
			r.Text = "no cards"
		case shown:
			r.Cards = c.faces()
		default:
			r.Hidden = c.Count()
		}
		rows = append(rows, r)
		return &rows[len(rows)-1]
	}
	for p := range game.Player(Players) {
		note := ""
		switch int8(p) {
		case at.landlord:
			note = "the landlord"
		default:
			if at.landlord != none {
				note = "a farmer"
			}
		}
		row(fmt.Sprintf("player %d", p), note, &at.hands[p], below < 0 || p == below).Turn = s.Turn() == p
	}
	if at.stage == bidding {
		row("the table", "for the landlord", &at.bottom, below < 0)
	}
	if last, by := s.Last(); at.stage == playing && last.Kind != Other {
		cards := last.Cards()
		row("to beat", fmt.Sprintf("of player %d", by), &cards, true)
	}
	if unseen := s.Unseen(below); below >= 0 && at.stage != over {
		r := row("not seen yet", "by player "+fmt.Sprint(int(below)), &unseen, true)
		r.Cards, r.Text = nil, unseen.counted()
	}
	return svg.Table(rows, "doudizhu: "+s.text(below))
}

func (c *Cards) faces() (out []svg.Card) {
	for r, n := range c {
		for range n {
			out = append(out, face(r))
		}
	}
	return out
}

func face(rank int) svg.Card {
	switch rank {
	case 7:
		return svg.Card{Rank: "10"}
	case Black:
		return svg.Card{Rank: "B", Suit: "★"}
	case Red:
		return svg.Card{Rank: "R", Suit: "★"}
	}
	return svg.Card{Rank: symbols[rank : rank+1]}
}

// counted returns the number of cards of each rank as text.
func (c *Cards) counted() string {
	var words []string
	for r, n := range c {
		switch {
		case n == 1:
			words = append(words, face(r).Rank)
		case n > 1:
			words = append(words, fmt.Sprintf("%d×%s", n, face(r).Rank))
		}
	}
	return strings.Join(words, "  ")
}

// Clicks implements [game.Illustrator]. Moves have no places.
func (s *State) Clicks(game.Move) [][]string { return nil }
