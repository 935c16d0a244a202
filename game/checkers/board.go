package checkers

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/game/grid"
)

var layout = grid.Layout{
	Width: 3, Left: "  ", Side: "│", Top: "┌──┐", Bottom: "└──┘",
	Size: 60, Back: "#ead9b5",
}

// Figures of the squares.
var (
	light   = grid.Figure{Ground: 180}
	dark    = grid.Figure{Ground: 65, Art: `<rect x="-30" y="-30" width="60" height="60" fill="#56744a"/>`}
	marked  = grid.Figure{Ground: 101, Mark: true, Art: `<rect x="-30" y="-30" width="60" height="60" fill="#d9b23a" fill-opacity=".6"/>`}
	figures = [2][2]grid.Figure{ // by side, then men and kings
		{{Text: "●", Ink: 16, Art: man("#25211f", "#8d857e") + ring("#8d857e")}, {Text: "♛", Ink: 16, Art: man("#25211f", "#8d857e") + crown}},
		{{Text: "○", Solid: "●", Ink: 231, Art: man("#f7f2e6", "#8a7f6b") + ring("#8a7f6b")}, {Text: "♕", Solid: "♛", Ink: 231, Art: man("#f7f2e6", "#8a7f6b") + crown}},
	}
)

const crown = `<path transform="translate(-12-10)" d="M0 18L-2 3l7 6 7-9 7 9 7-6-2 15z" fill="#e0a92a" stroke="#5c4208" stroke-width="1.5" stroke-linejoin="round"/>`

func man(body, rim string) string {
	return `<circle r="24" fill="` + body + `" stroke="` + rim + `" stroke-width="2.5"/>`
}

func ring(rim string) string {
	return `<circle r="16" fill="none" stroke="` + rim + `" stroke-width="2"/>`
}

// numeral returns the figure of the empty square n, which is the square's number. Pictures show it
// in a corner.
func numeral(n int, ink string) grid.Figure {
	return grid.Figure{Text: fmt.Sprintf("%2d", n), Ink: 108, Art: `<text x="-29" y="-19.5" font-size="10.5" fill="` + ink + `">` + strconv.Itoa(n) + `</text>`}
}

// grid returns the board with the usual numbers and with black at the top. The first and last
// squares of the last move are marked.
func (s *State) grid(colour bool) *grid.Board {
	at := s.analysed()
	g := layout.New(8, 8, "checkers: "+s.String())
	g.Notes = s.notes(colour)
	var moved uint64
	if s.ply > 0 {
		moved = s.line[s.ply-1].men[1-s.side()] ^ at.men[1-s.side()]
	}
	n := 0
	for i := range g.Cells {
		c := &g.Cells[i]
		if (i/8+i%8)%2 == 0 {
			c.Add(light)
			continue
		}
		n++
		bit := uint64(1) << bitOf[n]
		c.Place = strconv.Itoa(n)
		c.Add(dark)
		if moved&bit != 0 {
			c.Add(marked, numeral(n, "#14200f"))
		} else {
			c.Add(numeral(n, "#ffffff"))
		}
		for p, men := range at.men {
			if men&bit != 0 {
				c.Add(figures[p][at.kings>>bitOf[n]&1])
			}
		}
	}
	return g
}

// notes returns the text next to the board: each side's pieces and the player to move.
func (s *State) notes(colour bool) map[int]string {
	at, notes := s.analysed(), map[int]string{}
	var name [2]string
	for p := range name {
		name[p] = grid.Inline(colour, dark, figures[p][0]) + [2]string{" black", " white"}[p]
		head := name[p]
		if !colour {
			head = [2]string{"● ♛ black", "○ ♕ white"}[p]
		}
		notes[7*p] = fmt.Sprintf("%s: men %2d, kings %d", head, bits.OnesCount64(s.Men(game.Player(p))), bits.OnesCount64(s.Kings(game.Player(p))))
	}
	switch {
	case at.stage == drawn:
		notes[3] = "over: a draw"
	case at.stage == lost:
		notes[3] = fmt.Sprintf("over: %s wins", name[1-s.side()])
	default:
		notes[3] = name[s.side()] + " to move"
		if s.Jumps(game.Player(s.side())) {
			notes[3] += ", must jump"
		}
	}
	if at.clock > 0 {
		notes[4] = fmt.Sprintf("%d quiet plies of %d", at.clock, quietLimit)
	}
	return notes
}

// Draw implements [game.Drawer]. White is at the bottom.
func (s *State) Draw(colour bool) string { return s.grid(colour).Text(colour) }

// SVG implements [game.Illustrator]. The picture is rotated if black is the player below.
func (s *State) SVG(below game.Player) string { return s.grid(false).SVG(below == 0) }

// Clicks implements [game.Illustrator]. The places are all the squares on the path of the move.
func (s *State) Clicks(m game.Move) [][]string {
	return [][]string{strings.FieldsFunc(s.MoveString(m), func(r rune) bool { return r == '-' || r == 'x' })}
}

// Cells implements [game.Celled]. Each player views the board from their own side, so at the start
// the first rows contain the player's own men.
func (s *State) Cells() game.Cells { return cells }

var cells = game.Cells{
	Rows: 8, Columns: 8, Upward: true, States: 5, Symbols: ".oOxX",
	Legend: "o own man, O own king, x opponent's man, X opponent's king, . empty square",
	Holes:  lightSquares(),
}

func lightSquares() (light []int) {
	for i := range 64 {
		if (i/8+i%8)%2 == 0 {
			light = append(light, i)
		}
	}
	return light
}

func (s *State) Fill(p game.Player, dst []uint8) {
	clear(dst)
	at := &s.line[s.ply]
	turn := 63 * int(p&1) // the second player's board is rotated
	for side, men := range at.men {
		what := uint8(1 + 2*(side^int(p&1)))
		for set := men; set != 0; set &= set - 1 {
			bit := set & -set
			cell := cellOf[bits.TrailingZeros64(bit)]
			dst[int(cell)^turn] = what
			if at.kings&bit != 0 {
				dst[int(cell)^turn]++
			}
		}
	}
}

// cellOf contains the cell of each bit. Square 1 is the second cell of the first row.
var cellOf = func() (cell [64]uint8) {
	for n := 1; n < len(bitOf); n++ {
		row := (n - 1) / 4
		cell[bitOf[n]] = uint8(8*row + 2*((n-1)%4) + 1 - row%2)
	}
	return cell
}()
