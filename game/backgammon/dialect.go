package backgammon

import (
	"cmp"
	"fmt"
	"strings"

	"plyfit/game"
)

// fibs is the dialect of the FIBS server and GNU Backgammon.
var fibs = game.Dialect{
	Protocol:  "fibs",
	Format:    func(s game.State) (string, error) { return fibsBoard(Of(s)), nil },
	ParseMove: parseFIBS,
}

// fibsBoard formats a position with rolled dice as a FIBS board (fibs.com, "The FIBS client
// protocol"). Its fields are separated by colons. The board is shown for the player to move, who
// moves from 24 to 1 and whose checkers are positive numbers.
func fibsBoard(s *State) string {
	p := s.Player()
	var own, other [26]int8
	s.Places(p, &own)
	s.Places(1-p, &other)
	var out strings.Builder
	// An unlimited match with no score, followed by the other player's bar, the points from 1 in
	// the mover's numbering, and the mover's bar.
	out.WriteString("board:mover:other:9999:0:0")
	for place := range 26 {
		n := 0
		switch place {
		case 0:
			n = -int(other[Bar])
		case Bar:
			n = int(own[Bar])
		default:
			n = int(own[place]) - int(other[25-place])
		}
		fmt.Fprintf(&out, ":%d", n)
	}
	hi, lo := s.Dice()
	movable := 2
	if hi == lo {
		movable = 4
	}
	// The turn; the dice of the mover and the other player; the cube value, each player's right to
	// double, and whether a double was offered; the colour, the direction, the numbers of home and
	// bar; the checkers off and on the bar; the number of checkers that can move; forced move,
	// Crawford game, redoubles.
	fmt.Fprintf(&out, ":1:%d:%d:0:0:1:1:1:0:1:-1:0:25:%d:%d:%d:%d:%d:0:0:0", hi, lo,
		own[Off], other[Off], own[Bar], other[Bar], movable)
	return out.String()
}

// parseFIBS reads a turn in gnubg's notation, such as 25/20 6/0 or 24/18 18/14, in the mover's
// numbering. The bar is 25, and 0 is off. An empty string means a pass.
func parseFIBS(s game.State, text string) (game.Move, error) {
	ways := strings.Fields(cmp.Or(text, "pass"))
	for i, way := range ways {
		if from, borneOff := strings.CutSuffix(way, "/0"); borneOff {
			ways[i] = from + "/off"
		}
	}
	return parseMove(s, strings.Join(ways, " "))
}
