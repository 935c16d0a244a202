package pacman

import (
	"fmt"
	"strings"
)

// Board implements [game.Drawer]: walls as lines, · food, ● capsules, ᗧ Pacman,
// ᗣ ghosts, ∩ scared ones, × where Pacman was caught; below it the score, what is
// left and who is scared. A cell is two columns wide, so that ghosts stand
// between cells where they do.
func (s *State) Board() string {
	width := 2*s.Width - 1
	rows := make([][]rune, s.Height)
	for i := range rows {
		rows[i] = []rune(strings.Repeat(" ", width))
	}
	put := func(x2, y int, r rune) { rows[s.Height-1-y][x2] = r }
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
			put(2*x, y, r)
			if links&2 != 0 {
				put(2*x+1, y, '─')
			}
		}
	}
	for c, at := range s.cells {
		if s.words[c>>6]&(1<<(c&63)) != 0 {
			put(2*at.x, at.y, '·')
		}
	}
	p := s.at()
	for i, c := range s.capsules {
		if p.capsules&(1<<i) != 0 {
			put(2*s.cells[c].x, s.cells[c].y, '●')
		}
	}
	spotOf := func(h int16) (x2, y int) { return int(h) % s.stride, (int(h)/s.stride + 1) / 2 }
	x, y := spotOf(p.pacman)
	put(x, y, 'ᗧ')
	var scared strings.Builder
	for i := range s.ghosts {
		g := p.ghosts[i]
		x, y := spotOf(g.at)
		r := 'ᗣ'
		if g.timer > 0 {
			r = '∩'
			fmt.Fprintf(&scared, "   ghost %d scared for %d", i+1, g.timer)
		}
		put(x, y, r)
	}
	if p.turn == lost {
		put(x, y, '×')
	}
	var out strings.Builder
	for _, r := range rows {
		out.WriteString(strings.TrimRight(string(r), " "))
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

// joined tells whether a line joins two neighbouring cells: where both are walls,
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

// buried tells whether a wall has walls on all eight sides.
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
