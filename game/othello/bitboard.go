package othello

import "math/bits"

// A set of squares has bit row*8+column, a1 being bit 0, h1 bit 7, h8 bit 63.

const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
	row1  = 0xff
	row8  = row1 << 56

	corners = 1 | 1<<7 | 1<<56 | 1<<63
)

func popcount(b uint64) int { return bits.OnesCount64(b) }
