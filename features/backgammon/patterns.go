package backgammon

import (
	"fmt"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
)

// Contents of a point in a pattern, from a player's point of view. The content of a bar is its
// number of checkers, where 2 represents two or more.
const (
	nothing = iota
	ownBlot
	ownPoint
	otherBlot
	otherPoint
	contents
)

// Cells of the patterns: the player's points 1 to 24, followed by the two bars.
const (
	pointCount = 24
	ownBar     = pointCount
	otherBar   = pointCount + 1
	cellCount  = pointCount + 2
	window     = 6 // number of points in a pattern
)

var _ features.Shaper = (*patterned)(nil)

type patterned struct {
	features.Outline
	patterns *features.Patterns
}

// newPatterned returns the set backgammon/patterns. It contains the terms of rich and, separately
// for five phases of the game, the checkers on each point, encoded as in TD-Gammon. While there is
// contact, it also has a weight for each way to fill six consecutive points with blots and held
// points of both sides. The pattern of a home board includes the bar of the player who has to enter
// there. A prime, its gap and the checkers in front of it therefore have a joint value, whereas the
// other inputs add up the values of individual points.
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

// Shapes implements [features.Shaper]. The upper row shows the player's points 13 to 24, and the
// lower row shows the points 12 to 1. At the right end of each row is the bar of the player who
// enters there.
func (s *patterned) Shapes() []features.Shape {
	const columns = pointCount/2 + 1
	shapes := s.patterns.Shapes(2, columns, "+ own point, 1 own blot, - enemy point, x enemy blot, . empty; the last cell, next to a home board, is the bar: . no checker, 1 one, + more")
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

// fill sets the contents of each cell from p's point of view.
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
