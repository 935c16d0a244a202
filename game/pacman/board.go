package pacman

import (
	"fmt"
	"strings"

	"plyfit/internal/text"
)

// Colours similar to the colours of the arcade game.
var (
	wallColour   = text.Fg(27)
	ghostColours = [4]text.Style{text.Fg(196), text.Fg(213), text.Fg(51), text.Fg(214)}
)

// Draw implements [game.Drawer]. It draws walls as lines, food as ·, capsules as ●, Pacman as C,
// ghosts as Ω, scared ghosts as ω, and a caught Pacman as ×. The line below the maze contains the
// score, the remaining food and capsules, and the scared ghosts. A cell is two columns wide, so
// that ghosts can be drawn between cells.
func (s *State) Draw(colour bool) string {
	c := &canvas{height: s.Height, styles: map[[2]int]text.Style{}}
	for range s.Height {
		c.rows = append(c.rows, []rune(strings.Repeat(" ", 2*s.Width-1)))
	}
	s.drawMaze(c)
	scared := s.drawFigures(c)
	var out strings.Builder
	c.write(&out, colour)
	p := s.at()
	fmt.Fprintf(&out, "score %d   food %d   capsules %d", p.score, p.left, s.CapsulesLeft())
	switch p.turn {
	case 0:
		out.WriteString("   Pacman to move")
	case won:
		out.WriteString("   won")
	case lost:
		out.WriteString("   lost")
	default:
		fmt.Fprintf(&out, "   ghost %d to move", p.turn)
	}
	return out.String() + scared + "\n"
}

// A canvas is the area on which a position is drawn, with one rune for each half-cell.
type canvas struct {
	height int
	rows   [][]rune
	styles map[[2]int]text.Style // styles of everything except walls, by row and column
}

// put draws a rune in column x2, which is twice the x of a cell, and row y, counted from the
// bottom. An empty style means a wall.
func (c *canvas) put(x2, y int, r rune, style text.Style) {
	row := c.height - 1 - y
	c.rows[row][x2] = r
	if style != "" {
		c.styles[[2]int{row, x2}] = style
	}
}

// write writes the rows without trailing spaces.
func (c *canvas) write(out *strings.Builder, colour bool) {
	for y, row := range c.rows {
		line := []rune(strings.TrimRight(string(row), " "))
		for x := 0; x < len(line); {
			style, ok := c.styles[[2]int{y, x}]
			end := x + 1
			if !ok { // walls and gaps up to the next figure
				for style = wallColour; end < len(line); end++ {
					if _, figure := c.styles[[2]int{y, end}]; figure {
						break
					}
				}
			}
			out.WriteString(text.Paint(colour, string(line[x:end]), style))
			x = end
		}
		out.WriteByte('\n')
	}
}

func (s *State) drawMaze(c *canvas) {
	for y := range s.Height {
		for x := range s.Width {
			if s.wall(x, y) {
				s.drawWall(c, x, y)
			}
		}
	}
	for cell, at := range s.cells {
		if s.words[cell>>6]&(1<<(cell&63)) != 0 {
			c.put(2*at.x, at.y, '·', text.Fg(223))
		}
	}
	for i, cell := range s.capsules {
		if s.at().capsules&(1<<i) != 0 {
			c.put(2*s.cells[cell].x, s.cells[cell].y, '●', text.Fg(231))
		}
	}
}

func (s *State) drawWall(c *canvas, x, y int) {
	links := 0
	for i, to := range [4]spot{{x - 1, y}, {x + 1, y}, {x, y + 1}, {x, y - 1}} {
		if s.joined(spot{x, y}, to) {
			links |= 1 << i
		}
	}
	r := []rune("·╴╶─╵┘└┴╷┐┌┬│┤├┼")[links]
	if links == 0 {
		r = ' '
		if !s.buried(x, y) {
			r = '▪'
		}
	}
	c.put(2*x, y, r, "")
	if links&2 != 0 {
		c.put(2*x+1, y, '─', "")
	}
}

// drawFigures draws Pacman and the ghosts. It returns a description of the scared ghosts.
func (s *State) drawFigures(c *canvas) (scared string) {
	p := s.at()
	spotOf := func(h int16) (x2, y int) { return int(h) % s.stride, (int(h)/s.stride + 1) / 2 }
	x, y := spotOf(p.pacman)
	c.put(x, y, 'C', text.Fg(226)+";"+text.Bold)
	for i := range s.ghosts {
		g := p.ghosts[i]
		x, y := spotOf(g.at)
		r, style := 'Ω', ghostColours[i%len(ghostColours)]
		if g.timer > 0 {
			r, style = 'ω', text.Fg(33)
			scared += fmt.Sprintf("   ghost %d scared for %d", i+1, g.timer)
		}
		c.put(x, y, r, style+";"+text.Bold)
	}
	if p.turn == lost {
		c.put(x, y, '×', text.Fg(196)+";"+text.Bold)
	}
	return scared
}

// joined reports whether the drawing has a line between two neighbouring cells. Both cells must be
// walls, and at least one of the four cells beside the pair must not be a wall.
func (l *Layout) joined(a, b spot) bool {
	if b.x < 0 || b.y < 0 || b.x >= l.Width || b.y >= l.Height || !l.wall(a.x, a.y) || !l.wall(b.x, b.y) {
		return false
	}
	dx, dy := b.y-a.y, b.x-a.x // perpendicular to the line
	left := l.wall(a.x+dx, a.y+dy) && l.wall(b.x+dx, b.y+dy)
	right := l.wall(a.x-dx, a.y-dy) && l.wall(b.x-dx, b.y-dy)
	return !left || !right
}

// buried reports whether all eight neighbours of a cell are walls.
func (l *Layout) buried(x, y int) bool {
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			if !l.wall(x+dx, y+dy) {
				return false
			}
		}
	}
	return true
}
