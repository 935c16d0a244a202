package asm

import "math/bits"

// SixCells are the places of four tuples of six cells in the eight images of a board of
// 4x4, four bits a cell: image by image (the board, mirrored, upended, upended and
// mirrored, then the same of its columns), in each the two runs of six cells and the two
// rectangles of 2x3 that begin at the first and at the second row, the k-th of these from
// k*2^24 on. In a place stand the upper halves of the six exponents above their lower
// halves, see [Halves].
func SixCells(b uint64, at *[32]int32) {
	h := Halves(b)
	if AVX2 {
		sixCellsAVX2(h, Transposed(h), at)
		return
	}
	sixCellsGo(h, Transposed(h), at)
}

func sixCellsGo(h, turned uint64, at *[32]int32) {
	for k, h := range [2]uint64{h, turned} {
		images := at[16*k : 16*k+16]
		tuples(h, (*[4]int32)(images[0:]))
		tuples(Mirrored(h), (*[4]int32)(images[4:]))
		f := Upended(h)
		tuples(f, (*[4]int32)(images[8:]))
		tuples(Mirrored(f), (*[4]int32)(images[12:]))
	}
}

// tuples finds the places of the four tuples as they lie on h.
func tuples(h uint64, at *[4]int32) {
	at[0] = Place(h)
	at[2] = Place(Rectangle(h)) | 2<<24
	h = h >> 8 & 0x00ffffff00ffffff
	at[1] = Place(h) | 1<<24
	at[3] = Place(Rectangle(h)) | 3<<24
}

// Halves is a board in another order: the lower halves of its 16 exponents, two
// bits each, then the upper halves. A row is a byte in either.
func Halves(b uint64) uint64 {
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

// Place is that of the first six cells of h: the upper halves above the lower.
func Place(h uint64) int32 { return int32(h&0xfff | h>>20&0xfff000) }

// Rectangle puts three cells of the first row and three of the second first.
func Rectangle(h uint64) uint64 {
	return h&0x0000003f0000003f | h>>2&0x00000fc000000fc0
}

// Mirrored turns each row round.
func Mirrored(h uint64) uint64 {
	h = h&0x3333333333333333<<2 | h>>2&0x3333333333333333
	return h&0x0f0f0f0f0f0f0f0f<<4 | h>>4&0x0f0f0f0f0f0f0f0f
}

// Upended puts the last row first.
func Upended(h uint64) uint64 {
	return bits.RotateLeft64(bits.ReverseBytes64(h), 32)
}

// Transposed makes columns of rows: swaps within squares of four, then of those.
func Transposed(h uint64) uint64 {
	x := (h ^ h>>6) & 0x00cc00cc00cc00cc
	h ^= x ^ x<<6
	x = (h ^ h>>12) & 0x0000f0f00000f0f0
	return h ^ x ^ x<<12
}
