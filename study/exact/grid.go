package exact

import (
	"fmt"

	g2048 "plyfit/game/2048"
)

// grid is the boards of 2048 of one size, 2 or 3, in the game's own 64 bits, up
// to symmetry: of the eight images of a board under turning and mirroring the
// least number stands for all, since nothing that can happen tells them apart.
type grid struct {
	Size  int
	goal  int              // the game ends with the first tile of this exponent; 0: never
	cells []uint64         // the lowest bit of each
	edge  [2]uint64        // the first column, the first row
	left  [1 << 12]uint16  // a row after a move to its beginning
	above [1 << 12]float64 // the worth of a row, see worth
}

// newGrid makes the boards of a size, for a game that ends with the first tile of
// the exponent goal; 0 is the game as it is.
func newGrid(size, goal int) (*grid, error) {
	if size < 2 || size > 3 {
		return nil, fmt.Errorf("2048 of size %d: want 2 or 3: the positions of a larger board do not fit any memory", size)
	}
	g := &grid{Size: size, goal: goal}
	for r := range size {
		for c := range size {
			g.cells = append(g.cells, 1<<(16*r+4*c))
		}
		g.edge[0] |= 15 << (16 * r)
		g.edge[1] |= 15 << (4 * r)
	}
	for r := range 1 << (4 * size) {
		g.left[r], _, _ = g2048.Slide(uint16(r))
		for c := range size {
			if e := r >> (4 * c) & 15; e > 1 {
				g.above[r] += float64((e - 1) << e)
			}
		}
	}
	return g, nil
}

// mirrored swaps the first line with the last, along either axis.
func (g *grid) mirrored(b uint64, axis int) uint64 {
	edge, shift := g.edge[axis], (g.Size-1)<<(2+2*axis)
	return b&^(edge|edge<<shift) | b&edge<<shift | b>>shift&edge
}

// least is the image that stands for the board.
func (g *grid) least(b uint64) uint64 {
	out := b
	for _, x := range [2]uint64{b, g2048.Transpose(b)} {
		m := g.mirrored(x, 0)
		out = min(out, x, m, g.mirrored(x, 1), g.mirrored(m, 1))
	}
	return out
}

// moves appends what the moves left, right, up and down make of the board, as
// far as they change it. Images that are one board count as often as there are
// moves to it.
func (g *grid) moves(b uint64, dst []uint64) []uint64 {
	if g.reached(b) {
		return dst
	}
	t := g2048.Transpose(b)
	for _, x := range [4]uint64{b, g.mirrored(b, 0), t, g.mirrored(t, 0)} {
		y := uint64(g.left[x&0xfff]) | uint64(g.left[x>>16&0xfff])<<16 | uint64(g.left[x>>32&0xfff])<<32
		if y != x {
			dst = append(dst, g.least(y))
		}
	}
	return dst
}

// reached reports whether the goal is on the board.
func (g *grid) reached(b uint64) bool {
	if g.goal == 0 {
		return false
	}
	for ; b != 0; b >>= 4 {
		if int(b&15) >= g.goal {
			return true
		}
	}
	return false
}

// worth is what the tiles brought on their way, were they made of twos:
// (e-1) 2^e of exponent e. A move gains by as much as it raises it, since two
// tiles of e that merge gain 2^(e+1) = e 2^(e+1) - 2 (e-1) 2^e.
func (g *grid) worth(b uint64) float64 {
	return g.above[b&0xfff] + g.above[b>>16&0xfff] + g.above[b>>32&0xfff]
}

// half is half the sum of the tiles, which a move keeps and a new tile raises by
// one or by two.
func (g *grid) half(b uint64) (sum int) {
	for ; b != 0; b >>= 4 {
		if e := b & 15; e > 0 {
			sum += 1 << (e - 1)
		}
	}
	return sum
}
