package gogame

import (
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/game/grid"
)

var layout = grid.Layout{
	Width: 1, Left: "%2s ", Right: "%2s", Side: " ", Between: " ", Brackets: "()", Frame: grid.Figure{Ground: 179}, Again: true,
	Size: 40, Edge: 24, Round: 8, Back: "#dcb36b", Lines: "#5b4420", LineWidth: 1.2, Through: true, Names: "#4a3618",
}

// Figures of the points: empty points, black and white stones, and the mark on the last move. The
// mark must be visible on the stone. After a suicide, the point is empty.
var (
	plain  = grid.Figure{Text: ".", Ink: 94, Ground: 179}
	dot    = grid.Figure{Text: "+", Ink: 94, Ground: 179, Art: `<circle r="3.5" fill="#5b4420"/>`}
	stones = [3]grid.Figure{
		black: {Text: "X", Solid: "●", Ink: 16, Art: `<circle r="18.5" fill="#17181a" stroke="#000000"/>`},
		white: {Text: "O", Solid: "●", Ink: 231, Art: `<circle r="18.5" fill="#f6f4ee" stroke="#8f8a7c"/>`},
	}
	newest = [3]grid.Figure{
		empty: {Ground: 110, Mark: true},
		black: {Ground: 110, Mark: true, Art: `<circle r="8" fill="none" stroke="#ffffff" stroke-width="2.5"/>`},
		white: {Ground: 110, Mark: true, Art: `<circle r="8" fill="none" stroke="#17181a" stroke-width="2.5"/>`},
	}
)

// grid returns the board with the last move marked.
func (s *State) grid() *grid.Board {
	g := layout.New(s.size, s.size, "go: "+s.String())
	g.ColumnNames = strings.Split(columns[:s.size], "")
	g.Notes[0] = "X Black, O White, komi " + strconv.FormatFloat(s.komi, 'f', -1, 64)
	g.Notes[1] = s.status()
	last, _ := s.Last()
	for i := range g.Cells {
		row, column := s.size-1-i/s.size, i%s.size
		if column == 0 {
			g.RowNames = append(g.RowNames, strconv.Itoa(row+1))
		}
		c, point := &g.Cells[i], s.point(row, column)
		c.Place = s.MoveString(game.Move(point))
		stone := s.colour[point]
		switch {
		case stone != empty:
			c.Add(plain, stones[stone])
		case s.marked(row, column):
			c.Add(dot)
		default:
			c.Add(plain)
		}
		if last != Pass && point == int(last) {
			c.Add(newest[stone])
		}
	}
	return g
}

func (s *State) status() string {
	if s.Turn() != game.Nobody {
		text := [2]string{"Black", "White"}[s.mover()] + " to move"
		if s.passes == 1 {
			text += " after a pass"
		}
		return text
	}
	switch u := s.Score(); {
	case u > 0:
		return "Black wins by " + strconv.FormatFloat(u, 'f', -1, 64)
	case u < 0:
		return "White wins by " + strconv.FormatFloat(-u, 'f', -1, 64)
	}
	return "a draw"
}

// marked reports whether a point has a dot, as on common boards: on the third or fourth line in the
// corners, in the centre, and, on large boards, also in the middle of each side.
func (s *State) marked(row, column int) bool {
	edge := 2
	if s.size >= 13 {
		edge = 3
	}
	on := func(x int) int { // 1 near an edge, 2 in the middle
		switch {
		case s.size >= 7 && (x == edge || x == s.size-1-edge):
			return 1
		case s.size%2 == 1 && x == s.size/2:
			return 2
		}
		return 0
	}
	a, b := on(row), on(column)
	return a > 0 && b > 0 && (a == b || s.size >= 15)
}

func (s *State) Draw(colour bool) string { return s.grid().Text(colour) }

// SVG implements [game.Illustrator]. The picture is the same for both players.
func (s *State) SVG(game.Player) string { return s.grid().SVG(false) }

// Clicks implements [game.Illustrator]. A move is made by clicking its point. A pass has no place.
func (s *State) Clicks(m game.Move) [][]string {
	if m == Pass {
		return nil
	}
	return [][]string{{s.MoveString(m)}}
}
