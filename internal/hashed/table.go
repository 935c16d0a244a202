// Package hashed stores small values under 64-bit hashes in a fraction of the memory of a map.
package hashed

import (
	"unsafe"

	"plyfit/internal/asm"
)

// A Table maps hashes to values with open addressing in two flat slices. The hashes 0 and 1 are
// treated as equal.
type Table[V any] struct {
	key   []uint64 // 0 means free
	value []V
	count int
}

// New returns a table with room for n hashes. It grows if necessary.
func New[V any](n int64) *Table[V] {
	slots := 1024
	for int64(slots)*3 < 4*n {
		slots *= 2
	}
	return &Table[V]{key: make([]uint64, slots), value: make([]V, slots)}
}

// Len returns the number of hashes.
func (t *Table[V]) Len() int { return t.count }

// At returns a pointer to the value of a hash, and whether the hash was present. A missing hash is
// added with the zero value. The pointer is valid until the next call to At.
func (t *Table[V]) At(hash uint64) (v *V, had bool) {
	i := t.slot(hash)
	if t.key[i] != 0 {
		return &t.value[i], true
	}
	if t.count++; 4*t.count > 3*len(t.key) {
		t.rebuild(2*len(t.key), func(uint64) bool { return true })
		t.count++
		i = t.slot(hash)
	}
	t.key[i] = max(hash, 1)
	return &t.value[i], false
}

// Find returns the value of a hash, or the zero value if there is none.
func (t *Table[V]) Find(hash uint64) (v V) {
	if i := t.slot(hash); t.key[i] != 0 {
		v = t.value[i]
	}
	return v
}

// Prefetch loads the slot of a hash into the cache.
func (t *Table[V]) Prefetch(hash uint64) {
	i := home(hash) & uint64(len(t.key)-1)
	asm.PrefetchLine(unsafe.Pointer(&t.key[i]))
	asm.PrefetchLine(unsafe.Pointer(&t.value[i]))
}

// Retain removes all hashes for which keep returns false.
func (t *Table[V]) Retain(keep func(hash uint64) bool) { t.rebuild(len(t.key), keep) }

func home(hash uint64) uint64 {
	hash = max(hash, 1)
	return hash ^ hash>>32
}

// slot returns the index of the hash, or the free slot in which it belongs.
func (t *Table[V]) slot(hash uint64) uint64 {
	mask := uint64(len(t.key) - 1)
	i := home(hash) & mask
	for hash = max(hash, 1); t.key[i] != 0 && t.key[i] != hash; {
		i = (i + 1) & mask
	}
	return i
}

func (t *Table[V]) rebuild(slots int, keep func(hash uint64) bool) {
	key, value := t.key, t.value
	t.key, t.value, t.count = make([]uint64, slots), make([]V, slots), 0
	for i, k := range key {
		if k != 0 && keep(k) {
			j := t.slot(k)
			t.key[j], t.value[j] = k, value[i]
			t.count++
		}
	}
}
