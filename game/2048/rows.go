package g2048

import "sync"

// Row is what moves make of a row: of 16 bits, the leftmost cell the lowest four, empty
// beyond the board's size.
type Row struct {
	Left, Right uint16
	// Gain is the same in both directions: a run of n equal tiles makes n/2
	// merges wherever it begins.
	Gain int32
}

// rows are the moves of all rows of a board of one size. What a row comes to lies in one
// line of memory.
type rows [1 << 16]Row

var tables [maxSize + 1]struct {
	once sync.Once
	rows *rows
}

// rowsOf makes the rows of a size when they are first asked for.
func rowsOf(size int) *rows {
	t := &tables[size]
	t.once.Do(func() {
		t.rows = &rows{}
		for r := range 1 << (4 * size) {
			row := uint16(r)
			moved, gain := slide(row)
			back, _ := slide(mirror(row, size))
			t.rows[row] = Row{moved, mirror(back, size), gain}
		}
	})
	return t.rows
}

// Rows are the moves of all rows of four cells. No one changes them.
func Rows() *[1 << 16]Row { return (*[1 << 16]Row)(rowsOf(maxSize)) }

// slide moves a row to the left and tells the points that its merges make. A
// tile merges once a move; two of the highest do not merge.
func slide(row uint16) (moved uint16, gain int32) {
	at, last := 0, uint16(0) // last: the tile at at-1 where it may still merge
	for ; row != 0; row >>= 4 {
		switch e := row & 15; {
		case e == 0:
		case e == last && e != maxExponent:
			moved += 1 << (4 * (at - 1))
			gain += 2 << e
			last = 0
		default:
			moved |= e << (4 * at)
			at, last = at+1, e
		}
	}
	return moved, gain
}

// mirror turns the first cells of a row round.
func mirror(row uint16, size int) (out uint16) {
	for range size {
		out = out<<4 | row&15
		row >>= 4
	}
	return out
}

// Transpose turns the board's rows into columns: two rounds of swaps, of cells
// within squares of four and of those squares.
func Transpose(b uint64) uint64 {
	x := (b ^ b>>12) & 0x0000f0f00000f0f0
	b ^= x ^ x<<12
	x = (b ^ b>>24) & 0x00000000ff00ff00
	return b ^ x ^ x<<24
}

// move gives the boards after a move left and right, and what either gains.
func (t *rows) move(b uint64) (left, right uint64, gain int32) {
	r0, r1, r2, r3 := &t[uint16(b)], &t[uint16(b>>16)], &t[uint16(b>>32)], &t[uint16(b>>48)]
	left = uint64(r0.Left) | uint64(r1.Left)<<16 | uint64(r2.Left)<<32 | uint64(r3.Left)<<48
	right = uint64(r0.Right) | uint64(r1.Right)<<16 | uint64(r2.Right)<<32 | uint64(r3.Right)<<48
	return left, right, r0.Gain + r1.Gain + r2.Gain + r3.Gain
}
