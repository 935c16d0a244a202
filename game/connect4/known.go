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

// known is a solver's transposition table. It contains bounds on values. Each slot is a single
// word, so that threads can share the table without locks. Eight slots form a cache line. The key
// of a position has one bit for each bit of the board. It is multiplied by an odd number, and the
// product is reduced to the same number of bits. The highest bits of the result select the line,
// and the slot stores the other bits, so keys never collide. In a full line, a new entry replaces
// one that took few positions to compute.
type known struct {
	lines  []line // nil until the first write
	width  uint   // number of bits of a key
	index  uint   // number of key bits that select the line
	least  uint   // index of the smallest table whose slots can store the remaining bits
	most   uint   // index of the table at its full size
	used   int    // number of slots in use
	far    bool   // whether the table is larger than the caches, so that prefetching is worthwhile
	shared bool   // whether threads share the table: slots are written atomically, and the table does not grow
}

type line [8]uint64

// Format of a slot, from the lowest bit: a lower and an upper bound from the mover's point of view,
// both offset by extent; the column of a move that reaches the lower bound; the logarithm of the
// cost in positions; and the rest of the key. An empty slot is 0. A slot in use is never 0, because
// none contains the smallest possible lower bound.
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
	firstLines = 10       // index of the first table: 64 kB
	growth     = 4        // increase of index when the table grows
	farLines   = 16       // smallest index at which prefetching is used: 4 MB
	largePages = 32 << 20 // in bytes
)

// newKnown returns a table with the given number of megabytes for a board of width bits. It returns
// nil if the megabytes are too few.
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

// forget empties the table. The next write allocates a new one if necessary.
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

// place returns the mixed key in the highest bits of a word: the line, followed by the rest.
func (k *known) place(key uint64) uint64 {
	return key * 0x9e3779b97f4a7c15 << ((64 - k.width) & 63)
}

func (k *known) at(place uint64) *line { return &k.lines[place>>((64-k.index)&63)] }

func (k *known) rest(place uint64) uint64 {
	return place << (k.index & 63) >> ((64 - k.width + k.index) & 63)
}

// ahead prefetches the line that find will read.
func (k *known) ahead(place uint64) { asm.PrefetchLine(unsafe.Pointer(k.at(place))) }

// find returns the slot of the position at the given place, or 0 if there is none.
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

// spanOf returns the bounds in a slot.
func spanOf(slot uint64) (lo, hi int) {
	const bound = 1<<boundBits - 1
	return int(slot&bound) - extent, int(slot>>boundBits&bound) - extent
}

// columnOf returns the column of the move stored in a slot, or noColumn if there is none.
func columnOf(slot uint64) uint {
	return uint(slot >> (2 * boundBits) & (1<<moveBits - 1))
}

// put stores bounds for the position at the given place. visited is the number of positions visited
// to find the bounds.
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

// grow replaces the table with a larger one that contains the same entries.
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

// share prepares the table for several threads: it grows to its full size and keeps its entries.
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
	// leastShared is the minimum number of empty cells at which a solver defers moves that another
	// solver is searching. Below this number, the synchronisation costs more than the search.
	leastShared = 16
	// firstShared is the index of the first move that may be deferred. If any move exceeds alpha,
	// it is usually one of the moves before this index. Searching the others in parallel would then
	// be wasted work.
	firstShared = 2
)

// markOf returns the mark of a position. own contains the mover's stones, and all contains the
// stones of both players.
func markOf(own, all uint64) uint64 { return game.Mix(own+all) | 1 }

// undone moves the first child that no other solver is searching to the front of the list.
func undone(busy *marks.Set, list []child, own, all uint64) {
	for i, c := range list {
		if !busy.Has(markOf(own^all, all|c.cell)) {
			copy(list[1:i+1], list[:i])
			list[0] = c
			return
		}
	}
}
