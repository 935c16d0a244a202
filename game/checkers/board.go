package checkers

import (
	"fmt"
	"math/bits"
	"strings"

	"plyfit/game"
	"plyfit/internal/ink"
)

// ground is what the dark squares are painted in; men are the sides' colours.
var (
	ground = ink.Bg(65)
	men    = [2]ink.Style{ink.Fg(16), ink.Fg(231)}
)

// Draw implements [game.Drawer]: white below, men as discs, kings as crowned
// heads, the empty dark squares by their numbers.
func (s *State) Draw(colour bool) string {
	at := s.analysed()
	count := func(p game.Player) string {
		return fmt.Sprintf("men %2d, kings %d", bits.OnesCount64(s.Men(p)), bits.OnesCount64(s.Kings(p)))
	}
	margin := [8]string{0: "● ♛ black: " + count(0), 7: "○ ♕ white: " + count(1)}
	name := [2]string{"● black", "○ white"}
	if colour {
		for p, man := range men {
			name[p] = ink.Paint(true, " ● ", ground, man, ink.Bold) + [2]string{" black", " white"}[p]
			margin[7*p] = name[p] + ": " + count(game.Player(p))
		}
	}
	switch {
	case at.stage == drawn:
		margin[3] = "over: a draw"
	case at.stage == lost:
		margin[3] = fmt.Sprintf("over: %s wins", name[1-s.side()])
	default:
		margin[3] = name[s.side()] + " to move"
		if s.Jumps(game.Player(s.side())) {
			margin[3] += ", must jump"
		}
	}
	if at.clock > 0 {
		margin[4] = fmt.Sprintf("%d quiet plies of %d", at.clock, quietLimit)
	}
	var marked uint64 // where the last move began and ended
	if s.ply > 0 {
		marked = s.line[s.ply-1].men[1-s.side()] ^ at.men[1-s.side()]
	}
	var b strings.Builder
	b.WriteString("  ┌" + strings.Repeat("─", 24) + "┐\n")
	for row := range 8 {
		b.WriteString("  │")
		for column := range 8 {
			if (row+column)%2 == 0 {
				b.WriteString(ink.Paint(colour, "   ", ink.Bg(180)))
				continue
			}
			n := 4*row + column/2 + 1
			bit := uint64(1) << bitOf[n]
			b.WriteString(at.square(n, bit, marked&bit != 0, colour))
		}
		b.WriteString("│")
		if margin[row] != "" {
			b.WriteString("   " + margin[row])
		}
		b.WriteByte('\n')
	}
	b.WriteString("  └" + strings.Repeat("─", 24) + "┘\n")
	return b.String()
}

// square is square n in three columns.
func (p *position) square(n int, bit uint64, marked, colour bool) string {
	ground := ground
	if marked {
		ground = ink.Bg(101)
	}
	black, king := p.men[0]&bit != 0, p.kings&bit != 0
	if !black && p.men[1]&bit == 0 {
		if marked && !colour {
			return fmt.Sprintf("%2d<", n)
		}
		return ink.Paint(colour, fmt.Sprintf("%2d ", n), ground, ink.Fg(108))
	}
	figure, man := "○", men[1]
	switch {
	case black && king:
		figure = "♛"
	case black:
		figure = "●"
	case king:
		figure = "♕"
	}
	if colour { // which tells the sides apart
		figure = "●"
		if king {
			figure = "♛"
		}
	}
	if black {
		man = men[0]
	}
	if marked && !colour {
		return "[" + figure + "]"
	}
	return ink.Paint(colour, " "+figure+" ", ground, man, ink.Bold)
}
