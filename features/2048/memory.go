package g2048

import (
	"cmp"
	"math/bits"
)

// memory is a table of the values of boards by depth, for one tree at a time: what was stored for
// others is not found. The last entry stays.
type memory struct {
	slots  []slot
	tree   uint64 // its number, from 1 to trees
	stored int    // since the table has this size
	most   int    // slots that it may have
	shift  uint
}

// slot is a key and a value. A key is the board times an odd number, which is a permutation, without
// the bits that the slot's place tells; in their place stand the tree and the depth.
type slot struct {
	key   uint64
	value float64
}

const (
	fewest     = 1 << fewestBits // slots: 256 KB
	fewestBits = 14
	depthBits  = 4
	deepest    = 1<<depthBits - 1 // what is searched deeper is not remembered
	trees      = 1<<(fewestBits-depthBits) - 1
)

// next begins another tree with a table of at most so many megabytes, 0 for the default and
// below 0 for none. Every tree begins with the smallest table.
func (m *memory) next(megabytes int) {
	if megabytes < 0 {
		m.slots = nil
		return
	}
	m.most = 1 << (bits.Len(uint(cmp.Or(megabytes, 64))<<16) - 1)
	m.resize(fewest)
}

// resize forgets everything: places tell other bits in a table of another size.
func (m *memory) resize(n int) {
	if n > cap(m.slots) {
		m.slots = make([]slot, n)
	}
	m.slots, m.stored = m.slots[:n], 0
	m.shift = uint(64 - bits.Len(uint(n-1)))
	if m.tree++; m.tree > trees {
		m.tree = 1
		clear(m.slots[:cap(m.slots)])
	}
}

// at is the place of a board, and its key.
func (m *memory) at(b uint64, depth int) (s *slot, key uint64) {
	h := b * 0x9e3779b97f4a7c15
	return &m.slots[h>>(m.shift&63)], h<<fewestBits | m.tree<<depthBits | uint64(depth)
}

func (m *memory) find(b uint64, depth int) (v float64, ok bool) {
	s, key := m.at(b, depth)
	return s.value, s.key == key
}

func (m *memory) store(b uint64, depth int, v float64) {
	s, key := m.at(b, depth)
	*s = slot{key, v}
	if m.stored++; m.stored > len(m.slots) && 4*len(m.slots) <= m.most {
		m.resize(4 * len(m.slots))
	}
}
