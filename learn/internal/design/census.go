package design

import (
	"math"
	"unsafe"

	"plyfit/game"
	"plyfit/internal/asm"
	"plyfit/models"
)

// census counts distinct hashes: all of them up to a million, then only those
// divisible by a growing power of two (Wegman's adaptive sampling; Flajolet
// 1990), so that memory stays bounded: open addressing in one slice.
type census struct {
	slot  []uint64 // 0: free
	count int
	zero  bool // the hash 0 is in, too
	mask  uint64
	// Hashes that wait to be looked up together, lest each wait for memory by itself.
	next    [16]uint64
	waiting int
}

const censusLimit = 1 << 20

func NewCensus() *census { return &census{slot: make([]uint64, 1024)} }

func (c *census) Add(h uint64) {
	h = game.Mix(h)
	if h&c.mask != 0 {
		return
	}
	asm.PrefetchLine(unsafe.Pointer(&c.slot[h>>32&uint64(len(c.slot)-1)]))
	c.next[c.waiting] = h
	if c.waiting++; c.waiting == len(c.next) {
		c.enter()
	}
}

// enter adds the hashes that wait.
func (c *census) enter() {
	for _, h := range c.next[:c.waiting] {
		c.put(h)
	}
	c.waiting = 0
}

func (c *census) put(h uint64) {
	if h&c.mask != 0 {
		return
	}
	if h == 0 {
		c.zero = true
		return
	}
	at := c.place(h)
	if c.slot[at] != 0 {
		return
	}
	c.slot[at] = h
	c.count++
	switch {
	case c.count+Which(c.zero) > censusLimit:
		c.mask = c.mask<<1 | 1
		c.rebuild(len(c.slot))
	case 4*c.count > 3*len(c.slot):
		c.rebuild(2 * len(c.slot))
	}
}

// rebuild puts the hashes that still count into fresh slots.
func (c *census) rebuild(slots int) {
	old := c.slot
	c.slot, c.count = make([]uint64, slots), 0
	for _, h := range old {
		if h != 0 && h&c.mask == 0 {
			c.slot[c.place(h)] = h
			c.count++
		}
	}
}

// place is where h is, or belongs; its low bits may be all 0.
func (c *census) place(h uint64) uint64 {
	mask := uint64(len(c.slot) - 1)
	at := h >> 32 & mask
	for c.slot[at] != 0 && c.slot[at] != h {
		at = (at + 1) & mask
	}
	return at
}

func (c *census) Count() int64 {
	c.enter()
	return int64(c.count+Which(c.zero)) * int64(c.mask+1)
}

// HashOf is the same for equal vectors in any order of terms.
func HashOf(x models.Vector) uint64 {
	h := uint64(0)
	for _, t := range x {
		h += game.Mix(uint64(uint32(t.Index))<<32 | uint64(math.Float32bits(t.Value)))
	}
	return h
}

// Which is 1 if is, else 0.
func Which(is bool) int {
	if is {
		return 1
	}
	return 0
}
