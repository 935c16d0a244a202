package backgammon

import "math/bits"

// Bar and Off are where checkers are that stand on none of the points 1 to 24,
// which a player counts from his own home board, so that he moves down.
const (
	Bar = 25
	Off = 0
)

// side is what one player has, as he counts: four bits for each place from Off
// to Bar, 16 of them in the first word. The upper 24 bits of the second are 0.
type side [2]uint64

func (s *side) add(place, n int)     { s[place>>4] += uint64(n) << (place & 15 * 4) }
func (s *side) count(place int) int  { return int(s[place>>4&1] >> (place & 15 * 4) & 15) }
func (s *side) has(place uint) bool  { return s[place>>4&1]>>(place&15*4)&15 != 0 }
func (s *side) single(from int) bool { return s.count(from) == 1 }

func (s *side) shift(from, to int) {
	s[from>>4&1] -= 1 << (from & 15 * 4)
	s[to>>4&1] += 1 << (to & 15 * 4)
}

const ones = 0x1111111111111111

// compress gathers every fourth bit of x, which has no others, into 16.
func compress(x uint64) uint32 {
	x = (x | x>>3) & 0x0303030303030303
	x = (x | x>>6) & 0x000f000f000f000f
	x = (x | x>>12) & 0x000000ff000000ff
	return uint32(x|x>>24) & 0xffff
}

// points are the bits of the places, Off left out, with at least one checker,
// and of those with at least two.
func (s *side) points() (one, two uint32) {
	a, b := s[0]&^15, s[1]
	a2, b2 := a>>1|a>>2|a>>3, b>>1|b>>2|b>>3
	one = compress((a|a2)&ones) | compress((b|b2)&ones)<<16
	two = compress(a2&ones) | compress(b2&ones)<<16
	return one, two
}

// mirror turns bits by one player's count of the points into the other's.
func mirror(points uint32) uint32 { return uint32(bits.Reverse64(uint64(points)) >> 38) }

const onBoard = 1<<25 - 2 // the points 1 to 24
