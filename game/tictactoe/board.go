package tictactoe

import (
	"strconv"

	"plyfit/game"
	"plyfit/game/grid"
)

var layout = grid.Layout{
	Width: 3, Between: "│", Rule: "├─┼┤",
	Size: 100, Edge: 6, Round: 12, Back: "#f4efe4", Lines: "#6b5d4a", LineWidth: 5,
}

// Figures of the cells.
var (
	marks = [2]grid.Figure{
		{Text: "X", Ink: 203, Art: `<path d="M-24-24L24 24M24-24L-24 24" fill="none" stroke="#b3361f" stroke-width="12" stroke-linecap="round"/>`},
		{Text: "O", Ink: 39, Art: `<circle r="26" fill="none" stroke="#1f5f9e" stroke-width="12"/>`},
	}
	last    = grid.Figure{Ground: 238, Mark: true, Art: `<rect x="-44" y="-44" width="88" height="88" rx="8" fill="#f6d860" fill-opacity=".6"/>`}
	winning = grid.Figure{Ground: 22, Art: `<rect x="-44" y="-44" width="88" height="88" rx="8" fill="#8fce8a"/>`}
)

// grid returns the board with X, O and the numbers of the free cells. The last mark and a completed
// line are highlighted.
func (s *State) grid() *grid.Board {
	g := layout.New(3, 3, "tic-tac-toe: "+s.String())
	g.Notes = map[int]string{0: " X first", 1: " O second", 2: " " + s.status()}
	won := uint16(0)
	for _, line := range Lines {
		if s.sets[0]&line == line || s.sets[1]&line == line {
			won |= line
		}
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		c.Place = strconv.Itoa(i + 1)
		c.Add(grid.Figure{Text: c.Place, Ink: 240})
		if won>>i&1 != 0 {
			c.Add(winning)
		}
		if s.ply > s.root && int(s.played[s.ply-1]) == i {
			c.Add(last)
		}
		for p, set := range s.sets {
			if set>>i&1 != 0 {
				c.Add(marks[p])
			}
		}
	}
	return g
}

func (s *State) status() string {
	switch {
	case s.Turn() != game.Nobody:
		return "XO"[s.Turn():][:1] + " to move"
	case s.Utility(0) == 0:
		return "a draw"
	}
	return "XO"[1-s.ply&1:][:1] + " wins"
}

func (s *State) Draw(colour bool) string { return s.grid().Text(colour) }

// SVG implements [game.Illustrator]. The picture is the same for both players.
func (s *State) SVG(game.Player) string { return s.grid().SVG(false) }

// Clicks implements [game.Illustrator]. A move is made by clicking its cell.
func (s *State) Clicks(m game.Move) [][]string { return [][]string{{s.MoveString(m)}} }

func (s *State) Cells() game.Cells { return cells }

var cells = game.Cells{
	Rows: 3, Columns: 3, States: 3, Symbols: ".+-", Legend: "+ own mark, - opponent's mark, . empty square",
	Symmetries: game.Symmetries(3, 3),
}

func (s *State) Fill(p game.Player, dst []uint8) {
	own, other := s.sets[p&1], s.sets[1-p&1]
	for i := range dst {
		dst[i] = uint8(own>>i&1 + other>>i&1<<1)
	}
}
