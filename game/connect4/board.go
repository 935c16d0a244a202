package connect4

import (
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/ink"
)

var (
	_ game.Drawer = (*State)(nil)
	_ game.Drawer = (*Dice)(nil)
)

// Draw implements [game.Drawer]: X the first player's stones and O the second's,
// the last one in brackets or on a lighter ground, four in line in colour.
func (s *State) Draw(colour bool) string {
	margin := ""
	switch p := s.at(); p.end {
	case lost:
		margin = "XO"[1-s.ply&1:][:1] + " wins"
	case full:
		margin = "a draw"
	default:
		margin = "XO"[s.ply&1:][:1] + " to move"
	}
	return s.draw(colour, -1, margin)
}

// Draw implements [game.Drawer]: the board and what the die says.
func (d *Dice) Draw(colour bool) string {
	if d.State.Turn() == game.Nobody {
		return d.State.Draw(colour)
	}
	mover := "XO"[d.ply&1:][:1]
	column, ok := d.Forbidden()
	switch {
	case ok:
		return d.draw(colour, column, fmt.Sprintf("%s to move, not into %c", mover, columnNames[column]))
	case d.Rolled():
		return d.draw(colour, -1, mover+" to move, anywhere")
	}
	return d.draw(colour, -1, mover+" to roll")
}

// draw is the board with a forbidden column (-1: none) and a text beside it.
func (s *State) draw(colour bool, forbidden int, margin string) string {
	first, second := s.Stones()
	last, line := uint64(0), uint64(0)
	if s.ply > s.root {
		last = s.line[(s.ply-1)&63].all ^ s.at().all
	}
	if s.at().end == lost {
		line = s.fourInLine(first) | s.fourInLine(second)
	}
	stones := [2]string{"X", "O"}
	legend := [2]string{" first", " second"}
	if colour {
		stones = [2]string{"●", "●"}
		legend = [2]string{" X, first", " O, second"}
	}
	paint := [2]ink.Style{ink.Fg(203), ink.Fg(227)}
	var b strings.Builder
	for c := range s.columns {
		if c == forbidden {
			b.WriteString("  " + ink.Paint(colour, "×", ink.Fg(196), ink.Bold) + " ")
		} else {
			fmt.Fprintf(&b, "  %c ", columnNames[c])
		}
	}
	b.WriteByte('\n')
	for r := s.rows - 1; r >= 0; r-- {
		for c := range s.columns {
			cell := uint64(1) << (c*int(s.height) + r)
			b.WriteString(ink.Paint(colour, "│", ink.Fg(33), ink.Bg(18)))
			ground := ink.Bg(18)
			switch {
			case line&cell != 0:
				ground = ink.Bg(29)
			case last&cell != 0:
				ground = ink.Bg(25)
			}
			text, style := "   ", ink.Fg(18)
			switch {
			case first&cell != 0:
				text, style = " "+stones[0]+" ", paint[0]
			case second&cell != 0:
				text, style = " "+stones[1]+" ", paint[1]
			}
			if last&cell != 0 && !colour {
				text = "[" + text[1:2] + "]"
			}
			b.WriteString(ink.Paint(colour, text, style, ground, ink.Bold))
		}
		b.WriteString(ink.Paint(colour, "│", ink.Fg(33), ink.Bg(18)))
		switch r {
		case s.rows - 1:
			b.WriteString("   " + ink.Paint(colour, stones[0], paint[0]) + legend[0])
		case s.rows - 2:
			b.WriteString("   " + ink.Paint(colour, stones[1], paint[1]) + legend[1])
		case 0:
			b.WriteString("   " + margin)
		}
		b.WriteByte('\n')
	}
	b.WriteString(ink.Paint(colour, "└"+strings.Repeat("───┴", s.columns-1)+"───┘", ink.Fg(33), ink.Bg(18)) + "\n")
	return b.String()
}

// fourInLine are the stones that stand in a line of four.
func (s *State) fourInLine(stones uint64) (line uint64) {
	for _, d := range [4]uint{1, s.height - 1, s.height, s.height + 1} {
		begin := stones & (stones >> d) & (stones >> (2 * d)) & (stones >> (3 * d))
		for k := range uint(4) {
			line |= begin << (k * d)
		}
	}
	return line
}
