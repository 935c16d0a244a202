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
	// Sets of cells. Each cell is represented by its lowest bit.
	cells, haveRight, haveBelow uint64
}

// New returns the game with the option size, 2 to 4.
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
		Doc:       "2048: slide the tiles to merge equal tiles; size=4 (2 to 4); the utility is the score; moves L R U D",
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

// worth returns the points gained by building a tile of exponent e from twos: (e-1) 2^e. Merging
// two tiles of exponent e gains 2^(e+1) points and increases the sum of worths by the same amount.
// A new 2 has worth 0. A new 4 has worth 4, although no points were gained for it. The score plus 4
// for each new 4 minus the sum of worths is therefore constant.
func worth(e int) float64 { return float64((e - 1) << e) }

// most returns, for each k, the maximum number of tiles with exponents of at least k that can ever
// be on the board. now contains the current numbers.
//
// Proof. The number of tiles with exponents of at least k increases only if two tiles of exponent
// k-1 merge (k >= 3, because the exponent of a new tile is at most 2). If the number increases to
// c, there were c-1 tiles of at least k and two of k-1 before, which makes c+1 tiles of at least
// k-1. The number therefore never exceeds max(now[k], most[k-1]-1), and most[1] = most[2] = cells.
func most(now *[maxExponent + 2]int, cells int) (c [maxExponent + 2]int) {
	c[1], c[2] = cells, cells
	for k := 3; k <= maxExponent; k++ {
		c[k] = max(now[k], c[k-1]-1)
	}
	return c
}

// census returns, for each exponent, the number of tiles with at least that exponent.
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

// ceiling returns an upper bound for the points that can still be gained. Each point gained
// increases the sum of worths by one. The sum is largest if the board has as many tiles as the
// function most allows. A tile's worth is the sum of k 2^(k-1) for k from 2 to its exponent, so the
// sum of worths follows from the numbers of tiles of at least k.
func ceiling(board uint64, cells int) int32 {
	now := census(board)
	c := most(&now, cells)
	gain := 0
	for k := 2; k <= maxExponent; k++ {
		gain += (c[k] - now[k]) * k << (k - 1)
	}
	return int32(gain)
}

// longest returns an upper bound for the number of plies in a game. The sum of all tiles is largest
// if the board has as many tiles as the function most allows. Each new tile adds at least 2 to the
// sum, and one new tile follows each of the player's moves.
func longest(cells int) int {
	c := most(&[maxExponent + 2]int{}, cells)
	sum := 2 * c[1]
	for k := 2; k <= maxExponent; k++ {
		sum += c[k] << (k - 1)
	}
	return sum
}

// rows contains the result of moving each possible row on a board of one size. The lowest 16 bits
// are the row after a move to the left, the next 16 bits are the row after a move to the right, and
// the upper bits are the gain. The leftmost cell of a row is in the lowest four bits, and cells
// outside the board are empty. The gain is the same in both directions, because a run of n equal
// tiles makes n/2 merges from either end.
type rows [1 << 16]uint64

var tables [maxSize + 1]struct {
	once sync.Once
	rows *rows
}

// rowsOf returns the rows for a board size. They are computed on first use.
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

// Rows returns the results of moving each possible row of four cells. The lowest 16 bits are the
// row after a move to the left, the next 16 bits are the row after a move to the right, and the
// upper bits are the gain. The array must not be modified.
func Rows() *[1 << 16]uint64 { return (*[1 << 16]uint64)(rowsOf(maxSize)) }

// slide moves a row to the left and returns the points gained by its merges. A tile merges at most
// once per move. Two tiles of the highest exponent do not merge.
func slide(row uint16) (moved uint16, gain int32) {
	at, last := 0, uint16(0) // last is the exponent of the tile before position at, or 0 if that tile cannot merge
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

// mirror reverses the order of the first size cells in a row.
func mirror(row uint16, size int) (out uint16) {
	for range size {
		out = out<<4 | row&15
		row >>= 4
	}
	return out
}

// move returns the boards after the moves left and right. The gain is the same for both.
func (t *rows) move(b uint64) (left, right uint64, gain int32) {
	r0, r1, r2, r3 := t[uint16(b)], t[uint16(b>>16)], t[uint16(b>>32)], t[uint16(b>>48)]
	left = r0&0xffff | r1&0xffff<<16 | r2&0xffff<<32 | r3<<48
	right = r0>>16&0xffff | r1&0xffff0000 | r2&0xffff0000<<16 | r3&0xffff0000<<32
	return left, right, int32(r0>>32 + r1>>32 + r2>>32 + r3>>32)
}
