package gogame

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/ink"
)

var _ game.Drawer = (*State)(nil)

// Draw implements [game.Drawer]: X black's stones and O white's, + the marked points,
// the last stone in brackets or on a lighter ground.
func (s *State) Draw(colour bool) string {
	ground := ink.Bg(179)
	last, _ := s.Last()
	var b strings.Builder
	letters := "    " + strings.Join(strings.Split(columns[:s.size], ""), " ")
	b.WriteString(letters + "\n")
	for row := s.size - 1; row >= 0; row-- {
		fmt.Fprintf(&b, "%2d ", row+1)
		var line strings.Builder
		for column := range s.size {
			p := s.point(row, column)
			mark, style := ".", ink.Fg(94)
			if s.marked(row, column) {
				mark = "+"
			}
			switch s.colour[p] {
			case black:
				mark, style = "X", ink.Fg(16)
			case white:
				mark, style = "O", ink.Fg(231)
			}
			open, shut := " ", ""
			if last != Pass && p == int(last) && !colour {
				open, shut = "(", ")"
			}
			if colour {
				if s.colour[p] != empty {
					mark = "●"
				}
				under := ground
				if last != Pass && p == int(last) {
					under = ink.Bg(110)
				}
				line.WriteString(ink.Paint(true, " ", ground) + ink.Paint(true, mark, style, under, ink.Bold))
				continue
			}
			text := line.String()
			if strings.HasSuffix(text, ")") {
				open = ""
			}
			line.WriteString(open + mark + shut)
		}
		b.WriteString(line.String())
		if colour {
			b.WriteString(ink.Paint(true, " ", ground))
		} else if !strings.HasSuffix(line.String(), ")") {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "%2d", row+1)
		switch row {
		case s.size - 1:
			b.WriteString("   X Black, O White, komi " + strconv.FormatFloat(s.komi, 'f', -1, 64))
		case s.size - 2:
			b.WriteString("   " + s.status())
		}
		b.WriteByte('\n')
	}
	b.WriteString(letters + "\n")
	return b.String()
}

// status is who is to move, or how the game ended.
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

// marked reports whether a point has a dot on a usual board: those on the third or
// fourth line in the corners, in the middle, and on 19x19 in the middle of sides.
func (s *State) marked(row, column int) bool {
	edge := 2
	if s.size >= 13 {
		edge = 3
	}
	on := func(x int) int { // 1: near an edge, 2: the middle
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
