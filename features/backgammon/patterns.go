package backgammon

import (
	"fmt"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
)

// What a point holds in a pattern, in the view of a player. A bar holds the number of
// checkers on it, 2 standing for more.
const (
	nothing = iota
	ownBlot
	ownPoint
	otherBlot
	otherPoint
	contents
)

// The cells of the patterns: a player's points 1 to 24, then the bars.
const (
	pointCount = 24
	ownBar     = pointCount
	otherBar   = pointCount + 1
	cellCount  = pointCount + 2
	window     = 6 // points of a pattern
)

var _ features.Shaper = (*patterned)(nil)

type patterned struct {
	features.Outline
	patterns *features.Patterns
}

// newPatterned is the set backgammon/patterns: the terms of rich, the checkers on each point as
// in TD-Gammon, separately for five phases of the game, and, while there is contact, a weight for
// every filling of each six points in a row, by blots and held points of both sides; a home board
// together with the bar of the player who has to enter there. So a prime, its gap and what is in
// front of it have a joint value, where the inputs add up points.
func newPatterned() features.Set {
	s := &patterned{Outline: features.Outline{Called: "backgammon/patterns", Columns: phasedBlocks(), Seen: view}}
	var all []features.Pattern
	for low := range pointCount - window + 1 {
		tuple := make([]int, window)
		for i := range tuple {
			tuple[i] = low + i
		}
		switch low {
		case 0:
			tuple = append(tuple, otherBar)
		case pointCount - window:
			tuple = append(tuple, ownBar)
		}
		all = append(all, features.Pattern{
			Name: fmt.Sprintf("points-%d-%d", low+1, low+window), Cells: [][]int{tuple},
			Base: contents, Symbols: ".1+x-", Table: true,
		})
	}
	s.patterns = features.NewPatterns(int(s.Add()), cellCount, all...)
	s.Add(s.patterns.Blocks()...)
	return s
}

// Shapes implements [features.Shaper]: a player's points 13 to 24 above, 12 to 1 below,
// and at the right the bar of the one who enters there.
func (s *patterned) Shapes() []features.Shape {
	const columns = pointCount/2 + 1
	shapes := s.patterns.Shapes(2, columns, "+ own point, 1 own blot, - the other's point, x his blot, . nothing; last, beside a home board, the checkers on the bar: . none, 1 one, + more")
	for i := range shapes {
		drawn := make([]int, len(shapes[i].Cells))
		for k, c := range shapes[i].Cells {
			switch {
			case c == ownBar:
				drawn[k] = columns - 1
			case c == otherBar:
				drawn[k] = 2*columns - 1
			case c < pointCount/2:
				drawn[k] = 2*columns - 2 - c
			default:
				drawn[k] = c - pointCount/2
			}
		}
		shapes[i].Cells = drawn
	}
	return shapes
}

func (s *patterned) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	x = appendPhased(st, p, x)
	b := board.Of(st)
	if b.Race() {
		return x
	}
	var held [cellCount]uint8
	fill(b, p, &held)
	return s.patterns.Extract(held[:], x)
}

// fill writes what each cell holds in the view of p.
func fill(b *board.State, p game.Player, held *[cellCount]uint8) {
	var own, other [26]int8
	b.Places(p, &own)
	b.Places(1-p, &other)
	for c := range pointCount {
		mine, theirs := own[c+1], other[pointCount-c]
		switch {
		case mine > 1:
			held[c] = ownPoint
		case mine == 1:
			held[c] = ownBlot
		case theirs > 1:
			held[c] = otherPoint
		case theirs == 1:
			held[c] = otherBlot
		}
	}
	held[ownBar], held[otherBar] = uint8(min(own[board.Bar], 2)), uint8(min(other[board.Bar], 2))
}
