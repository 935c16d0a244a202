package othello

import (
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/ink"
)

// Draw implements [game.Drawer], in ten lines: X's discs filled and black, O's
// hollow, or white, and a dot where the mover may play.
func (s *State) Draw(colour bool) string {
	x, o := s.Discs()
	at := s.analysed()
	margin := [8]string{
		0: fmt.Sprintf("%s %2d", side(0, colour), popcount(x)),
		1: fmt.Sprintf("%s %2d", side(1, colour), popcount(o)),
	}
	switch at.stage {
	case over:
		margin[3] = "over: " + outcome(final(x, o), colour)
	case passing:
		margin[3] = side(s.mover(), colour) + " must pass"
	default:
		margin[3] = side(s.mover(), colour) + " to move"
	}
	var last uint64 // the disc that was set last, not those that it turned
	if s.ply > 0 {
		before := &s.line[(s.ply-1)&127]
		last = (at.own | at.opp) &^ (before.own | before.opp)
	}
	var b strings.Builder
	const files = "    a b c d e f g h\n"
	b.WriteString(files)
	for r := range 8 {
		fmt.Fprintf(&b, "  %d", r+1)
		for c := range 9 {
			bit := uint64(1) << (8*r + c)
			if c == 8 {
				bit = 0
			}
			gap := " "
			switch {
			case colour:
			case last&bit != 0:
				gap = "["
			case c > 0 && last&(uint64(1)<<(8*r+c-1)) != 0:
				gap = "]"
			}
			if c == 8 {
				b.WriteString(ink.Paint(colour, gap, ink.Bg(22)))
				break
			}
			disc, style := " ", ink.Fg(71)
			switch {
			case x&bit != 0:
				disc, style = "●", ink.Fg(16)
			case o&bit != 0 && colour:
				disc, style = "●", ink.Fg(231)
			case o&bit != 0:
				disc = "○"
			case at.moves&bit != 0:
				disc = "·"
			}
			ground := ink.Bg(22)
			if last&bit != 0 {
				ground = ink.Bg(65)
			}
			b.WriteString(ink.Paint(colour, gap, ink.Bg(22)) + ink.Paint(colour, disc, ground, style, ink.Bold))
		}
		fmt.Fprintf(&b, "%d", r+1)
		if margin[r] != "" {
			b.WriteString("   " + margin[r])
		}
		b.WriteByte('\n')
	}
	b.WriteString(files)
	return b.String()
}

func side(p game.Player, colour bool) string {
	if colour {
		return ink.Paint(true, " ● ", ink.Bg(22), [2]ink.Style{ink.Fg(16), ink.Fg(231)}[p], ink.Bold) + [2]string{" X", " O"}[p]
	}
	return [...]string{"● X", "○ O"}[p]
}

func outcome(u int, colour bool) string {
	switch {
	case u > 0:
		return fmt.Sprintf("%s wins by %v", side(0, colour), u)
	case u < 0:
		return fmt.Sprintf("%s wins by %v", side(1, colour), -u)
	}
	return "a draw"
}
