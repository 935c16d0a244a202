package othello

import "math/bits"

// A set of squares has bit row*8+column, a1 being bit 0, h1 bit 7, h8 bit 63.

const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
	row1  = 0xff
	row8  = row1 << 56

	corners = 1 | 1<<7 | 1<<56 | 1<<63
	// inner is where a disc can stand between two others of its row: fills in
	// the directions that change the column cannot run over the board's edge.
	inner = ^uint64(fileA | fileH)
)

// Mobility is the set of empty squares on which a disc of own would turn some
// of opp's.
//
// In each direction the run of opp's discs beside own's is found by filling
// twice as far at each step (the parallel prefix of the chess programmers'
// Kogge-Stone algorithm): runs are six discs at most.
func Mobility(own, opp uint64) uint64 {
	mid := opp & inner
	var moves uint64

	up, down := mid&(own<<1), mid&(own>>1)
	up |= mid & (up << 1)
	down |= mid & (down >> 1)
	pairs := mid & (mid << 1)
	up |= pairs & (up << 2)
	up |= pairs & (up << 2)
	pairs >>= 1
	down |= pairs & (down >> 2)
	down |= pairs & (down >> 2)
	moves |= up<<1 | down>>1

	up, down = opp&(own<<8), opp&(own>>8)
	up |= opp & (up << 8)
	down |= opp & (down >> 8)
	pairs = opp & (opp << 8)
	up |= pairs & (up << 16)
	up |= pairs & (up << 16)
	pairs >>= 8
	down |= pairs & (down >> 16)
	down |= pairs & (down >> 16)
	moves |= up<<8 | down>>8

	up, down = mid&(own<<7), mid&(own>>7)
	up |= mid & (up << 7)
	down |= mid & (down >> 7)
	pairs = mid & (mid << 7)
	up |= pairs & (up << 14)
	up |= pairs & (up << 14)
	pairs >>= 7
	down |= pairs & (down >> 14)
	down |= pairs & (down >> 14)
	moves |= up<<7 | down>>7

	up, down = mid&(own<<9), mid&(own>>9)
	up |= mid & (up << 9)
	down |= mid & (down >> 9)
	pairs = mid & (mid << 9)
	up |= pairs & (up << 18)
	up |= pairs & (up << 18)
	pairs >>= 9
	down |= pairs & (down >> 18)
	down |= pairs & (down >> 18)
	moves |= up<<9 | down>>9
	return moves &^ (own | opp)
}

// ray holds the squares of five of the eight directions from one square: up[k]
// those with higher bits, left those of its row with lower bits. The three
// others are up rays of the board turned upside down.
type ray struct {
	up   [4]uint64
	left uint64
}

var rays = makeRays()

func makeRays() (all [64]ray) {
	steps := [4][2]int{{0, 1}, {1, -1}, {1, 0}, {1, 1}}
	for sq := range all {
		for c := sq % 8; c > 0; c-- {
			all[sq].left |= 1 << uint(sq/8*8+c-1)
		}
		for k, step := range steps {
			for r, c := sq/8+step[0], sq%8+step[1]; onBoard(r, c); r, c = r+step[0], c+step[1] {
				all[sq].up[k] |= 1 << uint(8*r+c)
			}
		}
	}
	return all
}

func onBoard(row, column int) bool { return uint(row) < 8 && uint(column) < 8 }

// Flips is the set of opp's discs that a disc of own on the empty square sq
// turns. sq is 0..63.
func Flips(sq uint, own, opp uint64) uint64 {
	up := &rays[sq&63].up
	flips := rise(up[0], own, opp) | rise(up[1], own, opp) | rise(up[2], own, opp) | rise(up[3], own, opp)
	left := fall(rays[sq&63].left, own, opp)
	up = &rays[sq&63^56].up
	own, opp = bits.ReverseBytes64(own), bits.ReverseBytes64(opp)
	return flips | left | bits.ReverseBytes64(rise(up[1], own, opp)|rise(up[2], own, opp)|rise(up[3], own, opp))
}

// rise is the run of opp's discs that begins at the foot of the ray and that a
// disc of own's ends: adding 1 to the ray's complement and opp's discs carries
// to the first square of the ray that is not opp's.
func rise(ray, own, opp uint64) uint64 {
	end := (opp | ^ray) + 1
	end &= ray & own
	end-- // all ones where there is no end: then one more carry makes it 0
	return (end + end>>63) & ray
}

// fall is rise for a ray that runs to lower bits: the first square that is not
// opp's is the highest. The |1 spares a test for none: bit 0 ends a ray only
// where it lies on it and is own's.
func fall(ray, own, opp uint64) uint64 {
	end := uint64(1) << (uint(bits.Len64(ray&^opp|1)-1) & 63)
	end &= ray & own
	return -(end << 1) & ray
}

func popcount(b uint64) int { return bits.OnesCount64(b) }
