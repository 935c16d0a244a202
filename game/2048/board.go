package g2048

import (
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/ink"
)

var _ game.Drawer = (*State)(nil)

// tiles are the grounds of the tiles by exponent.
var tiles = [16]int{236, 250, 223, 216, 209, 203, 196, 228, 227, 221, 220, 214, 114, 78, 75, 63}

// Draw implements [game.Drawer]: a grid of numbers, or of coloured tiles; the
// tile that nature set last in brackets.
func (s *State) Draw(colour bool) string {
	const width = 8
	p := s.at()
	var b strings.Builder
	rule := func(left, cross, right string) {
		if !colour {
			b.WriteString(left + strings.Repeat(strings.Repeat("─", width)+cross, s.size-1) + strings.Repeat("─", width) + right + "\n")
		}
	}
	height, edge := 1, "│"
	if colour {
		height, edge = 3, ""
	}
	largest := uint64(0)
	rule("┌", "┬", "┐")
	for r := range s.size {
		if r > 0 {
			rule("├", "┼", "┤")
		}
		for line := range height {
			b.WriteString(edge)
			for c := range s.size {
				at := 4 * (4*r + c)
				e := p.board >> at & 15
				largest = max(largest, e)
				text := ""
				if e > 0 && line == height/2 {
					text = fmt.Sprint(1 << e)
					if s.ply > 0 && s.line[s.ply-1].turn == game.Chance && s.line[s.ply-1].board>>at&15 != e {
						text = "[" + text + "]"
					}
				}
				left := (width - len(text) + 1) / 2
				cell := strings.Repeat(" ", left) + text + strings.Repeat(" ", width-left-len(text))
				switch {
				case colour && line == 0: // the upper half of this line parts the tiles
					cell = ink.Paint(true, strings.Repeat("▄", width-1), ink.Fg(tiles[e])) + " "
				case colour:
					cell = ink.Paint(true, cell[1:], ink.Bg(tiles[e]), ink.Fg(16), ink.Bold) + " "
				}
				b.WriteString(cell + edge)
			}
			b.WriteByte('\n')
		}
	}
	rule("└", "┴", "┘")
	fmt.Fprintf(&b, "score %d   largest %d   empty %d", p.score, 1<<largest&^1, s.Empty())
	if p.turn == game.Nobody {
		b.WriteString("   no move left")
	}
	b.WriteByte('\n')
	return b.String()
}
