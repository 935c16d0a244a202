package chess

import (
	"fmt"
	"math/bits"

	"plyfit/features"
	"plyfit/models"
)

// Places are the terms of where a piece is: one for each kind and square as its owner sees it, the
// files mirrored onto a to d. One square of each kind has none (where the piece begins, the king
// where he castles to): there it is worth its material, and the terms are differences from that.
// With a term for every square the material would be their sum, and no fit could separate the two.

var squareNames = [6]string{"pawn", "knight", "bishop", "rook", "queen", "king"}

// homes are the mirrored squares without a term.
var homes = [6]int{8, 1, 2, 0, 3, 1}

// folded is a square with its file mirrored: 4*rank + file from a to d.
func folded(sq int) int {
	file := sq & 7
	if file > 3 {
		file = 7 - file
	}
	return sq>>3*4 + file
}

// placeOf is one more than the term of a kind on a folded square; 0 where there is none.
var placeOf, places = makePlaces()

// last is the feature after those of the squares.
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

// squareTerms are those of all kinds, such as knight-c3 for c3 and f3.
func squareTerms() []features.Term[position] {
	var names []string
	for kind := range squareNames {
		for at := range 32 {
			if hasPlace(kind, at) {
				names = append(names, fmt.Sprintf("%s-%c%d", squareNames[kind], 'a'+at%4, at/4+1))
			}
		}
	}
	return []features.Term[position]{{Name: "knight-c3", Doc: "a piece on c3 or f3, as its owner sees the board; one square of each kind has no term", Names: names}}
}

// appendPlaces appends both armies' places. Those on the same square for both cancel.
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
