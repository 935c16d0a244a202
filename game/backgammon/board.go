package backgammon

import (
	"fmt"
	"strings"

	"plyfit/game"
)

// Board implements [game.Drawer]: the board as player 0 sees it, X his checkers
// and O the other's; five rows of each half, a number where more are stacked.
func (s *State) Board() string {
	p := s.at()
	// cell is what the row-th of a stack shows, counted from the edge.
	cell := func(x, o, row int) string {
		n, mark := x, "X"
		if o > 0 {
			n, mark = o, "O"
		}
		switch {
		case n > 5 && row == 4:
			return fmt.Sprintf("%2d ", n)
		case row < n:
			return " " + mark + " "
		}
		return "   "
	}
	point := func(i, row int) string { return cell(p.sides[0].count(i), p.sides[1].count(25-i), row) }
	line := func(points []int, row, barX, barO int) string {
		var out strings.Builder
		out.WriteString("|")
		for k, i := range points {
			if k == 6 {
				out.WriteString(" |" + cell(barX, barO, row) + "  |")
			}
			out.WriteString(point(i, row))
		}
		out.WriteString(" |")
		return out.String()
	}
	upper, lower := make([]int, 12), make([]int, 12)
	for i := range 12 {
		upper[i], lower[i] = 13+i, 12-i
	}
	var out strings.Builder
	out.WriteString("+13-14-15-16-17-18--------19-20-21-22-23-24-+\n")
	for row := range 5 {
		out.WriteString(line(upper, row, p.sides[0].count(Bar), 0))
		if row == 0 {
			fmt.Fprintf(&out, "  O off %d", p.sides[1].count(Off))
		}
		out.WriteString("\n")
	}
	out.WriteString("|                   | BAR |                   |\n")
	for row := 4; row >= 0; row-- {
		out.WriteString(line(lower, row, 0, p.sides[1].count(Bar)))
		if row == 0 {
			fmt.Fprintf(&out, "  X off %d", p.sides[0].count(Off))
		}
		out.WriteString("\n")
	}
	out.WriteString("+12-11-10--9--8--7---------6--5--4--3--2--1-+\n")
	who := [2]string{"X", "O"}[p.player]
	switch {
	case p.over:
		fmt.Fprintf(&out, "%s wins %g\n", [2]string{"O", "X"}[p.player], s.Utility(1-p.player))
	case s.Turn() == game.Chance:
		fmt.Fprintf(&out, "%s to roll\n", who)
	default:
		fmt.Fprintf(&out, "%s to play %d%d\n", who, p.dice[0], p.dice[1])
	}
	return out.String()
}
