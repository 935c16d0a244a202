package backgammon

import (
	"cmp"
	"fmt"
	"strings"

	"plyfit/game"
)

// fibs is the game as the FIBS server and GNU Backgammon tell it.
var fibs = game.Dialect{
	Protocol:  "fibs",
	Tell:      func(s game.State) (string, error) { return fibsBoard(Of(s)), nil },
	ParseMove: parseFIBS,
}

// fibsBoard is a position, dice rolled, as a FIBS board (fibs.com, "The FIBS client protocol"):
// fields separated by colons, the addressee to move, with positive numbers of checkers, from 24
// down to 1.
func fibsBoard(s *State) string {
	p := s.Player()
	var own, other [26]int8
	s.Places(p, &own)
	s.Places(1-p, &other)
	var out strings.Builder
	// Unlimited match, no one has scored; then the other's bar, the points from 1
	// as the mover counts, and the mover's bar.
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
	// Turn; the mover's dice and the other's; the cube, who may double, whether one did; colour,
	// direction, the numbers of home and bar; checkers off, on the bar; how many can move; forced,
	// Crawford, redoubles.
	fmt.Fprintf(&out, ":1:%d:%d:0:0:1:1:1:0:1:-1:0:25:%d:%d:%d:%d:%d:0:0:0", hi, lo,
		own[Off], other[Off], own[Bar], other[Bar], movable)
	return out.String()
}

// parseFIBS reads a play as gnubg tells it, 25/20 6/0, 24/18 18/14, the mover
// counting, his bar being 25 and what is off 0; an empty one is a pass.
func parseFIBS(s game.State, text string) (game.Move, error) {
	ways := strings.Fields(cmp.Or(text, "pass"))
	for i, way := range ways {
		if from, borneOff := strings.CutSuffix(way, "/0"); borneOff {
			ways[i] = from + "/off"
		}
	}
	return parseMove(s, strings.Join(ways, " "))
}
