package svg

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"plyfit/internal/text"
)

// Card is a playing card; the zero Card is face down.
type Card struct{ Rank, Suit string }

// Row is a line of a table of cards: a player's, or the open cards.
type Row struct {
	Name   string // "player 0"
	Note   string // below the name: "3 chips, folded"
	Cards  []Card
	Hidden int    // cards that are not shown, in place of Cards
	Text   string // in place of cards
	Turn   bool   // this player decides
}

// Measures of a table of cards.
const (
	tableWidth, rowHigh, tableEdge = 560.0, 92.0, 10.0
	cardLeft, cardWide, cardHigh   = 132.0, 50.0, 70.0
)

// redSuits are drawn in red.
var redSuits = map[string]bool{"♥": true, "♦": true}

// Table draws rows of cards; cards overlap where they do not fit, with their corners visible. label
// is the text for screen readers.
func Table(rows []Row, label string) string {
	height := rowHigh*float64(len(rows)) + 2*tableEdge
	p := New(tableWidth, height, label)
	p.Rect(0, 0, tableWidth, height, 10, "#1c5138")
	for i := range rows {
		p.row(&rows[i], tableEdge+rowHigh*float64(i))
	}
	return p.String()
}

func (p *Picture) row(r *Row, y float64) {
	if r.Turn {
		p.Rect(5, y+2, tableWidth-10, rowHigh-4, 8, "#123c29", "stroke", "#f3c433", "stroke-width", "2.5")
	}
	base := y + rowHigh/2 + 5
	if r.Note != "" {
		base -= 11
	}
	p.Text(16, base, 15, "#ffffff", r.Name, "text-anchor", "start", "font-weight", "600")
	if r.Note != "" {
		p.Text(16, base+20, 13, "#dbeee3", r.Note, "text-anchor", "start")
	}
	top := y + (rowHigh-cardHigh)/2
	switch {
	case r.Text != "":
		lines := text.Wrap(strings.Fields(r.Text), func(line string) bool { return utf8.RuneCountInString(line) <= 46 })
		for k, line := range lines {
			p.Text(cardLeft, y+rowHigh/2+5+22*(float64(k)-float64(len(lines)-1)/2), 15, "#ffffff", line, "text-anchor", "start")
		}
	case r.Hidden > 1:
		for k := range min(r.Hidden, 8) {
			p.card(Card{}, cardLeft+6*float64(k), top, true)
		}
		p.Text(cardLeft+6*7+cardWide+16, y+rowHigh/2+5, 15, "#ffffff", strconv.Itoa(r.Hidden)+" cards, hidden", "text-anchor", "start")
	case r.Hidden == 1:
		p.card(Card{}, cardLeft, top, false)
		p.Text(cardLeft+cardWide+16, y+rowHigh/2+5, 15, "#ffffff", "hidden", "text-anchor", "start")
	default:
		step := min(cardWide+6, (tableWidth-cardLeft-cardWide-16)/max(1, float64(len(r.Cards)-1)))
		for k, c := range r.Cards {
			p.card(c, cardLeft+step*float64(k), top, step < cardWide && k < len(r.Cards)-1)
		}
	}
}

// card draws a card at x, y; of a covered one only its edge is visible.
func (p *Picture) card(c Card, x, y float64, covered bool) {
	if c == (Card{}) {
		p.Rect(x, y, cardWide, cardHigh, 6, "#274b8f", "stroke", "#ffffff", "stroke-width", "1.5")
		p.Rect(x+6, y+6, cardWide-12, cardHigh-12, 3, "none", "stroke", "#9db6e6", "stroke-width", "1.5")
		return
	}
	ink := "#16181d"
	if redSuits[c.Suit] {
		ink = "#b3201a"
	}
	p.Rect(x, y, cardWide, cardHigh, 6, "#ffffff", "stroke", "#5b6675", "stroke-width", "1")
	size := 17.0
	if len(c.Rank) > 1 {
		size = 13
	}
	p.Text(x+11, y+19, size, ink, c.Rank, "font-weight", "700")
	if c.Suit != "" {
		p.Text(x+11, y+36, 15, ink, c.Suit)
	}
	switch {
	case covered:
	case c.Suit != "":
		p.Text(x+cardWide/2+5, y+cardHigh-12, 30, ink, c.Suit)
	default:
		p.Text(x+cardWide/2+5, y+cardHigh-12, 26, ink, c.Rank, "font-weight", "700")
	}
}
