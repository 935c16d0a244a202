package asm

import "math/bits"

// Tuples computes the table indices of four tuples in the eight images of a 4x4 board.
//
// The indices are ordered by image: the board, its mirror image, the board upside down, the board
// upside down and mirrored, and then the same four images of the transposed board. Each image has
// the indices of a run that starts in the first row, a run that starts in the second row, a
// rectangle in the first and second rows, and a rectangle in the second and third rows. In an
// index, the lower halves of the tuple's cells, two bits each, are below their upper halves.
type Tuples struct {
	run, far, shift [8]uint32 // masks of a run's halves, of the part of a rectangle in its second row, and the shift of the upper halves
	behind          [4][8]uint32
}

// NewTuples returns the tuples with four to six cells. A run continues in the next row. A rectangle
// has three cells in its first row. The tables of the four tuples follow one another.
func NewTuples(cells int) *Tuples {
	t := &Tuples{}
	for i := range 8 {
		t.run[i] = 1<<(2*cells) - 1
		t.far[i] = t.run[i] &^ 63
		t.shift[i] = uint32(2 * cells)
		for k := range t.behind {
			t.behind[k][i] = uint32(k) << (4 * cells)
		}
	}
	return t
}

// Places writes 32 indices for each board to the slice at.
func (t *Tuples) Places(boards []uint64, at []int32) {
	if len(at) < 32*len(boards) {
		panic("asm: want room for 32 places of each board")
	}
	if AVX2 {
		tuplePlacesAVX2(t, boards, at)
		return
	}
	for i, b := range boards {
		tuplePlacesGo(t, b, (*[32]int32)(at[32*i:]))
	}
}

func tuplePlacesGo(t *Tuples, board uint64, at *[32]int32) {
	run, far, shift := t.run[0], t.far[0], t.shift[0]
	place := func(k int, low, high uint32) int32 { return int32(t.behind[k][0] + low + high<<shift) }
	rectangle := func(x uint32) uint32 { return x&63 | x>>2&far }
	for k, b := range [2]uint64{board, Transpose(board)} {
		low, high := halves(b), halves(b>>2)
		for image := range 4 {
			to := at[16*k+4*image:][:4]
			to[0] = place(0, low&run, high&run)
			to[1] = place(1, low>>8&run, high>>8&run)
			to[2] = place(2, rectangle(low), rectangle(high))
			to[3] = place(3, rectangle(low>>8), rectangle(high>>8))
			low, high = mirrored(low), mirrored(high)
			if image == 1 {
				low, high = bits.ReverseBytes32(low), bits.ReverseBytes32(high)
			}
		}
	}
}

// halves returns the lower two bits of each cell.
func halves(b uint64) uint32 {
	b &= 0x3333333333333333
	b = (b | b>>2) & 0x0f0f0f0f0f0f0f0f
	b = (b | b>>4) & 0x00ff00ff00ff00ff
	b = (b | b>>8) & 0x0000ffff0000ffff
	return uint32(b | b>>16)
}

// mirrored reverses the four halves of each row.
func mirrored(x uint32) uint32 {
	x = x>>4&0x0f0f0f0f | x&0x0f0f0f0f<<4
	return x>>2&0x33333333 | x&0x33333333<<2
}

// Transpose exchanges the rows and columns of a board: first the cells within 2x2 squares, and then
// the squares.
func Transpose(b uint64) uint64 {
	x := (b ^ b>>12) & 0x0000f0f00000f0f0
	b ^= x ^ x<<12
	x = (b ^ b>>24) & 0x00000000ff00ff00
	return b ^ x ^ x<<24
}
