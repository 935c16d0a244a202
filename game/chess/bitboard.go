package chess

import (
	"math/bits"
	"sync"
)

// Squares are numbered from a1 = 0, b1 = 1 to h8 = 63. A set of squares has one bit for each
// square.

const (
	fileA uint64 = 0x0101010101010101
	fileH        = fileA << 7
	rank1 uint64 = 0xff
	rank8        = rank1 << 56
	light uint64 = 0x55aa55aa55aa55aa // squares of the same colour as h1
)

// Tables of attacks, and of the lines along which pieces are pinned or give check. They are filled
// once, by the function prepare.
var (
	knightAttacks, kingAttacks [64]uint64
	pawnAttacks                [2][64]uint64
	rookRays, bishopRays       [64]uint64     // attacks on an empty board
	between                    [64][64]uint64 // squares strictly between two squares on a line
	through                    [64][64]uint64 // all squares of the line through two squares
	lost                       [64]uint8      // castling rights that are lost when a piece leaves or enters each square
)

// prepare fills the tables. It must be called before a State is created.
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

// compass contains a rook's directions followed by a bishop's, as steps in files and ranks.
// Opposite directions are adjacent.
var compass = [8][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}

// step returns the square at the given distance in files and ranks, or 0 if it is off the board.
func step(sq, files, ranks int) uint64 {
	f, r := sq&7+files, sq>>3+ranks
	if f < 0 || f > 7 || r < 0 || r > 7 {
		return 0
	}
	return 1 << (8*r + f)
}

// slide returns the squares attacked in the given directions, up to and including the first
// occupied square in each direction.
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

// KnightAttacks returns the squares attacked by a knight. Like the other functions for attacks, it
// may be called only after a State has been created.
func KnightAttacks(sq int) uint64 { return knightAttacks[sq&63] }

// KingAttacks returns the squares that a king attacks.
func KingAttacks(sq int) uint64 { return kingAttacks[sq&63] }

// RookAttacks returns the squares attacked by a rook. occupied contains all occupied squares.
func RookAttacks(sq int, occupied uint64) uint64 { return rookMagics[sq&63].attacks(occupied) }

// BishopAttacks returns the squares attacked by a bishop. occupied contains all occupied squares.
func BishopAttacks(sq int, occupied uint64) uint64 { return bishopMagics[sq&63].attacks(occupied) }

// A magic computes the attacks of a slider from one square. It uses a perfect hash of the blocking
// pieces: the highest bits of (occupied & mask) * factor index a table (the magic bitboards of
// Kannan 2007).
type magic struct {
	mask   uint64 // squares on which pieces can block
	factor uint64
	first  uint32 // index of the first entry in slides
	shift  uint32
}

// slides contains 102,400 entries for rooks and 5,248 for bishops. It is padded to a power of two,
// so that no bounds check is needed.
var slides [1 << 17]uint64

var rookMagics, bishopMagics [64]magic

func (m *magic) attacks(occupied uint64) uint64 {
	return slides[(m.first+uint32((occupied&m.mask)*m.factor>>(m.shift&63)))&(1<<17-1)]
}

// fillSlides computes the attacks of a rook and a bishop from each square for every set of blocking
// pieces.
func fillSlides() {
	next := uint32(0)
	for _, kind := range []struct {
		magics  *[64]magic
		factors *[64]uint64
		rays    [][2]int
	}{{&rookMagics, &rookFactors, compass[:4]}, {&bishopMagics, &bishopFactors, compass[4:]}} {
		for sq := range 64 {
			edges := (rank1|rank8)&^(rank1<<(sq&56)) | (fileA|fileH)&^(fileA<<(sq&7))
			m := magic{mask: slide(sq, 0, kind.rays) &^ edges, factor: kind.factors[sq], first: next}
			n := bits.OnesCount64(m.mask)
			m.shift = uint32(64 - n)
			for occupied := uint64(0); ; {
				slides[next+uint32(occupied*m.factor>>m.shift)] = slide(sq, occupied, kind.rays)
				if occupied = (occupied - m.mask) & m.mask; occupied == 0 {
					break
				}
			}
			kind.magics[sq] = m
			next += 1 << n
		}
	}
}

// Factors for the squares from a1 to h8. They were found by trying random numbers with few set bits
// until no two sets of blocking pieces with different attacks shared an entry. This search takes
// 0.2 s.
var rookFactors = [64]uint64{
	0x0080004000802012, 0x44c0014010002008, 0x098010000d806000, 0x1300042210010008,
	0x0600100806006014, 0x020002001c231008, 0x2400008802100104, 0x1200041080410022,
	0x0092800080a04000, 0x0880804000200080, 0x01c2002016008440, 0x0102808008005000,
	0x0001000410080101, 0x02b1000400090002, 0x4010808002004100, 0x4820800051000080,
	0x0010a98001c00084, 0x00a0004000300044, 0x00d0008020008010, 0x0010008080080010,
	0x3100828004000800, 0x1004008002008004, 0xc006010100040200, 0x10010200110641a4,
	0x60c0802080004004, 0x1820400080802000, 0x4210200080801000, 0x01204012000a0020,
	0x4003000500080010, 0x4284020080040080, 0x08b0100400080102, 0x8068040200004081,
	0x00004000828000a1, 0x3054802002804000, 0x0400100080802003, 0x0008402202001008,
	0x03a8080080800400, 0x8000020080800400, 0x0000420144000810, 0x325301104200008c,
	0x0540400080008020, 0x0020002040008080, 0x0002004084120021, 0x0003001000210008,
	0x000e001104220008, 0x0048040002008080, 0x0081100802040001, 0x10000450a4020005,
	0x00018000e0400180, 0x8000220841008200, 0x4008100020088080, 0x0100080210008480,
	0x2824008008000480, 0x0022000400028080, 0x08201008055a8400, 0x08401584006b0200,
	0x0008128204c06102, 0x0000201200810042, 0x0140110308200041, 0x0000042008100101,
	0x0202002008100402, 0x0c3a009008511402, 0x3002081000820104, 0x0084084020840902,
}

var bishopFactors = [64]uint64{
	0x0008201408802100, 0x01c9020800450800, 0x1809080a00910200, 0x0204052200010002,
	0x8021104004000004, 0x0002021004001420, 0x8008841028240101, 0x2040402088205000,
	0x8010c01204016208, 0x1402900128048282, 0x0018108c00414042, 0x4000044102200121,
	0x0910040423000c21, 0x0202084108204000, 0x4000805210042100, 0x02110082d80e5000,
	0xed41042008220090, 0x0502030910240684, 0x2008004118050010, 0x0018020409419181,
	0x0802000400941000, 0x0180800500600200, 0x90024204111410a4, 0x0081000200425208,
	0x0102080042080800, 0x4084102420015110, 0x1020404004040080, 0x0020080001004008,
	0x0032002002008060, 0x0012212022009001, 0x5004010020480240, 0x0000808002020090,
	0x1004024028200504, 0x001a080a84201680, 0x0002082200040804, 0x0010042008040100,
	0x02a8010010040204, 0x2000809100120120, 0x0268024048040122, 0xc088020c21804120,
	0x0010880440001000, 0x3648480230001823, 0x0001108404411000, 0x0002010411022800,
	0x8043012015001200, 0x8a02201841006080, 0x1004080240500400, 0x8401080a10804040,
	0x685411084804a183, 0x00008c0401040000, 0x0208018400c80200, 0x0400183084241200,
	0x0000020803040400, 0x0102100490042110, 0x8140910102008481, 0x0190500489094000,
	0x0012004c02082200, 0x0000048841286010, 0x2040200084008803, 0x1004811224842401,
	0x0000002040104100, 0x0080042002420208, 0x0809200210010108, 0x4048024808202080,
}
