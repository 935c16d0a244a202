// Package svg draws boards, diagrams and report figures. [New] starts a picture, methods add shapes
// from back to front, and [Picture.String] returns the SVG element. The zero Picture collects
// elements for another picture ([Picture.Elements]). Styles are attributes, so a picture in a page
// with a strict content security policy appears the same as in a file.
package svg

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"plyfit/internal/text"
)

// A Picture is an SVG element under construction. x increases to the right and y downwards from the
// top left corner, in the picture's own units.
type Picture struct {
	root string // opening tag of the element
	b    strings.Builder
}

// New starts a picture with a label for screen readers.
func New(width, height float64, label string) *Picture {
	return &Picture{root: fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" aria-label="%s" font-family="system-ui, sans-serif">`,
		Number(width), Number(height), html.EscapeString(label))}
}

// Number formats a length or coordinate to a tenth of a unit.
func Number(x float64) string {
	return strconv.FormatFloat(math.Round(10*x)/10+0, 'f', -1, 64)
}

// add writes an element with its numbers, its fill, and further attributes as name, value, ...
func (p *Picture) add(element string, names []string, values []float64, fill string, more []string) {
	p.b.WriteString("<" + element)
	for i, name := range names {
		p.b.WriteString(" " + name + `="` + Number(values[i]) + `"`)
	}
	if fill != "" {
		more = append([]string{"fill", fill}, more...)
	}
	p.attributes(more)
	p.b.WriteString("/>")
}

func (p *Picture) attributes(more []string) {
	for i := 0; i+1 < len(more); i += 2 {
		p.b.WriteString(" " + more[i] + `="` + html.EscapeString(more[i+1]) + `"`)
	}
}

// Rect draws a rectangle whose corners are rounded with the radius round.
func (p *Picture) Rect(x, y, width, height, round float64, fill string, more ...string) {
	if round > 0 {
		more = append([]string{"rx", Number(round)}, more...)
	}
	p.add("rect", []string{"x", "y", "width", "height"}, []float64{x, y, width, height}, fill, more)
}

// Circle draws a filled circle.
func (p *Picture) Circle(x, y, radius float64, fill string, more ...string) {
	p.add("circle", []string{"cx", "cy", "r"}, []float64{x, y, radius}, fill, more)
}

// Line draws a straight line with a colour and a width.
func (p *Picture) Line(x1, y1, x2, y2, width float64, colour string, more ...string) {
	p.add("line", []string{"x1", "y1", "x2", "y2", "stroke-width"}, []float64{x1, y1, x2, y2, width}, "", append([]string{"stroke", colour}, more...))
}

// Path draws an outline in SVG's path syntax.
func (p *Picture) Path(outline, fill string, more ...string) {
	p.add("path", nil, nil, fill, append([]string{"d", outline}, more...))
}

// Text draws one line of text with baseline y, centred at x unless the further attributes contain
// text-anchor.
func (p *Picture) Text(x, y, size float64, fill, text string, more ...string) {
	fmt.Fprintf(&p.b, `<text x="%s" y="%s" font-size="%s" fill="%s"`, Number(x), Number(y), Number(size), html.EscapeString(fill))
	anchored := false
	for i := 0; i < len(more); i += 2 {
		anchored = anchored || more[i] == "text-anchor"
	}
	if !anchored {
		p.b.WriteString(` text-anchor="middle"`)
	}
	p.attributes(more)
	p.b.WriteString(">" + html.EscapeString(text) + "</text>")
}

// Begin starts a group translated by x, y. End ends it.
func (p *Picture) Begin(x, y float64) {
	p.b.WriteString(`<g transform="translate(` + Point(x, y) + `)">`)
}

// Add writes elements unchanged.
func (p *Picture) Add(elements string) { p.b.WriteString(elements) }

// End ends the group that was started last.
func (p *Picture) End() { p.b.WriteString("</g>") }

// Place adds an invisible named rectangle, which pages use as a click target.
func (p *Picture) Place(name string, x, y, width, height float64) {
	p.Rect(x, y, width, height, 4, "transparent", "class", "place", "data-place", name)
}

// Link adds a rectangle that links to an address. name is its text for screen readers.
func (p *Picture) Link(address, name string, x, y, width, height float64) {
	p.root = strings.Replace(p.root, `role="img"`, `role="group"`, 1) // an element with the role img cannot contain links
	p.b.WriteString(`<a href="` + html.EscapeString(address) + `" aria-label="` + html.EscapeString(name) + `">`)
	p.Rect(x, y, width, height, 4, "transparent", "class", "place-link")
	p.b.WriteString("</a>")
}

// dots contains the column and row of each dot on a face, from 0 to 2.
var dots = [7]string{1: "11", 2: "0022", 3: "001122", 4: "00220220", 5: "0022022011", 6: "000102202122"}

// Die draws a die with a face from 1 to 6 and colours for the face, the dots and the rim. Face 0
// has no dots.
func (p *Picture) Die(x, y, side float64, face int, fill, ink, rim string) {
	p.Rect(x, y, side, side, side/5, fill, "stroke", rim, "stroke-width", Number(side/25))
	for k := 0; k < len(dots[face]); k += 2 {
		column, row := float64(int(dots[face][k])-'1'), float64(int(dots[face][k+1])-'1')
		p.Circle(x+side*(0.5+0.28*column), y+side*(0.5+0.28*row), side/10, ink)
	}
}

// String returns the complete element.
func (p *Picture) String() string { return p.root + p.b.String() + "</svg>" }

// Elements returns the elements in the picture.
func (p *Picture) Elements() string { return p.b.String() }

// Point formats a pair of coordinates for an outline.
func Point(x, y float64) string { return Number(x) + " " + Number(y) }

// TextWidth estimates the width of a line of text. The actual font may differ by a tenth.
func TextWidth(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("iljtfr.,'|:;()[] ", r):
			w += 0.34
		case strings.ContainsRune("mwMW%@", r):
			w += 0.88
		case r >= 'A' && r <= 'Z':
			w += 0.68
		default:
			w += 0.57
		}
	}
	return w * size
}

// Wrap breaks a text at spaces into lines that are not wider than room, unless a single word is
// wider.
func Wrap(s string, size, room float64) []string {
	return text.Wrap(strings.Fields(s), func(line string) bool { return TextWidth(line, size) <= room })
}

// A Card is a playing card. The zero Card is face down.
type Card struct{ Rank, Suit string }

// A Row is a row in a table of cards: the cards of a player, or the open cards.
type Row struct {
	Name   string // for example "player 0"
	Note   string // text below the name, for example "3 chips, folded"
	Cards  []Card
	Hidden int    // number of hidden cards, drawn instead of Cards
	Text   string // text instead of cards
	Turn   bool   // whether this player decides
}

// Dimensions of a table of cards.
const (
	tableWidth, rowHigh, tableEdge = 560.0, 92.0, 10.0
	cardLeft, cardWide, cardHigh   = 132.0, 50.0, 70.0
)

// redSuits contains the suits that are drawn in red.
var redSuits = map[string]bool{"♥": true, "♦": true}

// Table draws rows of cards. If there is not enough room, cards overlap with visible corners. label
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

// card draws a card at x, y. If it is covered, only its edge is visible.
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
