package connect4

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"plyfit/game"
	"plyfit/internal/asm"
	"plyfit/internal/marks"
	"plyfit/internal/proc"
)

// known is a solver's table of bounds. A slot is one word, so that threads share it without locks,
// and eight form a cache line. A position's key, made odd and multiplied within the board's bits,
// gives the line by its highest bits and the slot stores the others, so keys never collide. In a
// full line, what took the fewest positions gives way.
type known struct {
	lines  []line // none until it is written to
	width  uint   // bits of a key
	index  uint   // those of them that say the line
	least  uint   // index of the smallest table whose slots have room for the others
	most   uint   // index of the table at its full size
	used   int    // slots
	far    bool   // too large for the caches: a line is better asked for ahead of its turn
	shared bool   // by threads: slots are written as a whole, and it does not grow
}

type line [8]uint64

// A slot has, from the lowest bit on, a lower and an upper bound, by extent from the mover's view,
// the column of a move that reaches the lower bound, a measure of its cost in positions, and the
// rest of the key. An empty one is 0: no slot has the lowest lower bound.
const (
	boundBits = 6
	moveBits  = 4
	sizeBits  = 3
	restShift = 2*boundBits + moveBits + sizeBits
	extent    = 1 << (boundBits - 1)
	maxSize   = 1<<sizeBits - 1
	noColumn  = 1<<moveBits - 1
)

const (
	firstLines = 10       // of index: 64 kB
	growth     = 4        // bits of index a time
	farLines   = 16       // of index: 4 MB
	largePages = 32 << 20 // bytes
)

// newKnown makes a table of that many megabytes for a board of width bits, nil where
// that is too few.
func newKnown(megabytes int, width uint) *known {
	k := &known{width: width, least: firstLines}
	if width > 64-restShift+firstLines {
		k.least = width - (64 - restShift)
	}
	k.most = uint(bits.Len(uint(megabytes)<<20/uint(unsafe.Sizeof(line{}))) - 1)
	if megabytes < 1 || k.most < k.least {
		return nil
	}
	return k
}

// forget empties the table, which is made again where it is next written to.
func (k *known) forget() {
	if k.shared || k.index == k.least {
		clear(k.lines)
	} else {
		k.lines, k.index, k.far = nil, 0, false
	}
	k.used = 0
}

func (k *known) resize(index uint) {
	k.lines, k.index, k.used = make([]line, 1<<index), index, 0
	k.far = index >= farLines
	proc.HugePages(k.lines, largePages, false)
}

// place is a key mixed, in the highest bits of a word: first its line, then the rest.
func (k *known) place(key uint64) uint64 {
	return key * 0x9e3779b97f4a7c15 << ((64 - k.width) & 63)
}

func (k *known) at(place uint64) *line { return &k.lines[place>>((64-k.index)&63)] }

func (k *known) rest(place uint64) uint64 {
	return place << (k.index & 63) >> ((64 - k.width + k.index) & 63)
}

// ahead asks the caches for what find will look at.
func (k *known) ahead(place uint64) { asm.PrefetchLine(unsafe.Pointer(k.at(place))) }

// find is the slot of the position at place, 0 where there is none.
func (k *known) find(place uint64) uint64 {
	if len(k.lines) == 0 {
		return 0
	}
	rest, l := k.rest(place), k.at(place)
	for i := range l {
		if x := atomic.LoadUint64(&l[i]); x>>restShift == rest && x != 0 {
			return x
		}
	}
	return 0
}

// spanOf is what a slot says of the position's value.
func spanOf(slot uint64) (lo, hi int) {
	const bound = 1<<boundBits - 1
	return int(slot&bound) - extent, int(slot>>boundBits&bound) - extent
}

// columnOf is the move of a slot, noColumn where it knows none.
func columnOf(slot uint64) uint {
	return uint(slot >> (2 * boundBits) & (1<<moveBits - 1))
}

// put writes what is known of the position at place after visiting so many others.
func (k *known) put(place uint64, lo, hi int, column uint, visited int64) {
	size := min(maxSize, uint64(bits.Len64(uint64(visited)))/3)
	k.write(place, size<<(restShift-sizeBits)|uint64(column)<<(2*boundBits)|uint64(hi+extent)<<boundBits|uint64(lo+extent))
}

func (k *known) write(place, what uint64) {
	if len(k.lines) == 0 {
		k.resize(k.least)
	}
	rest, l := k.rest(place), k.at(place)
	least, at := uint64(maxSize+1), 0
	for i := range l {
		x := atomic.LoadUint64(&l[i])
		if x == 0 {
			at = i
			if k.shared {
				break
			}
			if k.used++; k.used > 6*len(k.lines) && k.index < k.most {
				k.grow()
				k.write(place, what)
				return
			}
			break
		}
		if x>>restShift == rest {
			at = i
			break
		}
		if size := x >> (restShift - sizeBits) & maxSize; size < least {
			least, at = size, i
		}
	}
	x := rest<<restShift | what
	if k.shared {
		atomic.StoreUint64(&l[at], x)
	} else {
		l[at] = x
	}
}

// grow makes a larger table of the same slots.
func (k *known) grow() {
	old, index := k.lines, k.index
	k.resize(min(k.most, index+growth))
	for i := range old {
		for _, x := range old[i] {
			if x != 0 {
				place := uint64(i)<<((64-index)&63) | x>>restShift<<((64-k.width)&63)
				k.write(place, x&(1<<restShift-1))
			}
		}
	}
}

// share makes it one for threads, of its full size, with what it holds.
func (k *known) share() {
	if len(k.lines) == 0 {
		k.resize(k.most)
	}
	for k.index < k.most {
		k.grow()
	}
	k.shared = true
}

const (
	// leastShared is how many cells must be empty for a move to be put off: what a
	// solver visits below that is less than what telling the others costs.
	leastShared = 16
	// firstShared is the first deferred move, in order. If any move exceeds alpha, it is most often
	// one of those before it, and work on the others was wasted.
	firstShared = 2
)

// markOf is the mark of a position, whose mover has the stones own of all.
func markOf(own, all uint64) uint64 { return game.Mix(own+all) | 1 }

// undone moves the first of the children of a position that no solver is at to the front.
func undone(busy *marks.Set, list []child, own, all uint64) {
	for i, c := range list {
		if !busy.Has(markOf(own^all, all|c.cell)) {
			copy(list[1:i+1], list[:i])
			list[0] = c
			return
		}
	}
}
