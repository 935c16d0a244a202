package asm

import "math/bits"

// Line is a line of a 4x4 board of 2048 with what the two moves along it make of the three other
// lines, which does not depend on this one. A board is four bits a cell, four cells a line.
type Line struct {
	Cells  uint64     // of this line
	Across [2]uint64  // the others after the move to the beginnings and to the ends of the lines: the lines across them, this line's cells empty
	Worth  [2]float64 // of the others then
	Still  [2]uint64  // all ones where the move leaves the others as they are, else 0
	Gain   float64    // what either move gains by the others
}

// LastMoves computes, for a new tile in each empty cell of a board, what the best of the four moves
// after it is worth, and adds it up over the cells: for new 2s and for new 4s. empty has the lowest
// bit of each empty cell. lines are those of the board, then those across. moves are, for each line,
// 16 bits of the line after the move to its beginning, 16 of that after the move to its end, and what
// either gains; worths is what a line is worth at the rim of the board, then what inside.
//
// A move is worth what it gains, the worth of all eight lines after it, base, and extra for each point
// gained; what is beyond the gain is kept between 0 and what is left of most, which a new 4 and each
// gain reduce. Where no move changes the board that is 0. legal is how many moves change it.
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
		if y > x { // max of floats is a call in WebAssembly
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

// lastMove is what the better of the two moves along the i-th line l is worth after tile joins it.
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

// Spread lays a line across the first cells of all lines.
func Spread(line uint64) uint64 {
	line = (line | line<<24) & 0x000000ff000000ff
	return (line | line<<12) & 0x000f000f000f000f
}
