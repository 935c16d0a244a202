package othello

import (
	"fmt"
	"strings"

	"plyfit/game"
)

// Board draws the position for a person in a terminal, in ten lines: X's discs
// filled, O's hollow, and a dot where the mover may play.
func (s *State) Board() string {
	x, o := s.Discs()
	at := s.look()
	margin := [8]string{
		0: fmt.Sprintf("● X %2d", popcount(x)),
		1: fmt.Sprintf("○ O %2d", popcount(o)),
	}
	switch at.stage {
	case over:
		margin[3] = "over: " + verdict(s.Utility(0))
	case passing:
		margin[3] = side(s.mover()) + " must pass"
	default:
		margin[3] = side(s.mover()) + " to move"
	}
	var b strings.Builder
	const files = "    a b c d e f g h\n"
	b.WriteString(files)
	for r := range 8 {
		fmt.Fprintf(&b, "  %d", r+1)
		for c := range 8 {
			bit := uint64(1) << (8*r + c)
			switch {
			case x&bit != 0:
				b.WriteString(" ●")
			case o&bit != 0:
				b.WriteString(" ○")
			case at.moves&bit != 0:
				b.WriteString(" ·")
			default:
				b.WriteString("  ")
			}
		}
		fmt.Fprintf(&b, " %d", r+1)
		if margin[r] != "" {
			b.WriteString("   " + margin[r])
		}
		b.WriteByte('\n')
	}
	b.WriteString(files)
	return b.String()
}

func side(p game.Player) string {
	return [...]string{"● X", "○ O"}[p]
}

func verdict(u float64) string {
	switch {
	case u > 0:
		return fmt.Sprintf("● X wins by %v", u)
	case u < 0:
		return fmt.Sprintf("○ O wins by %v", -u)
	}
	return "a draw"
}
