package g2048

import "sync"

// rows are the moves of all rows of a board of one size. A row is 16 bits, the
// leftmost cell the lowest four, empty beyond the board's size.
type rows struct {
	left, right [1 << 16]uint16
	// gain is the same in both directions: a run of n equal tiles makes n/2
	// merges wherever it begins.
	gain [1 << 16]int32
}

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
			t.rows.left[row], t.rows.gain[row] = moved, gain
			back, _ := slide(mirror(row, size))
			t.rows.right[row] = mirror(back, size)
		}
	})
	return t.rows
}

// Slide is a row of four cells after a move to the left and to the right, and
// the points that either gains.
func Slide(row uint16) (left, right uint16, gain int32) {
	t := rowsOf(maxSize)
	return t.left[row], t.right[row], t.gain[row]
}

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
	r0, r1, r2, r3 := uint16(b), uint16(b>>16), uint16(b>>32), uint16(b>>48)
	left = uint64(t.left[r0]) | uint64(t.left[r1])<<16 | uint64(t.left[r2])<<32 | uint64(t.left[r3])<<48
	right = uint64(t.right[r0]) | uint64(t.right[r1])<<16 | uint64(t.right[r2])<<32 | uint64(t.right[r3])<<48
	return left, right, t.gain[r0] + t.gain[r1] + t.gain[r2] + t.gain[r3]
}
