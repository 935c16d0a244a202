package chess

import (
	"fmt"
	"math/bits"

	"plyfit/features"
	"plyfit/models"
)

// Places are terms for the squares of pieces. There is one for each kind of piece and each square
// from its owner's point of view, with the files mirrored onto a to d. One square of each kind has
// no term: the initial square of the piece, or the square to which the king castles. A piece on
// this square is worth its material, and the terms are differences from this value. If every square
// had a term, the material would be the sum of these terms, and no regression could separate the
// two.

var squareNames = [6]string{"pawn", "knight", "bishop", "rook", "queen", "king"}

// homes lists the mirrored squares without a term.
var homes = [6]int{8, 1, 2, 0, 3, 1}

// folded returns the index of a square whose file is mirrored onto a to d: 4*rank + file.
func folded(sq int) int {
	file := sq & 7
	if file > 3 {
		file = 7 - file
	}
	return sq>>3*4 + file
}

// placeOf contains, for each kind and square, 1 plus the index of the term, or 0 if there is none.
// The variable places is the number of terms.
var placeOf, places = makePlaces()

// last is the index of the first feature after the places.
var last = (terms + places) * phases

func makePlaces() (placeOf [6][64]int32, next int32) {
	for kind := range placeOf {
		var number [32]int32
		for at := range number {
			if hasPlace(kind, at) {
				next++
				number[at] = next
			}
		}
		for sq := range placeOf[kind] {
			placeOf[kind][sq] = number[folded(sq)]
		}
	}
	return placeOf, next
}

func hasPlace(kind, at int) bool {
	rank := at / 4
	if kind == 0 && (rank == 0 || rank == 7) {
		return false
	}
	return at != folded(homes[kind])
}

// squareTerms returns the terms of all kinds of pieces. For example, knight-c3 is the term for both
// c3 and f3.
func squareTerms() []features.Term[position] {
	var names []string
	for kind := range squareNames {
		for at := range 32 {
			if hasPlace(kind, at) {
				names = append(names, fmt.Sprintf("%s-%c%d", squareNames[kind], 'a'+at%4, at/4+1))
			}
		}
	}
	return []features.Term[position]{{Name: "knight-c3", Group: "squares", Doc: "a piece on c3 or f3, as seen by its owner; one square per kind of piece has no term", Names: names}}
}

// appendPlaces appends the places of both armies' pieces. Pieces of the same kind on the same
// square cancel out.
func appendPlaces(x models.Vector, phase features.Phase, own, opp *army) models.Vector {
	ours := [6]uint64{own.pawns, own.knights, own.bishops, own.rooks, own.queens, own.king}
	theirs := [6]uint64{opp.pawns, opp.knights, opp.bishops, opp.rooks, opp.queens, opp.king}
	for kind := range ours {
		table := &placeOf[kind]
		for b := ours[kind] &^ theirs[kind]; b != 0; b &= b - 1 {
			if at := table[bits.TrailingZeros64(b)&63]; at > 0 {
				x = phase.Append(x, (terms+at-1)*phases, 1)
			}
		}
		for b := theirs[kind] &^ ours[kind]; b != 0; b &= b - 1 {
			if at := table[bits.TrailingZeros64(b)&63]; at > 0 {
				x = phase.Append(x, (terms+at-1)*phases, -1)
			}
		}
	}
	return x
}

// Places of pieces relative to their own king, in files (0 to 4, where 4 represents four or more)
// and ranks ahead (-2 to 5, where the lowest and highest values also represent all ranks beyond
// them). The king's own square has no term, because no other piece can be there. The cell nearRest
// has no term either: with such a term, the terms of a kind would add up to the number of its
// pieces.
const (
	nearFiles, nearRanks = 5, 8
	nearBack             = 2 // number of ranks behind the king
	nearRest             = 4*nearRanks + 1 + nearBack
	nearCells            = nearFiles*nearRanks - 2
)

// nearPlace contains the index of each cell's term, or -1 if it has none.
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

// nearCell returns the index of the term for a piece on the square sq with its king on the square
// king, or -1 if there is none.
func nearCell(king, sq int) int32 {
	file, rank := sq&7-king&7, sq>>3-king>>3
	file = min(max(file, -file), nearFiles-1)
	rank = min(max(rank+nearBack, 0), nearRanks-1)
	return nearPlace[file*nearRanks+rank]
}

// near adds the places of an army's pieces relative to its king, for the kinds before end.
func (w *writer) near(own *army, end int) {
	king := bits.TrailingZeros64(own.king)
	for kind, pieces := range []uint64{own.pawns, own.knights, own.bishops, own.rooks, own.queens}[:end] {
		for b := pieces; b != 0; b &= b - 1 {
			if at := nearCell(king, bits.TrailingZeros64(b)); at >= 0 {
				w.once(nearFirst + int32(kind)*nearCells + at)
			}
		}
	}
}
