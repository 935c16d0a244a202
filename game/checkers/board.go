package checkers

import (
	"fmt"
	"math/bits"
	"strings"

	"plyfit/game"
)

// Board draws the position for a person in a terminal, white below: men as
// discs, kings as crowned heads, the empty dark squares by their numbers.
func (s *State) Board() string {
	at := s.look()
	count := func(p game.Player) string {
		return fmt.Sprintf("men %2d, kings %d", bits.OnesCount64(s.Men(p)), bits.OnesCount64(s.Kings(p)))
	}
	margin := [8]string{0: "● ♛ black: " + count(0), 7: "○ ♕ white: " + count(1)}
	name := [2]string{"● black", "○ white"}
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
	var b strings.Builder
	b.WriteString("  ┌" + strings.Repeat("─", 24) + "┐\n")
	for row := range 8 {
		b.WriteString("  │")
		for column := range 8 {
			if (row+column)%2 == 0 {
				b.WriteString("   ")
				continue
			}
			n := 4*row + column/2 + 1
			bit := uint64(1) << bitOf[n]
			switch {
			case at.men[0]&at.kings&bit != 0:
				b.WriteString(" ♛ ")
			case at.men[1]&at.kings&bit != 0:
				b.WriteString(" ♕ ")
			case at.men[0]&bit != 0:
				b.WriteString(" ● ")
			case at.men[1]&bit != 0:
				b.WriteString(" ○ ")
			default:
				fmt.Fprintf(&b, "%2d ", n)
			}
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
