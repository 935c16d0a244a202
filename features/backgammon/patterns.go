package backgammon

import (
	"fmt"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
)

// What a point holds in a pattern, as the one sees it whose view it is; of a bar, how
// many checkers, two standing for more.
const (
	nothing = iota
	ownBlot
	ownPoint
	otherBlot
	otherPoint
	pointSymbols
)

const (
	window = 6  // points of a pattern
	ownBar = 24 // cells: the points 1 to 24 of the one whose view it is, the bars
	oppBar = 25
)

// patterned is the set of [Patterns].
type patterned struct {
	mover
	terms    features.Set
	patterns *features.Patterns
	blocks   []features.Block
}

// Patterns is the set backgammon/patterns: the inputs of [FullPhases] and, while there
// is contact, a weight for every filling of six points in a row, wherever they lie: blots
// and held points of both sides. The two home boards are taken together with the bar of
// whoever has to enter there. So primes, gaps and what stands before them have a worth of
// their own, where the inputs can but add up points.
func Patterns() features.Set {
	s := &patterned{terms: FullPhases()}
	s.blocks = s.terms.Blocks()
	first := 0
	for _, b := range s.blocks {
		first += b.Len
	}
	var all []features.Pattern
	for low := range 24 - window + 1 {
		name, cells := fmt.Sprintf("points-%d-%d", low+1, low+window), []int(nil)
		for c := range window {
			cells = append(cells, low+c)
		}
		switch low {
		case 0:
			name, cells = name+"-bar", append(cells, oppBar)
		case 24 - window:
			name, cells = name+"-bar", append(cells, ownBar)
		}
		all = append(all, features.Pattern{Name: name, Cells: [][]int{cells}, Base: pointSymbols, Symbols: ".1+x-", Table: true})
	}
	s.patterns = features.NewPatterns(first, 26, all...)
	s.blocks = append(s.blocks, s.patterns.Blocks()...)
	return s
}

func (*patterned) Name() string { return "backgammon/patterns" }

func (s *patterned) Blocks() []features.Block { return s.blocks }

func (s *patterned) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	x = s.terms.Extract(st, p, x)
	b := board.Of(st)
	if b.Race() {
		return x
	}
	var cells [26]uint8
	fill(b, p, &cells)
	return s.patterns.Extract(cells[:], x)
}

// fill writes what each cell holds as p sees it.
func fill(b *board.State, p game.Player, cells *[26]uint8) {
	var own, other [26]int8
	b.Places(p, &own)
	b.Places(1-p, &other)
	for point := 1; point <= 24; point++ {
		mine, theirs := own[point], other[25-point]
		switch {
		case mine > 1:
			cells[point-1] = ownPoint
		case mine == 1:
			cells[point-1] = ownBlot
		case theirs > 1:
			cells[point-1] = otherPoint
		case theirs == 1:
			cells[point-1] = otherBlot
		}
	}
	cells[ownBar], cells[oppBar] = uint8(min(own[board.Bar], 2)), uint8(min(other[board.Bar], 2))
}
