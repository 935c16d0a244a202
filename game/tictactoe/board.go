package tictactoe

import (
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/ink"
)

var _ game.Drawer = (*State)(nil)

// Draw implements [game.Drawer]: X, O and the numbers of the free cells, the
// last mark in brackets.
func (s *State) Draw(colour bool) string {
	margin := [3]string{"X first", "O second"}
	switch {
	case s.Turn() != game.Nobody:
		margin[2] = "XO"[s.Turn():][:1] + " to move"
	case s.Utility(0) == 0:
		margin[2] = "a draw"
	default:
		margin[2] = "XO"[1-s.ply&1:][:1] + " wins"
	}
	var b strings.Builder
	for row := range 3 {
		if row > 0 {
			b.WriteString("───┼───┼───\n")
		}
		for column := range 3 {
			cell := 3*row + column
			text, style := fmt.Sprintf(" %d ", cell+1), []ink.Style{ink.Fg(240)}
			for p, mark := range "XO" {
				if s.sets[p]>>cell&1 == 0 {
					continue
				}
				text, style = fmt.Sprintf(" %c ", mark), []ink.Style{ink.Fg([2]int{203, 39}[p]), ink.Bold}
				if s.ply > s.root && int(s.played[s.ply-1]) == cell {
					text = fmt.Sprintf("[%c]", mark)
				}
			}
			if column > 0 {
				b.WriteString("│")
			}
			b.WriteString(ink.Paint(colour, text, style...))
		}
		b.WriteString("    " + margin[row] + "\n")
	}
	return b.String()
}
