package checkers

import (
	"fmt"
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

type patternSet struct {
	features.Outline
	first int32 // index of the first weight of the first table
	men   *features.Patterns
}

// Dimensions of the patterns.
const (
	patternPhases = 2 // one phase with 24 pieces on the board and one with none
	boardSide     = 8
	window        = 4                      // number of rows and files in a pattern, which has eight squares
	places        = boardSide - window + 1 // number of windows along a side
)

// Contents of a square from the player's point of view: empty or a king, the player's man, or the
// other player's man.
const (
	noMan = iota
	ownMan
	theirMan
	fillings
)

var _ features.Set = (*patternSet)(nil)

// patterns returns the set checkers/patterns. It contains checkers/terms and a weight for each
// arrangement of men in each of the 25 windows of four rows by four files, which have eight dark
// squares. The weights are linear between two phases (name[filling]@0 with 24 pieces on the board,
// @1 with none). Kings count only in the terms. The patterns follow those of Scan, Letouzey's
// draughts program (2015), on a smaller board.
func patterns() features.Set {
	p := &patternSet{Outline: features.Outline{Called: "checkers/patterns", Columns: classic.Set().Blocks()}}
	p.first = p.Add()
	var shapes []features.Pattern
	for row := range places {
		for file := range places {
			name := fmt.Sprintf("men-%d-%d", row+1, file+1)
			shapes = append(shapes, features.Pattern{Name: name, Cells: [][]int{windowAt(row, file)}, Base: fillings, Symbols: ".+-"})
		}
	}
	p.men = features.NewPatterns(0, boardSide*boardSide/2, shapes...)
	for _, b := range p.men.Blocks() {
		p.Add(features.Block{Name: b.Name, Len: patternPhases * b.Len, Table: true, Label: func(i int) string {
			return fmt.Sprintf("%s@%d", b.Label(i/patternPhases), i%patternPhases)
		}})
	}
	return p
}

// windowAt returns the squares of the window that begins at the given row and file. The squares are
// numbered from 0.
func windowAt(row, file int) (cells []int) {
	for r := row; r < row+window; r++ {
		for f := file; f < file+window; f++ {
			if (r+f)%2 == 1 { // square 1 is on the second file of row 1
				cells = append(cells, 4*r+f/2)
			}
		}
	}
	return cells
}

func (p *patternSet) Extract(s game.State, who game.Player, x models.Vector) models.Vector {
	var b position
	b.prepare(s, who)
	x = b.append(x)
	var cells [boardSide * boardSide / 2]uint8
	fill(&cells, b.own.men, ownMan)
	fill(&cells, b.own.theirMen, theirMan)
	var buffer [places * places]int32
	phase := features.PhaseAt(b.done(), patternPhases)
	for _, at := range p.men.Indices(cells[:], buffer[:0]) {
		x = phase.Append(x, p.first+patternPhases*at, 1)
	}
	return x
}

// fill writes the given content to the cells that correspond to the men's squares.
func fill(cells *[boardSide * boardSide / 2]uint8, men uint64, what uint8) {
	for ; men != 0; men &= men - 1 {
		bit := bits.TrailingZeros64(men)
		cells[bit-bit/9] = what
	}
}
