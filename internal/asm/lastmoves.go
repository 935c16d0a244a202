package asm

import "math/bits"

// A Line is a row or column of a 4x4 2048 board, together with the effects of the two moves along
// it on the three parallel lines. These effects do not depend on the line itself.
type Line struct {
	Cells  uint64     // cells of this line
	Across [2]uint64  // for the moves to the beginning and to the end: the perpendicular lines after the move, with this line's cells empty
	Worth  [2]float64 // value of the parallel lines after each move
	Still  [2]uint64  // all ones if the move leaves the parallel lines unchanged, else 0
	Gain   float64    // points that each move gains in the parallel lines
}

// LastMoves computes, for a new tile in each empty cell of a board, the value of the best of the
// four moves after it. It returns the sums over the cells for new 2s and for new 4s, and the number
// of moves that change the board.
//
// The parameter empty contains the lowest bit of each empty cell, and lines contains the rows of
// the board followed by its columns. For each line, moves contains the line after a move to its
// beginning and after a move to its end, in 16 bits each, and the points gained by each move. The
// parameter worths contains the value of each line, first at the edge of the board and then in the
// interior.
//
// The value of a move is the sum of its gain, the values of all eight lines after it, base, and
// extra for each point gained. Apart from the gain, this sum is limited to 0..most, where most is
// first reduced by a new 4 and by each gain. If no move changes the board, the value is 0.
func LastMoves(moves *[1 << 16]uint64, worths *[2 << 16]float64, lines *[8]Line, empty uint64, base, extra, most float64) (twos, fours float64, legal int64) {
	if AVX2 {
		return lastMovesAVX2(moves, worths, lines, empty, base, extra, most)
	}
	return lastMovesGo(moves, worths, lines, empty, base, extra, most)
}

func lastMovesGo(moves *[1 << 16]uint64, worths *[2 << 16]float64, lines *[8]Line, empty uint64, base, extra, most float64) (twos, fours float64, legal int64) {
	for ; empty != 0; empty &= empty - 1 {
		at := bits.TrailingZeros64(empty)
		row, column := at>>4&3, at>>2&3
		h, v := &lines[row], &lines[4+column]
		x, n := lastMove(moves, worths, h, row, 1<<(4*column), base, extra, most)
		y, k := lastMove(moves, worths, v, column, 1<<(4*row), base, extra, most)
		if y > x { // max on floats is a function call in WebAssembly
			x = y
		}
		twos += x
		legal += n + k
		x, n = lastMove(moves, worths, h, row, 2<<(4*column), base, extra, most-4)
		y, k = lastMove(moves, worths, v, column, 2<<(4*row), base, extra, most-4)
		if y > x {
			x = y
		}
		fours += x
		legal += n + k
	}
	return twos, fours, legal
}

// lastMove returns the value of the better of the two moves along l, the i-th line, after a tile is
// added to it.
func lastMove(moves *[1 << 16]uint64, worths *[2 << 16]float64, l *Line, i int, tile uint64, base, extra, most float64) (worth float64, legal int64) {
	own := l.Cells | tile
	moved := moves[own&0xffff]
	gain := l.Gain + float64(moved>>32)
	inside := uint64(i^i>>1) & 1 << 16
	legal = 2
	best := 0.0
	for k := range l.Across {
		to := moved >> (16 * k) & 0xffff
		a := l.Across[k] | Spread(to)<<(4*i)
		across := (worths[a&0xffff] + worths[a>>48]) + (worths[1<<16|a>>16&0xffff] + worths[1<<16|a>>32&0xffff])
		w := (worths[inside|to] + l.Worth[k]) + across + (base + float64(extra*gain))
		if to == own && l.Still[k] != 0 {
			legal--
			w = 0
		}
		if w > best {
			best = w
		}
	}
	if best > most-gain {
		best = most - gain
	}
	return best + gain, legal
}

// Spread places the four cells of a line in the first cells of the four lines.
func Spread(line uint64) uint64 {
	line = (line | line<<24) & 0x000000ff000000ff
	return (line | line<<12) & 0x000f000f000f000f
}
