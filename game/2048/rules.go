package g2048

import (
	"sync"

	"plyfit/game"
)

const (
	maxSize     = 4
	maxExponent = 15
)

type rules struct {
	*rows
	size int
	// Sets of cells, the lowest bit of each.
	cells, haveRight, haveBelow uint64
}

// New is the game that o describes: size, 2 to 4.
func New(o *game.Options) (*game.Game, error) {
	r := &rules{size: o.Int("size", 4, 2, maxSize)}
	r.rows = rowsOf(r.size)
	for row := range r.size {
		for column := range r.size {
			cell := uint64(1) << (16*row + 4*column)
			r.cells |= cell
			if column < r.size-1 {
				r.haveRight |= cell
			}
			if row < r.size-1 {
				r.haveBelow |= cell
			}
		}
	}
	all := r.size * r.size
	start := position{turn: game.Chance, limit: ceiling(0, all)}
	return &game.Game{
		Name:      "2048",
		Spec:      o.Spec("2048"),
		Doc:       "2048: slide the tiles, equal ones merge; size=4 (2 to 4); utility is the score; moves L R U D",
		Players:   1,
		Sum:       game.General,
		Min:       0,
		Max:       float64(all) * worth(maxExponent),
		MaxPlies:  longest(all),
		New:       func() game.State { return r.state(start) },
		Parse:     r.parse,
		ParseMove: game.FindMove,
	}, o.Err()
}

// worth is the gain of a tile of exponent e built from twos: (e-1) 2^e. Merging two of exponent e
// gains 2^(e+1) and raises the sum of worths by as much: e 2^(e+1) - 2 (e-1) 2^e. A new 2 is worth
// nothing, a new 4 is worth 4 that no move gained. So score + 4 (number of new fours) - (sum of
// worths) never changes.
func worth(e int) float64 { return float64((e - 1) << e) }

// most is, for each k, the greatest number of tiles with exponents of at least k that can ever be
// on the board, given the present numbers and the number of cells.
//
// Proof. The number of tiles of at least k rises only where two of k-1 merge (k >= 3; a new tile is
// at most 2): to c, when c-1 of at least k and two of k-1 are there, so c+1 of at least k-1. So it
// never exceeds max(now[k], most[k-1]-1), and most[1] = most[2] = cells.
func most(now *[maxExponent + 2]int, cells int) (c [maxExponent + 2]int) {
	c[1], c[2] = cells, cells
	for k := 3; k <= maxExponent; k++ {
		c[k] = max(now[k], c[k-1]-1)
	}
	return c
}

// census counts the tiles of at least each exponent.
func census(board uint64) (now [maxExponent + 2]int) {
	for ; board != 0; board >>= 4 {
		now[board&15]++
	}
	now[0] = 0
	for k := maxExponent; k > 0; k-- {
		now[k] += now[k+1]
	}
	return now
}

// ceiling bounds the possible gain from a board: the sum of worths can rise to that of the counts
// of most, by one a point gained. The worth of a tile is the sum over 2 <= k <= e of k 2^(k-1), its
// gain in reaching k; so sums of worths are sums over counts of tiles of at least k.
func ceiling(board uint64, cells int) int32 {
	now := census(board)
	c := most(&now, cells)
	gain := 0
	for k := 2; k <= maxExponent; k++ {
		gain += (c[k] - now[k]) * k << (k - 1)
	}
	return int32(gain)
}

// longest is the greatest number of plies of a game: the tiles' sum stays within that of the counts
// of most, each new tile adds at least 2, and follows each move of the player.
func longest(cells int) int {
	c := most(&[maxExponent + 2]int{}, cells)
	sum := 2 * c[1]
	for k := 2; k <= maxExponent; k++ {
		sum += c[k] << (k - 1)
	}
	return sum
}

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
