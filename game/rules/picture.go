package rules

import (
	"fmt"
	"html"
	"slices"
	"strconv"

	"plyfit/game"
	"plyfit/game/grid"
)

var drawn = grid.Layout{
	Width: 3, Side: "|", Between: "|", Left: "%2s ",
	Size: 60, Edge: 28, Names: "#6b5d4a", Round: 8, Back: "#f4efe4", Lines: "#b9ab94", LineWidth: 2,
}

// Figures of cells.
var (
	changed = grid.Figure{Ground: 238, Mark: true, Art: `<rect x="-27" y="-27" width="54" height="54" rx="6" fill="#f6d860" fill-opacity=".6"/>`}
	noCell  = grid.Figure{Text: " ", Art: `<rect x="-30" y="-30" width="60" height="60" fill="#f4efe4"/>`}
	inks    = [3]int{166, 32, 240} // of the pieces of player 0, of player 1, and of neither
	fills   = [3]string{"#c8553d", "#2f6f9f", "#8a8378"}
)

// figure returns the picture of a state. If swap exchanges two states, the one that is listed first
// belongs to player 0.
func (b *board) figure(state uint8) grid.Figure {
	symbol, owner := b.Symbols[state:state+1], 2
	if other := b.states[1][symbol[0]]; state < other {
		owner = 0
	} else if state > other {
		owner = 1
	}
	return grid.Figure{Text: symbol, Ink: inks[owner], Art: fmt.Sprintf(`<circle r="22" fill="%s"/><text y="9" text-anchor="middle" font-size="26" fill="#fff">%s</text>`, fills[owner], html.EscapeString(symbol))}
}

// grid returns the board. The cells that the last move changed are marked.
func (c celled) grid() *grid.Board {
	b, s := c.s.board, c.s
	g := drawn.New(b.Rows, b.Columns, s.Name+": "+s.String())
	for r := range b.Rows {
		g.RowNames = append(g.RowNames, strconv.Itoa(b.Rows-r))
	}
	for k := range b.Columns {
		g.ColumnNames = append(g.ColumnNames, (lower + upper)[k:k+1])
	}
	cells := s.at().record.Cells[0]
	before := cells
	if last := len(s.path) - 2; last >= 0 {
		before = s.path[last].record.Cells[0]
	}
	for i := range g.Cells {
		cell := &g.Cells[i]
		if b.hole[i] {
			cell.Add(noCell)
			continue
		}
		cell.Place = cellName(i)
		if before[i] != cells[i] {
			cell.Add(changed)
		}
		if state := b.states[0][cells[i]]; state != 0 {
			cell.Add(b.figure(state))
		}
	}
	switch t := s.Turn(); t {
	case game.Chance:
		g.Below = "chance moves next"
	case game.Nobody:
		g.Below = fmt.Sprint("over; utilities ", s.at().record.Utility)
	default:
		g.Below = fmt.Sprintf("player %d to move", t)
	}
	return g
}

// cellName returns the name of a cell of the picture.
func cellName(cell int) string { return fmt.Sprint("cell-", cell) }

func (c celled) Draw(colour bool) string { return c.grid().Text(colour) }

// SVG implements [game.Illustrator]. The picture is the same for all players.
func (c celled) SVG(game.Player) string { return c.grid().SVG(false) }

// Clicks implements [game.Illustrator]. The places are the cell that a piece leaves, if there is
// one, and the cell that it enters. There are none if the move changes the board in another way.
func (c celled) Clicks(m game.Move) [][]string {
	n := c.s.node()
	before, after := n.record.Cells[0], n.After[slices.Index(n.ids, m)].Cells[0]
	empty := c.s.board.Symbols[0]
	var left, filled, replaced []int
	for i := range len(before) {
		switch {
		case before[i] == after[i]:
		case after[i] == empty:
			left = append(left, i)
		case before[i] == empty:
			filled = append(filled, i)
		default:
			replaced = append(replaced, i)
		}
	}
	to := filled
	if len(filled) == 0 {
		to = replaced
	}
	if len(to) != 1 {
		return nil
	}
	if len(left) > 1 { // captured pieces disappear, too
		left = slices.DeleteFunc(left, func(i int) bool { return before[i] != after[to[0]] })
	}
	switch len(left) {
	case 0:
		return [][]string{{cellName(to[0])}}
	case 1:
		return [][]string{{cellName(left[0]), cellName(to[0])}}
	}
	return nil
}
