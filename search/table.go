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

// table is a transposition table: it stores search results under the hash of the position. An entry
// contains a lower and an upper bound on the value, the depth for which they are valid, and the
// move to try first.
//
// The table consists of buckets with two entries. Each bucket is one cache line long. A new entry
// takes the first place if its depth is at least as large as that of the first entry, or if the
// first entry comes from an earlier search. The previous first entry then moves to the second
// place. Otherwise the new entry replaces the second.
//
// A position normally has a single entry, for its most recent search, because in most games a
// position occurs at only one depth. If play can return to earlier positions (for example when a
// die sends players back), the entries for a position at different depths would evict each other,
// and the search would grow to the size of the tree. When the table detects this, it stores an
// additional entry for each depth.
//
// Threads share the table without locks. The stored key is the key xored with the other words of
// the entry (Hyatt and Mann 2002, "A lock-less transposition table implementation for parallel
// search chess engines"). An entry torn by two writers therefore matches no position.
type table struct {
	buckets []bucket
	shift   uint
	limit   int    // maximum number of buckets
	used    int    // number of entries added in this search since the table last grew
	salt    uint64 // salt of the episode in shared tables, so that entries from earlier episodes are never found
	epoch   uint64
	age     uint8 // number of the search, modulo 256
	shared  bool  // used by several threads: accesses are atomic, and the table does not grow
	large   bool  // too large for the processor's caches, so buckets are prefetched

	clashes atomic.Int64 // number of entries that replaced an entry for the same position at another depth
	layered atomic.Bool  // positions have an additional entry for each depth
}

type bucket [2]slot

// A slot contains key^seal, lo, hi and meta. meta consists of move (32 bits), depth (16), age (8),
// complete (1), used (1) and proof (6).
type slot [4]uint64

// An entry is the information stored for a position. It has only four fields and takes only four
// words, because the compiler does not keep larger structs in registers.
type entry struct {
	span
	move  game.Move
	depth int32 // as returned by stored
	proof int32 // number of decisions that the search looked ahead, at most depth; the constant estimated if the value is not a proof
}

// estimated is the value of proof for an entry that rests on an evaluation. Other entries are valid
// at any greater depth.
const estimated = -1

// stored returns depth as it is stored in entries, limited to maxStored.
func stored(depth int) int32 { return int32(min(depth, maxStored)) }

// answers reports whether the entry e is valid for a search to the given depth. Unless the entry is
// a proof, it must have exactly this depth, because a shallower search might have stopped at an
// evaluation.
func (e entry) answers(depth int) bool {
	return e.depth == stored(depth) || e.proof != estimated && int(e.depth) <= depth
}

const (
	defaultTable  = 64      // in megabytes
	firstBuckets  = 1 << 10 // 64 KB, enough for small searches
	maxStored     = 1<<16 - 1
	completeBit   = 1 << 56
	usedBit       = 1 << 57
	proofShift    = 58
	farthest      = 1<<6 - 1 // marks proofs with this number of decisions or more; their length is read back as depth
	mostClashes   = 256
	bucketsPerMiB = 1 << 20 / 64
	farTable      = 32 << 20 // minimum size in bytes at which huge pages are used, because they slow down smaller tables
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
	t.large = n >= farBuckets
	t.shift = uint(64 - bits.Len(uint(n-1)))
	t.used = 0
}

// forget resets the table to its initial state. Results must not depend on the agent's earlier
// episodes, and therefore not on how episodes are divided among workers. Changing the salt is not
// enough, because old entries would still occupy places in the table. A table shared by several
// threads is an exception: it is large, and its results depend on the competition for places in any
// case, so forget changes only the salt.
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

// stamp changes the salt of the keys for a new episode.
func (t *table) stamp() {
	t.epoch++
	t.salt = game.Mix(t.epoch ^ 0xd1b54a32d192ed03) // uses a constant that games do not use with Mix
}

// key returns the key for a position with the given hash. The parameter view distinguishes the
// values that different players assign to the same position.
func (t *table) key(hash, view uint64) uint64 { return hash ^ t.salt ^ view }

func (t *table) at(key uint64) *bucket {
	return &t.buckets[key*0x9e3779b97f4a7c15>>(t.shift&63)]
}

func (t *table) prefetch(key uint64) { asm.PrefetchLine(unsafe.Pointer(t.at(key))) }

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

// seal mixes the words of the entry. The two bounds are rotated relative to each other, because the
// bounds of an exact value are equal and would otherwise cancel out. A torn entry could then pass
// for another exact value.
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

// layer returns the key for one depth of a position.
func layer(key uint64, depth int) uint64 {
	return game.Mix(key + uint64(min(depth, maxStored)))
}

// probe returns the entry stored under key, preferably one for the given depth.
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

// clash handles a new entry that replaces another one under the same key. Successive iterations
// search ever deeper, so a shallower new entry means that the position occurs at several depths in
// one tree.
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
