package g2048

import "sync"

// rows are the moves of all rows of a board of one size, a word for each row: the row after the
// move to the left in the lowest 16 bits, that after the move to the right in the next, and above
// what either gains. A row's leftmost cell is its lowest four bits; cells beyond the board's size
// are empty. The gain is the same in both directions: a run of n equal tiles makes n/2 merges
// wherever it begins.
type rows [1 << 16]uint64

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
			t.rows[row] = uint64(moved) | uint64(mirror(back, size))<<16 | uint64(gain)<<32
		}
	})
	return t.rows
}

// Rows are the moves of all rows of four cells: 16 bits of the row after the move to the left, 16 of
// the row after the move to the right, and the points that either gains. No one changes them.
func Rows() *[1 << 16]uint64 { return (*[1 << 16]uint64)(rowsOf(maxSize)) }

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

// move gives the boards after a move left and right, and what either gains.
func (t *rows) move(b uint64) (left, right uint64, gain int32) {
	r0, r1, r2, r3 := t[uint16(b)], t[uint16(b>>16)], t[uint16(b>>32)], t[uint16(b>>48)]
	left = r0&0xffff | r1&0xffff<<16 | r2&0xffff<<32 | r3<<48
	right = r0>>16&0xffff | r1&0xffff0000 | r2&0xffff0000<<16 | r3&0xffff0000<<32
	return left, right, int32(r0>>32 + r1>>32 + r2>>32 + r3>>32)
}
