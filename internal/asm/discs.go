package asm

import "math/bits"

// This file contains the inner loops of othello. In a set of squares, bit row*8+column represents
// the square in that row and column.

const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
	// inner contains the squares on which a disc can be between two others in its row. It prevents
	// fills in directions that change the column from wrapping around the edge of the board.
	inner = ^uint64(fileA | fileH)
)

// Placed is a board after a move, from the other player's point of view.
type Placed struct {
	Own, Opp uint64
	Replies  uint64 // Mobility(Own, Opp)
	Square   uint64 // square of the move
}

// PlaceDiscs tries each given empty square in order, for the player whose discs are own, and makes
// every move that flips discs. It writes the resulting boards to dst and returns their number. It
// panics if dst is shorter than the number of squares.
func PlaceDiscs(dst []Placed, own, opp, squares uint64) int {
	if squares == 0 {
		return 0
	}
	_ = dst[bits.OnesCount64(squares)-1]
	if AVX2 {
		return placeDiscsAVX2(&dst[0], own, opp, squares)
	}
	return placeDiscsGo(dst, own, opp, squares)
}

func placeDiscsGo(dst []Placed, own, opp, squares uint64) (n int) {
	for ; squares != 0; squares &= squares - 1 {
		flips := Flips(uint(bits.TrailingZeros64(squares)), own, opp)
		if flips == 0 {
			continue
		}
		p := &dst[n]
		p.Square = squares & -squares
		p.Own, p.Opp = opp^flips, own^flips|p.Square
		p.Replies = Mobility(p.Own, p.Opp)
		n++
	}
	return n
}

// Mobility returns the set of empty squares on which a disc added to own would flip discs in opp.
//
// In each direction, the run of opp's discs next to own's is found by doubling the distance filled
// at each step, as in the parallel prefix (Kogge-Stone) algorithm used in chess programs. A run has
// at most six discs.
func Mobility(own, opp uint64) uint64 {
	mid := opp & inner
	row, column, falls, rises := mid&(mid<<1), opp&(opp<<8), mid&(mid<<7), mid&(mid<<9)
	moves := up(own, mid, row, 1) | down(own, mid, row>>1, 1) | up(own, opp, column, 8) | down(own, opp, column>>8, 8) |
		up(own, mid, falls, 7) | down(own, mid, falls>>7, 7) | up(own, mid, rises, 9) | down(own, mid, rises>>9, 9)
	return moves &^ (own | opp)
}

// up returns the squares that follow runs of opp's discs next to own's, in steps of n squares. pairs
// contains the discs that follow another one.
func up(own, opp, pairs uint64, n uint) uint64 {
	run := opp & (own << n)
	run |= opp & (run << n)
	run |= pairs & (run << (2 * n))
	run |= pairs & (run << (2 * n))
	return run << n
}

// down is like up in the opposite direction.
func down(own, opp, pairs uint64, n uint) uint64 {
	run := opp & (own >> n)
	run |= opp & (run >> n)
	run |= pairs & (run >> (2 * n))
	run |= pairs & (run >> (2 * n))
	return run >> n
}

// Flips returns the set of discs in opp that are flipped if a disc is added to own on the empty
// square sq, which is in the range 0..63.
//
// Each of the four lines through sq is gathered into a byte, which is looked up in two small
// tables. (Additions with carries along the eight rays need twice as many operations.)
func Flips(sq uint, own, opp uint64) uint64 {
	x, y := sq&7, sq>>3&7
	row := y << 3
	flips := uint64(turned(x, own>>row, opp>>row)) << row

	// The product moves bit 8r to bit 56+r; scatter moves bit r back to bit 8r. No two terms
	// overlap, because a disc at the end of the line is never flipped.
	const gather, scatter = 0x0102040810204080, 0x0002040810204081
	column := turned(y, (own>>x&fileA)*gather>>56, (opp>>x&fileA)*gather>>56)
	flips |= (uint64(column) * scatter & fileA) << x

	// A diagonal has at most one square in each column, so the product adds up its rows.
	d := &Diagonals[sq&63]
	flips |= uint64(turned(x, (own&d[0])*fileA>>56, (opp&d[0])*fileA>>56)) * fileA & d[0]
	flips |= uint64(turned(x, (own&d[1])*fileA>>56, (opp&d[1])*fileA>>56)) * fileA & d[1]
	return flips
}

// turned returns the discs flipped by placing one at index x on a line of eight squares. The lowest
// bits of own and opp contain the line's discs.
func turned(x uint, own, opp uint64) uint8 {
	return between[x&7][ends[x&7][opp>>1&63]&uint8(own)]
}

// ends[x][o] contains the indices at which a disc of the mover would end a run of the other
// player's discs that begins next to index x. o is the other player's discs on the six inner
// squares. between[x][e] contains the indices between x and those in e.
var ends, between = makeLines()

func makeLines() (ends [8][64]uint8, between [8][256]uint8) {
	for x := range 8 {
		for o := range 64 {
			opp := o << 1
			for _, step := range [2]int{-1, 1} {
				end := x + step
				for 0 <= end && end < 8 && opp>>end&1 != 0 {
					end += step
				}
				if 0 <= end && end < 8 && end != x+step {
					ends[x][o] |= 1 << end
				}
			}
		}
		for e := range 256 {
			for end := range 8 {
				if e>>end&1 != 0 {
					for at := min(x, end) + 1; at < max(x, end); at++ {
						between[x][e] |= 1 << at
					}
				}
			}
		}
	}
	return ends, between
}

// Diagonals contains the rising and the falling diagonal through each square.
var Diagonals = makeDiagonals()

func makeDiagonals() (all [64][2]uint64) {
	for sq := range all {
		for other := range 64 {
			r, c := other/8-sq/8, other%8-sq%8
			if r == c {
				all[sq][0] |= 1 << other
			}
			if r == -c {
				all[sq][1] |= 1 << other
			}
		}
	}
	return all
}
