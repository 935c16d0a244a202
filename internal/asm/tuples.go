package asm

import "math/bits"

// SixCells are the places of four tuples of six cells in the eight images of a board of
// 4x4, four bits a cell: image by image (the board, mirrored, upended, upended and
// mirrored, then the same of its columns), in each the two runs of six cells and the two
// rectangles of 2x3 that begin at the first and at the second row, the k-th of these from
// k*2^24 on. In a place stand the upper halves of the six exponents above their lower
// halves, see halves.
func SixCells(b uint64, at *[32]int32) {
	h := halves(b)
	if AVX2 {
		sixCellsAVX2(h, transposed(h), at)
		return
	}
	sixCellsGo(h, transposed(h), at)
}

func sixCellsGo(h, turned uint64, at *[32]int32) {
	for k, h := range [2]uint64{h, turned} {
		images := at[16*k : 16*k+16]
		tuples(h, (*[4]int32)(images[0:]))
		tuples(mirrored(h), (*[4]int32)(images[4:]))
		f := upended(h)
		tuples(f, (*[4]int32)(images[8:]))
		tuples(mirrored(f), (*[4]int32)(images[12:]))
	}
}

// tuples finds the places of the four tuples as they lie on h.
func tuples(h uint64, at *[4]int32) {
	at[0] = place(h)
	at[2] = place(rectangle(h)) | 2<<24
	h = h >> 8 & 0x00ffffff00ffffff
	at[1] = place(h) | 1<<24
	at[3] = place(rectangle(h)) | 3<<24
}

// halves is a board in another order: the lower halves of its 16 exponents, two
// bits each, then the upper halves. A row is a byte in either.
func halves(b uint64) uint64 {
	return half(b) | half(b>>2)<<32
}

// half brings the two lower bits of each four together.
func half(b uint64) uint64 {
	b &= 0x3333333333333333
	b = (b | b>>2) & 0x0f0f0f0f0f0f0f0f
	b = (b | b>>4) & 0x00ff00ff00ff00ff
	b = (b | b>>8) & 0x0000ffff0000ffff
	return (b | b>>16) & 0x00000000ffffffff
}

// place is that of the first six cells of h: the upper halves above the lower.
func place(h uint64) int32 { return int32(h&0xfff | h>>20&0xfff000) }

// rectangle puts three cells of the first row and three of the second first.
func rectangle(h uint64) uint64 {
	return h&0x0000003f0000003f | h>>2&0x00000fc000000fc0
}

// mirrored turns each row round.
func mirrored(h uint64) uint64 {
	h = h&0x3333333333333333<<2 | h>>2&0x3333333333333333
	return h&0x0f0f0f0f0f0f0f0f<<4 | h>>4&0x0f0f0f0f0f0f0f0f
}

// upended puts the last row first.
func upended(h uint64) uint64 {
	return bits.RotateLeft64(bits.ReverseBytes64(h), 32)
}

// transposed makes columns of rows: swaps within squares of four, then of those.
func transposed(h uint64) uint64 {
	x := (h ^ h>>6) & 0x00cc00cc00cc00cc
	h ^= x ^ x<<6
	x = (h ^ h>>12) & 0x0000f0f00000f0f0
	return h ^ x ^ x<<12
}
