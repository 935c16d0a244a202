package backgammon

import (
	"fmt"
	"math/bits"
	"strings"

	"plyfit/game"
	"plyfit/internal/text"
)

// Draw implements [game.Drawer]. It draws the board from player 0's side, with X for player 0's
// checkers and O for player 1's. Each half has five rows, and a higher stack shows its number of
// checkers. The points changed by the last turn are marked.
func (s *State) Draw(colour bool) string {
	p := s.at()
	d := drawing{p: p, touched: s.touched(), colour: colour, men: [2]string{"X", "O"}}
	if colour {
		d.men = [2]string{"●", "●"}
	}
	upper, lower := make([]int, 12), make([]int, 12)
	for i := range 12 {
		upper[i], lower[i] = 13+i, 12-i
	}
	var out strings.Builder
	out.WriteString("+13-14-15-16-17-18--------19-20-21-22-23-24-+\n")
	for row := range 5 {
		out.WriteString(d.line(upper, row, p.sides[0].count(Bar), 0) + d.tally(row, 1) + "\n")
	}
	out.WriteString("|                   | BAR |                   |\n")
	for row := 4; row >= 0; row-- {
		out.WriteString(d.line(lower, row, 0, p.sides[1].count(Bar)) + d.tally(row, 0) + "\n")
	}
	out.WriteString("+12-11-10--9--8--7---------6--5--4--3--2--1-+\n")
	switch {
	case p.over:
		fmt.Fprintf(&out, "%s wins %g\n", d.name(1-p.player), s.Utility(1-p.player))
	case s.Turn() == game.Chance:
		fmt.Fprintf(&out, "%s to roll\n", d.name(p.player))
	default:
		faces := [7]string{"", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"}
		fmt.Fprintf(&out, "%s to play %d%d  %s %s\n", d.name(p.player), p.dice[0], p.dice[1], faces[p.dice[0]], faces[p.dice[1]])
	}
	return out.String()
}

type drawing struct {
	p       *position
	touched uint32 // points that get a mark
	colour  bool
	men     [2]string // characters for the checkers of each player
}

var paints = [2]text.Style{text.Fg(231), text.Fg(203)}

// line returns one row of half the board, counted from its edge, with the bar in the middle.
func (d *drawing) line(points []int, row, barX, barO int) string {
	var out strings.Builder
	out.WriteString("|")
	for k, i := range points {
		if k == 6 {
			out.WriteString(" |" + d.cell(barX, barO, row, false) + "  |")
		}
		out.WriteString(d.cell(d.p.sides[0].count(i), d.p.sides[1].count(25-i), row, d.touched>>i&1 != 0, d.ground(i)))
	}
	out.WriteString(" |")
	return out.String()
}

// cell returns one row of a stack, counted from the edge. If mark is set and colours are not used,
// the first row gets a mark.
func (d *drawing) cell(x, o, row int, mark bool, ground ...text.Style) string {
	n, who := x, 0
	if o > 0 {
		n, who = o, 1
	}
	shown := "   "
	switch {
	case n > 5 && row == 4:
		shown = fmt.Sprintf("%2d ", n)
	case row < n:
		shown = " " + d.men[who] + " "
	}
	if mark && row == 0 && !d.colour {
		shown = shown[:2] + "<"
	}
	return text.Paint(d.colour, shown, append(ground, paints[who], text.Bold)...)
}

// ground returns the background of a point. Light and dark backgrounds alternate.
func (d *drawing) ground(i int) text.Style {
	shades := [2]text.Style{text.Bg(236), text.Bg(239)}
	if d.touched>>i&1 != 0 {
		shades = [2]text.Style{text.Bg(58), text.Bg(58)}
	}
	return shades[i&1]
}

// tally returns the text next to a player's edge of the board: the checkers borne off and the pips.
func (d *drawing) tally(row int, who game.Player) string {
	if row != 0 {
		return ""
	}
	side := &d.p.sides[who]
	return fmt.Sprintf("  %s off %2d   pips %d", text.Paint(d.colour, d.men[who], paints[who], text.Bold), side.count(Off), side.pips())
}

// name returns the name of a player below the board.
func (d *drawing) name(who game.Player) string {
	if !d.colour {
		return d.men[who]
	}
	return text.Paint(d.colour, d.men[who], paints[who], text.Bold) + " " + [2]string{"X", "O"}[who]
}

// touched returns the points, in player 0's numbering, on which the last turn changed the number of
// the mover's checkers.
func (s *State) touched() (points uint32) {
	now := s.at()
	before := s.ply - 1
	for before >= 0 && s.line[before].sides == now.sides {
		before-- // a roll, or a pass
	}
	if before < 0 {
		return 0
	}
	mover := s.line[before].player
	for i := 1; i <= 24; i++ {
		if now.sides[mover].count(i) != s.line[before].sides[mover].count(i) {
			if mover == 0 {
				points |= 1 << i
			} else {
				points |= 1 << (25 - i)
			}
		}
	}
	return points
}

// pips returns the pip count of a side.
func (s *side) pips() (pips int) {
	for i := 1; i <= Bar; i++ {
		pips += i * s.count(i)
	}
	return pips
}

// The board is described as cells in two rows. The upper row contains a player's points 13 to 24
// and the player's bar. The lower row contains the points 12 to 1 and the opponent's bar. A checker
// that is hit is therefore next to the points on which it enters.
const (
	cellRows    = 2
	cellColumns = 13
	mostCounted = 3 // largest number of checkers distinguished in a cell
	offAtOnce   = 3 // number of checkers borne off for each step of the additional cells
	offSteps    = Checkers/offAtOnce + 1
)

// Cells implements [game.Celled]. The checkers borne off are additional cells.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: cellRows, Columns: cellColumns, States: 1 + 2*mostCounted, Symbols: ".123abc",
		Legend: "1 2 3 own checkers (3: three or more), a b c opponent's checkers, . no checkers; the last column contains the bars",
		Extra:  []int{offSteps, offSteps},
	}
}

func (s *State) Fill(p game.Player, dst []uint8) {
	clear(dst)
	for k, side := range [2]*side{&s.at().sides[p], &s.at().sides[1-p]} {
		for place := uint(1); place <= Bar; place++ {
			if !side.has(place) {
				continue
			}
			at := place // in p's numbering; the opponent's bar is point 0
			if k > 0 {
				at = Bar - place
			}
			dst[cellAt(at)] = uint8(k*mostCounted + min(side.count(int(place)), mostCounted))
		}
		dst[cellRows*cellColumns+k] = uint8(side.count(Off) / offAtOnce)
	}
}

// cellAt returns the cell of a place, from 0 for the opponent's bar to Bar for the player's own
// bar.
func cellAt(place uint) uint {
	if place > Bar/2 {
		return place - (Bar/2 + 1)
	}
	return 2*cellColumns - 1 - place
}

// Bar and Off are the places of checkers that are not on the points 1 to 24. Each player counts the
// points from their own home board, so checkers move towards lower numbers.
const (
	Bar = 25
	Off = 0
)

// A side contains one player's checkers, in that player's numbering, with four bits for each place
// from Off to Bar. The first word contains 16 places, and the upper 24 bits of the second word are
// always zero.
type side [2]uint64

func (s *side) add(place, n int)     { s[place>>4] += uint64(n) << (place & 15 * 4) }
func (s *side) count(place int) int  { return int(s[place>>4&1] >> (place & 15 * 4) & 15) }
func (s *side) has(place uint) bool  { return s[place>>4&1]>>(place&15*4)&15 != 0 }
func (s *side) single(from int) bool { return s.count(from) == 1 }

func (s *side) shift(from, to int) {
	s[from>>4&1] -= 1 << (from & 15 * 4)
	s[to>>4&1] += 1 << (to & 15 * 4)
}

const ones = 0x1111111111111111

// compress moves every fourth bit of x into the lowest 16 bits. The other bits of x must be 0.
func compress(x uint64) uint32 {
	x = (x | x>>3) & 0x0303030303030303
	x = (x | x>>6) & 0x000f000f000f000f
	x = (x | x>>12) & 0x000000ff000000ff
	return uint32(x|x>>24) & 0xffff
}

// points returns two sets of places as bits, excluding Off: the places with at least one checker
// and the places with at least two.
func (s *side) points() (one, two uint32) {
	a, b := s[0]&^15, s[1]
	a2, b2 := a>>1|a>>2|a>>3, b>>1|b>>2|b>>3
	one = compress((a|a2)&ones) | compress((b|b2)&ones)<<16
	two = compress(a2&ones) | compress(b2&ones)<<16
	return one, two
}

// mirror converts points from one player's numbering to the other's.
func mirror(points uint32) uint32 { return uint32(bits.Reverse64(uint64(points)) >> 38) }

const onBoard = 1<<25 - 2 // points 1 to 24
