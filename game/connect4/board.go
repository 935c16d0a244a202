package connect4

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/game/grid"
)

var layout = grid.Layout{
	Width: 3, Side: "│", Between: "│", Bottom: "└─┴┘", Frame: grid.Figure{Ink: 33, Ground: 18},
	Size: 64, Edge: 26, Round: 14, Back: "#1d4f91", Names: "#ffffff",
}

// Figures of the cells. In pictures, O's stones have an additional ring, so that the sides can be
// distinguished without colour.
var (
	hole   = grid.Figure{Ground: 18, Art: `<circle r="26" fill="#123763"/>`}
	stones = [2]grid.Figure{
		{Text: "X", Solid: "●", Ink: 203, Art: `<circle r="26" fill="#e2483d"/>` + ring(18, "#8f2018", 2)},
		{Text: "O", Solid: "●", Ink: 227, Art: `<circle r="26" fill="#f5c531"/>` + ring(18, "#96700a", 2) + ring(11, "#96700a", 3)},
	}
	last   = grid.Figure{Ground: 25, Mark: true, Art: `<circle r="6" fill="#ffffff"/>`}
	barred = grid.Figure{Art: `<rect x="-32" y="-32" width="64" height="64" fill="#0b1c33" fill-opacity=".6"/>`}
	four   = grid.Figure{Ground: 29, Art: ring(26, "#ffffff", 5)}
)

func ring(radius int, colour string, width int) string {
	return fmt.Sprintf(`<circle r="%d" fill="none" stroke="%s" stroke-width="%d"/>`, radius, colour, width)
}

func (s *State) grid(colour bool) *grid.Board { return s.with(colour, -1, s.status()) }

// with returns the board with a status line. forbidden is the forbidden column, or -1 if there is
// none.
func (s *State) with(colour bool, forbidden int, status string) *grid.Board {
	g := layout.New(s.rows, s.columns, "connect four: "+s.String()+", "+status)
	g.ColumnNames = strings.Split(columnNames[:s.columns], "")
	legend := [2]string{" first", " second"}
	if colour {
		legend = [2]string{" X, first", " O, second"}
	}
	g.Notes = map[int]string{0: grid.Inline(colour, stones[0]) + legend[0]}
	g.Notes[1] = grid.Inline(colour, stones[1]) + legend[1]
	g.Notes[s.rows-1] = status
	var sets [2]uint64
	sets[0], sets[1] = s.Stones()
	newest, line := uint64(0), uint64(0)
	if s.ply > s.root {
		newest = s.line[(s.ply-1)&63].all ^ s.at().all
	}
	if s.at().end == lost {
		line = s.fourInLine(sets[0]) | s.fourInLine(sets[1])
	}
	for i := range g.Cells {
		c, bit := &g.Cells[i], uint64(1)<<(i%s.columns*int(s.height)+s.rows-1-i/s.columns)
		c.Add(hole)
		for p, set := range sets {
			if set&bit != 0 {
				c.Add(stones[p])
			}
		}
		if newest&bit != 0 {
			c.Add(last)
		}
		if line&bit != 0 {
			c.Add(four)
		}
	}
	for c := range s.columns {
		g.Places = append(g.Places, grid.Place{Name: strconv.Itoa(c + 1), X: float64(c), Y: -0.4, Width: 1, Height: float64(s.rows) + 0.8})
	}
	if forbidden >= 0 {
		g.ColumnNames[forbidden] = "×"
		for i := forbidden; i < len(g.Cells); i += s.columns {
			g.Cells[i].Add(barred)
		}
	}
	return g
}

func (s *State) status() string {
	switch s.at().end {
	case lost:
		return "XO"[1-s.ply&1:][:1] + " wins"
	case full:
		return "a draw"
	}
	return "XO"[s.ply&1:][:1] + " to move"
}

// grid returns the board and the result of the die.
func (d *Dice) grid(colour bool) *grid.Board {
	if d.State.Turn() == game.Nobody {
		return d.State.grid(colour)
	}
	mover := "XO"[d.ply&1:][:1]
	column, ok := d.Forbidden()
	switch {
	case ok:
		return d.with(colour, column, fmt.Sprintf("%s to move, but not in column %c", mover, columnNames[column]))
	case d.Rolled():
		return d.with(colour, -1, mover+" to move, anywhere")
	}
	return d.with(colour, -1, mover+" to roll")
}

func (s *State) Draw(colour bool) string { return s.grid(colour).Text(colour) }

func (d *Dice) Draw(colour bool) string { return d.grid(colour).Text(colour) }

// SVG implements [game.Illustrator]. The picture is the same for both players.
func (s *State) SVG(game.Player) string { return s.grid(false).SVG(false) }

func (d *Dice) SVG(game.Player) string { return d.grid(false).SVG(false) }

// Clicks implements [game.Illustrator]. A move is made by clicking its column.
func (s *State) Clicks(m game.Move) [][]string { return [][]string{{strconv.Itoa(int(m) + 1)}} }

// Clicks implements [game.Illustrator]. A move is made by clicking its column. The die has no
// place.
func (d *Dice) Clicks(m game.Move) [][]string {
	if d.Turn() < 0 {
		return nil
	}
	return d.State.Clicks(m)
}

// fourInLine returns the stones that are part of a line of four.
func (s *State) fourInLine(stones uint64) (line uint64) {
	for _, d := range [4]uint{1, s.height - 1, s.height, s.height + 1} {
		begin := stones & (stones >> d) & (stones >> (2 * d)) & (stones >> (3 * d))
		for k := range uint(4) {
			line |= begin << (k * d)
		}
	}
	return line
}

// Content of a cell from a player's point of view.
const (
	closed   = iota // empty, above another empty cell
	playable        // empty, next to be filled in its column
	ownStone
	otherStone
	fillings
)

// Cells implements [game.Celled]. It distinguishes playable cells from other empty cells, because
// the value of a threat depends on whether its cell is playable.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: s.rules.rows, Columns: s.columns, Upward: true, States: fillings, Symbols: "._+-",
		Legend:     "+ own stone, - opponent's stone, _ playable cell, . empty cell that is not yet playable",
		Symmetries: game.Symmetries(s.rules.rows, s.columns)[:2], Apart: true,
	}
}

// Fill implements [game.Celled], row by row from the bottom.
func (s *State) Fill(p game.Player, dst []uint8) {
	own, other := s.Stones()
	if p > 0 {
		own, other = other, own
	}
	clear(dst)
	s.put(dst, own, ownStone)
	s.put(dst, other, otherStone)
	s.put(dst, s.Playable(), playable)
}

// put writes the given content to all cells of the set.
func (s *State) put(dst []uint8, set uint64, what uint8) {
	for ; set != 0; set &= set - 1 {
		dst[s.cell[bits.TrailingZeros64(set)]] = what
	}
}
