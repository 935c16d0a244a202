package chess

import (
	"fmt"
	"math/bits"
)

// Where pieces are from their own king, in files (0 to 4, four or more) and ranks ahead (-2 to 5,
// so many or more). The king's own square is no one else's, and nearRest has no term: with it the
// terms of a kind would add up to its number.
const (
	nearFiles, nearRanks = 5, 8
	nearBack             = 2 // ranks behind the king
	nearRest             = 4*nearRanks + 1 + nearBack
	nearCells            = nearFiles*nearRanks - 2
)

// nearPlace is the number of a cell's term, -1 where it has none.
var nearPlace = func() (place [nearFiles * nearRanks]int32) {
	next := int32(0)
	for cell := range place {
		place[cell] = -1
		if cell != nearBack && cell != nearRest {
			place[cell] = next
			next++
		}
	}
	return place
}()

func nearNames() (names []string) {
	for _, kind := range squareNames[:5] {
		for cell, at := range nearPlace {
			if at >= 0 {
				names = append(names, fmt.Sprintf("%s-king-%d%+d", kind, cell/nearRanks, cell%nearRanks-nearBack))
			}
		}
	}
	return names
}

// kinds are the pieces that are not kings, in the order of squareNames.
func (a *army) kinds() [5]uint64 {
	return [5]uint64{a.pawns, a.knights, a.bishops, a.rooks, a.queens}
}

// nearCell is the term of a piece on sq whose king stands on king, -1 where it has none.
func nearCell(king, sq int) int32 {
	file, rank := sq&7-king&7, sq>>3-king>>3
	file = min(max(file, -file), nearFiles-1)
	rank = min(max(rank+nearBack, 0), nearRanks-1)
	return nearPlace[file*nearRanks+rank]
}

// near adds where own's pieces of the kinds up to end stand from its king.
func (w *writer) near(own *army, end int) {
	king, kinds := bits.TrailingZeros64(own.king), own.kinds()
	for kind, pieces := range kinds[:end] {
		for b := pieces; b != 0; b &= b - 1 {
			if at := nearCell(king, bits.TrailingZeros64(b)); at >= 0 {
				w.once(nearFirst + int32(kind)*nearCells + at)
			}
		}
	}
}
