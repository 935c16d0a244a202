package pacman

import (
	"fmt"
	"strings"

	"plyfit/internal/ink"
)

// The arcade's colours, more or less.
var (
	wallColour   = ink.Fg(27)
	ghostColours = [4]ink.Style{ink.Fg(196), ink.Fg(213), ink.Fg(51), ink.Fg(214)}
)

// Draw implements [game.Drawer]: walls as lines, · food, ● capsules, C Pacman,
// Ω ghosts, ω scared ones, × where Pacman was caught; below it the score, what is
// left and who is scared. A cell is two columns wide, so that ghosts stand
// between cells where they do.
func (s *State) Draw(colour bool) string {
	width := 2*s.Width - 1
	styles := map[[2]int]ink.Style{} // of what is no wall, by row and column
	rows := make([][]rune, s.Height)
	for i := range rows {
		rows[i] = []rune(strings.Repeat(" ", width))
	}
	put := func(x2, y int, r rune, style ink.Style) {
		rows[s.Height-1-y][x2] = r
		if style != "" {
			styles[[2]int{s.Height - 1 - y, x2}] = style
		}
	}
	for y := range s.Height {
		for x := range s.Width {
			if !s.wall(x, y) {
				continue
			}
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
			put(2*x, y, r, "")
			if links&2 != 0 {
				put(2*x+1, y, '─', "")
			}
		}
	}
	for c, at := range s.cells {
		if s.words[c>>6]&(1<<(c&63)) != 0 {
			put(2*at.x, at.y, '·', ink.Fg(223))
		}
	}
	p := s.at()
	for i, c := range s.capsules {
		if p.capsules&(1<<i) != 0 {
			put(2*s.cells[c].x, s.cells[c].y, '●', ink.Fg(231))
		}
	}
	spotOf := func(h int16) (x2, y int) { return int(h) % s.stride, (int(h)/s.stride + 1) / 2 }
	x, y := spotOf(p.pacman)
	put(x, y, 'C', ink.Fg(226)+";"+ink.Bold)
	var scared strings.Builder
	for i := range s.ghosts {
		g := p.ghosts[i]
		x, y := spotOf(g.at)
		r, style := 'Ω', ghostColours[i%len(ghostColours)]
		if g.timer > 0 {
			r, style = 'ω', ink.Fg(33)
			fmt.Fprintf(&scared, "   ghost %d scared for %d", i+1, g.timer)
		}
		put(x, y, r, style+";"+ink.Bold)
	}
	if p.turn == lost {
		put(x, y, '×', ink.Fg(196)+";"+ink.Bold)
	}
	var out strings.Builder
	for y, row := range rows {
		line := []rune(strings.TrimRight(string(row), " "))
		for x := 0; x < len(line); {
			style, ok := styles[[2]int{y, x}]
			end := x + 1
			if !ok { // walls and gaps up to the next figure
				for style = wallColour; end < len(line); end++ {
					if _, figure := styles[[2]int{y, end}]; figure {
						break
					}
				}
			}
			out.WriteString(ink.Paint(colour, string(line[x:end]), style))
			x = end
		}
		out.WriteByte('\n')
	}
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
	out.WriteString(scared.String())
	out.WriteByte('\n')
	return out.String()
}

// joined reports whether a line joins two neighbouring cells: where both are walls,
// and not both in the midst of one.
func (l *Layout) joined(a, b spot) bool {
	if b.x < 0 || b.y < 0 || b.x >= l.Width || b.y >= l.Height || !l.wall(a.x, a.y) || !l.wall(b.x, b.y) {
		return false
	}
	dx, dy := b.y-a.y, b.x-a.x // across
	left := l.wall(a.x+dx, a.y+dy) && l.wall(b.x+dx, b.y+dy)
	right := l.wall(a.x-dx, a.y-dy) && l.wall(b.x-dx, b.y-dy)
	return !left || !right
}

// buried reports whether a wall has walls on all eight sides.
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
