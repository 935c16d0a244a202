package connect4

import (
	"math/bits"

	"plyfit/game"
)

// Mirror is for searches with a constant evaluation: it notes the root, and reports whether a
// position and its mirror image can both arise below it. Where stones of different players face
// each other across the axis, none can.
func (s *State) Mirror() bool {
	first, second := s.Stones()
	s.opposite = [2]uint64{s.mirrored(first), s.mirrored(second)}
	return first&s.opposite[1] == 0
}

// Folded is a hash shared with the mirror image if both can arise from where Mirror was asked, else
// Hash; turned reports whether it is the image's.
func (s *State) Folded() (hash uint64, turned bool) {
	p := s.at()
	key := p.own + p.all
	first, second := s.Stones()
	// The image has the root's stones only if the position has those opposite to them.
	if s.opposite[0]&^first|s.opposite[1]&^second == 0 {
		// Sums of a column's cells stay within its bits: they are mirrored as they are.
		if image := s.mirrored(key); image < key {
			return mix(image), true
		}
	}
	return mix(key), false
}

// Image is the move that the mirror makes of m.
func (s *State) Image(m game.Move) game.Move { return game.Move(s.columns-1) - m }

// mirrored has the columns of b, each of height bits, from the right to the left.
func (r *rules) mirrored(b uint64) uint64 {
	if r.standard {
		const column = 1<<7 - 1
		return b&column<<42 | b&(column<<7)<<28 | b&(column<<14)<<14 | b&(column<<21) |
			b>>14&(column<<14) | b>>28&(column<<7) | b>>42&column
	}
	var image uint64
	for range r.columns {
		image = image<<r.height | b&(1<<r.height-1)
		b >>= r.height
	}
	return image
}

// mix makes a hash of what tells a position from all others: the two halves of a
// product of 128 bits, high bits and low.
func mix(key uint64) uint64 {
	hi, lo := bits.Mul64(key^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
	return hi ^ lo
}
