package minesweeper

import (
	"fmt"
	"strconv"

	"plyfit/game"
	"plyfit/game/grid"
)

var layout = grid.Layout{
	Width: 1, Left: " %3s ", Side: " ", Between: " ",
	Size: 40, Edge: 4, Round: 6, Back: "#5b6472",
}

// Figures of the cells: hidden, being opened, an opened mine, or a number in its usual colour. The
// cell opened last is marked.
var (
	hidden  = grid.Figure{Text: "#", Solid: "■", Ink: 244, Art: tile("#9fb0c6") + `<path d="M-18 17v-35h35" fill="none" stroke="#d4deea" stroke-width="3"/>`}
	opening = grid.Figure{Text: "?", Ink: 226, Art: letter("?", "#3b2500")}
	mine    = grid.Figure{Text: "*", Ink: 196, Art: tile("#e35d52") + `<circle r="9" fill="#1a1a1a"/><path d="M-13 0h26M0-13v26" stroke="#1a1a1a" stroke-width="3"/>`}
	open    = makeOpen()
	newest  = grid.Figure{Ground: 239, Mark: true, Art: `<rect x="-18" y="-18" width="36" height="36" rx="3" fill="none" stroke="#b45309" stroke-width="3"/>`}
)

func tile(fill string) string {
	return `<rect x="-19" y="-19" width="38" height="38" rx="2" fill="` + fill + `"/>`
}

func letter(text, fill string) string {
	return `<text y="9" font-size="25" fill="` + fill + `" text-anchor="middle" font-weight="700">` + text + `</text>`
}

func makeOpen() (open [9]grid.Figure) {
	inks := [9]int{240, 39, 35, 203, 63, 131, 37, 252, 245}
	open[0] = grid.Figure{Text: ".", Ink: inks[0], Art: tile("#e9edf2")}
	for i, fill := range [9]string{1: "#1d4ed8", 2: "#15703a", 3: "#c02626", 4: "#4c1d95", 5: "#7f1d1d", 6: "#0e6470", 7: "#111827", 8: "#4b5563"} {
		if i > 0 {
			text := strconv.Itoa(i)
			open[i] = grid.Figure{Text: text, Ink: inks[i], Art: open[0].Art + letter(text, fill)}
		}
	}
	return open
}

func (s *State) grid() *grid.Board {
	g := layout.New(s.rows, s.columns, "minesweeper: "+s.String())
	for i := range s.rows {
		g.RowNames = append(g.RowNames, strconv.Itoa(i+1))
	}
	for i := range s.columns {
		g.ColumnNames = append(g.ColumnNames, fmt.Sprintf("%2d", (i+1)%100))
	}
	last := -1
	if n := len(s.line); n > 0 && s.line[n-1].shows != Hidden {
		last = int(s.line[n-1].cell)
	}
	for i, shows := range s.shown {
		c := &g.Cells[i]
		c.Place = s.name(i)
		switch {
		case shows == Mine:
			c.Add(mine)
		case shows == Hidden:
			c.Add(hidden)
			if int(s.pending) == i {
				c.Add(opening)
			}
		default:
			c.Add(open[shows])
		}
		if i == last {
			c.Add(newest)
		}
	}
	g.Below = fmt.Sprintf("%d mines, %d cells to open", s.mines, s.Left())
	switch {
	case s.lost:
		g.Below += "   lost"
	case s.Left() == 0:
		g.Below += "   won"
	}
	return g
}

func (s *State) Draw(colour bool) string { return s.grid().Text(colour) }

// SVG implements [game.Illustrator]. The picture does not depend on the player.
func (s *State) SVG(game.Player) string { return s.grid().SVG(false) }

// Clicks implements [game.Illustrator]. A move is made by clicking its cell. Nature's moves have no
// place.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() == game.Chance {
		return nil
	}
	return [][]string{{s.MoveString(m)}}
}
