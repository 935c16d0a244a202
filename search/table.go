package search

import (
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"plyfit/game"
	"plyfit/internal/asm"
	"plyfit/internal/proc"
)

// table is a transposition table: results of positions, found again by hash. An entry holds a lower
// and an upper bound of a value, the depth they are valid for, and the move to try first.
//
// It has buckets of two entries, a cache line each. An entry searched at least as deep as the
// first, or one that finds the first from an earlier search, takes the first place and moves the
// old one to the second; any other overwrites the second.
//
// A position has one entry, that of its last search, since in most games a position occurs at one
// depth only. Where play goes round in circles (a die that sends players back) its depths would
// evict each other, and the search would be as large as the tree. Once that is detected, each depth
// gets an entry of its own besides.
//
// Threads share it without locks: the key is stored xored with the entry's other words (Hyatt and
// Mann 2002, "A lock-less transposition table implementation for parallel search chess engines"),
// so that no position matches an entry torn by two writers.
type table struct {
	buckets []bucket
	shift   uint
	limit   int    // buckets that it may grow to
	used    int    // new entries of this search since the last growth
	salt    uint64 // of the episode, where threads share it: entries of earlier ones are never found
	epoch   uint64
	age     uint8 // of the search
	shared  bool  // by threads: all access is atomic, and it does not grow
	far     bool  // too large for the caches: a bucket is better asked for ahead of its turn

	clashes atomic.Int64 // entries that took the place of another depth of the same position
	layered atomic.Bool  // every depth of a position has a place of its own, too
}

type bucket [2]slot

// slot is key^seal, lo, hi and meta: move 32 bits, depth 16, age 8, complete 1, used 1, proof 6.
type slot [4]uint64

// entry is what a table knows of a position. It has four fields and four words: a
// larger struct is not held in registers.
type entry struct {
	span
	move  game.Move
	depth int32 // as stored says
	proof int32 // decisions that the search looked ahead for it, depth at most; estimated: it is no proof
}

// estimated is the proof of an entry with an evaluation. Others hold at any greater depth.
const estimated = -1

// stored is the depth that entries of a search to depth have.
func stored(depth int) int32 { return int32(min(depth, maxStored)) }

// answers reports whether what e says of its depth is what a search of another
// would find. A shallower one might have stopped at an evaluation.
func (e entry) answers(depth int) bool {
	return e.depth == stored(depth) || e.proof != estimated && int(e.depth) <= depth
}

const (
	defaultTable  = 64      // megabytes
	firstBuckets  = 1 << 10 // 64 KB, which small searches never leave
	maxStored     = 1<<16 - 1
	completeBit   = 1 << 56
	usedBit       = 1 << 57
	proofShift    = 58
	farthest      = 1<<6 - 1 // in the place of a proof of more decisions: as many as depth
	mostClashes   = 256
	bucketsPerMiB = 1 << 20 / 64
	farTable      = 32 << 20 // bytes, from which on a table gets large pages; smaller ones lose by it
	farBuckets    = 4 * bucketsPerMiB
)

func newTable(megabytes int) *table {
	limit := 1 << (bits.Len(uint(megabytes*bucketsPerMiB)) - 1)
	t := &table{limit: limit}
	t.resize(min(limit, firstBuckets))
	t.stamp()
	return t
}

func (t *table) resize(n int) {
	t.buckets = make([]bucket, n)
	proc.HugePages(t.buckets, farTable, false)
	t.far = n >= farBuckets
	t.shift = uint(64 - bits.Len(uint(n-1)))
	t.used = 0
}

// share makes t one for threads, of its full size, with what it holds.
func (t *table) share() {
	for len(t.buckets) < t.limit {
		t.grow()
	}
	t.shared = true
}

// forget makes the table like a new one. Results must not depend on the agent's earlier episodes,
// hence on how workers divide them: old entries that are only unfindable still take places, and
// which ones depends on the size. Threads race for places in any case, and their table is large, so
// there it is enough that old entries are never found.
func (t *table) forget() {
	switch first := min(t.limit, firstBuckets); {
	case t.shared:
		t.stamp()
	case len(t.buckets) > first:
		t.resize(first)
	default:
		clear(t.buckets)
	}
	t.used, t.age = 0, 0
	t.clashes.Store(0)
	t.layered.Store(false)
}

// stamp gives the keys of another episode another salt.
func (t *table) stamp() {
	t.epoch++
	t.salt = game.Mix(t.epoch ^ 0xd1b54a32d192ed03) // far from what games mix
}

// next begins another search, to which older entries are worth less.
func (t *table) next() {
	t.age++
	t.used = 0
}

// key turns a position's hash into the one it is stored under; view tells
// apart what the same position is worth to different players.
func (t *table) key(hash, view uint64) uint64 { return hash ^ t.salt ^ view }

func (t *table) at(key uint64) *bucket {
	return &t.buckets[key*0x9e3779b97f4a7c15>>(t.shift&63)]
}

func (t *table) ahead(key uint64) { asm.PrefetchLine(unsafe.Pointer(t.at(key))) }

func (s *slot) load(shared bool) slot {
	if !shared {
		return *s
	}
	return slot{atomic.LoadUint64(&s[0]), atomic.LoadUint64(&s[1]), atomic.LoadUint64(&s[2]), atomic.LoadUint64(&s[3])}
}

func (s *slot) save(x slot, shared bool) {
	if !shared {
		*s = x
		return
	}
	for i := range x {
		atomic.StoreUint64(&s[i], x[i])
	}
}

func (s *slot) key() uint64 { return s[0] ^ s.seal() }

// seal mixes the words of the entry. The bounds are rotated against each other: those of an exact
// value are equal and would cancel out, so a torn entry could pass for another exact value.
func (s *slot) seal() uint64 { return s[1] ^ bits.RotateLeft64(s[2], 23) ^ s[3] }

func (s *slot) entry() entry {
	meta := s[3]
	e := entry{
		span: span{math.Float64frombits(s[1]), math.Float64frombits(s[2])},
		move: game.Move(meta), depth: int32(meta >> 32 & maxStored), proof: estimated,
	}
	if meta&completeBit != 0 {
		if e.proof = int32(meta >> proofShift); e.proof == farthest {
			e.proof = e.depth
		}
	}
	return e
}

// layer is the key of one depth of a position.
func layer(key uint64, depth int) uint64 {
	return game.Mix(key + uint64(min(depth, maxStored)))
}

// probe finds what is known under key, best of all what answers depth.
func (t *table) probe(key uint64, depth int) (entry, bool) {
	if t.layered.Load() {
		if e, ok := t.find(layer(key, depth)); ok {
			return e, true
		}
	}
	return t.find(key)
}

func (t *table) find(key uint64) (entry, bool) {
	b := t.at(key)
	for i := range b {
		s := b[i].load(t.shared)
		if s.key() == key && s[3]&usedBit != 0 {
			return s.entry(), true
		}
	}
	return entry{}, false
}

func (t *table) store(key uint64, e entry) {
	if t.layered.Load() && e.proof == estimated {
		t.put(layer(key, int(e.depth)), e)
	}
	t.put(key, e)
}

func (t *table) put(key uint64, e entry) {
	meta := uint64(e.move) | uint64(e.depth)<<32 | uint64(t.age)<<48 | usedBit
	if e.proof != estimated {
		meta |= completeBit | uint64(min(e.proof, farthest))<<proofShift
	}
	lo, hi := math.Float64bits(e.lo), math.Float64bits(e.hi)
	x := slot{0, lo, hi, meta}
	x[0] = key ^ x.seal()
	b := t.at(key)
	first, second := b[0].load(t.shared), b[1].load(t.shared)
	switch {
	case first.key() == key:
		t.clash(first[3], meta)
		b[0].save(x, t.shared)
		return
	case second.key() == key:
		t.clash(second[3], meta)
		b[1].save(x, t.shared)
		return
	case first[3]&usedBit == 0:
		b[0].save(x, t.shared)
	case uint8(first[3]>>48) != t.age || e.depth >= int32(first[3]>>32&maxStored):
		b[1].save(first, t.shared)
		b[0].save(x, t.shared)
	default:
		b[1].save(x, t.shared)
	}
	if t.shared {
		return
	}
	if t.used++; t.used > len(t.buckets) && len(t.buckets) < t.limit {
		t.grow()
	}
}

// clash handles two entries under one key. Iterations only go deeper, so a shallower search means
// that the position occurs in one tree at several depths.
func (t *table) clash(old, new uint64) {
	from, to := old>>32&maxStored, new>>32&maxStored
	if to >= from || (old|new)&completeBit != 0 || old>>48&0xff != new>>48&0xff {
		return
	}
	if t.clashes.Add(1) == mostClashes {
		t.layered.Store(true)
	}
}

func (t *table) grow() {
	old := t.buckets
	t.resize(min(t.limit, 4*len(old)))
	for i := range old {
		for _, s := range old[i] {
			if s[3]&usedBit == 0 {
				continue
			}
			b := t.at(s.key())
			if b[0][3]&usedBit == 0 {
				b[0] = s
			} else {
				b[1] = s
			}
		}
	}
}
