package chess

import (
	"math/bits"
	"sync"
)

// Squares are numbered from a1 = 0, b1 = 1 to h8 = 63; a set of squares has a bit for each.

const (
	fileA uint64 = 0x0101010101010101
	fileH        = fileA << 7
	rank1 uint64 = 0xff
	rank8        = rank1 << 56
	light uint64 = 0x55aa55aa55aa55aa // squares of h1's colour
)

// What a piece attacks from a square, and the lines that pins and checks run
// along. All are filled once, by prepare.
var (
	knightAttacks, kingAttacks [64]uint64
	pawnAttacks                [2][64]uint64
	rookRays, bishopRays       [64]uint64     // on an empty board
	between                    [64][64]uint64 // the squares strictly between two on a line
	through                    [64][64]uint64 // the whole line through both
	lost                       [64]uint8      // castling rights that end when a piece leaves or enters
)

// prepare fills the tables; anyone who makes a State calls it first.
var prepare = sync.OnceFunc(func() {
	for sq := range 64 {
		for _, d := range [8][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			knightAttacks[sq] |= step(sq, d[0], d[1])
		}
		for _, d := range compass {
			kingAttacks[sq] |= step(sq, d[0], d[1])
		}
		pawnAttacks[0][sq] = step(sq, -1, 1) | step(sq, 1, 1)
		pawnAttacks[1][sq] = step(sq, -1, -1) | step(sq, 1, -1)
		rookRays[sq] = slide(sq, 0, compass[:4])
		bishopRays[sq] = slide(sq, 0, compass[4:])
	}
	for a := range 64 {
		for i := range compass {
			d, opposite := compass[i:i+1], compass[i^1:i^1+1]
			ray := slide(a, 0, d)
			for targets := ray; targets != 0; targets &= targets - 1 {
				b := bits.TrailingZeros64(targets)
				between[a][b] = slide(a, 1<<b, d) &^ (1 << b)
				through[a][b] = ray | 1<<a | slide(a, 0, opposite)
			}
		}
	}
	lost[0], lost[4], lost[7] = whiteLong, whiteLong|whiteShort, whiteShort
	lost[56], lost[60], lost[63] = blackLong, blackLong|blackShort, blackShort
	fillSlides()
})

// compass has the rook's directions, then the bishop's, as steps of file and
// rank; each is next to its opposite.
var compass = [8][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}

// step is the square so many files and ranks on, none over the edge.
func step(sq, files, ranks int) uint64 {
	f, r := sq&7+files, sq>>3+ranks
	if f < 0 || f > 7 || r < 0 || r > 7 {
		return 0
	}
	return 1 << (8*r + f)
}

// slide is what a slider attacks, up to and with the first piece of occupied in each direction.
func slide(sq int, occupied uint64, directions [][2]int) (attacks uint64) {
	for _, d := range directions {
		for at := sq; ; {
			b := step(at, d[0], d[1])
			attacks |= b
			if b == 0 || b&occupied != 0 {
				break
			}
			at = bits.TrailingZeros64(b)
		}
	}
	return attacks
}

// KnightAttacks are the squares a knight attacks. This and the other tables of
// attacks may be asked once there is a State.
func KnightAttacks(sq int) uint64 { return knightAttacks[sq&63] }

// KingAttacks are the squares a king attacks.
func KingAttacks(sq int) uint64 { return kingAttacks[sq&63] }

// RookAttacks are the squares a rook attacks among the pieces of occupied.
func RookAttacks(sq int, occupied uint64) uint64 { return rookMagics[sq&63].attacks(occupied) }

// BishopAttacks are the squares a bishop attacks among the pieces of occupied.
func BishopAttacks(sq int, occupied uint64) uint64 { return bishopMagics[sq&63].attacks(occupied) }
