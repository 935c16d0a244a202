package fit

import (
	"unsafe"

	"plyfit/internal/asm"
)

// positionTable maps positions ([features.Keys]) to small values by open addressing in two flat
// slices: a fraction of a map's memory for ten million positions.
type positionTable[V any] struct {
	key   []uint64 // 0: free
	value []V
	count int
}

func newPositionTable[V any](n int64) *positionTable[V] {
	slots := 1024
	for int64(slots)*4 < 5*n {
		slots *= 2
	}
	return &positionTable[V]{key: make([]uint64, slots), value: make([]V, slots)}
}

// at is a position's value, a fresh one if had is false. It is valid until the next call.
func (p *positionTable[V]) at(place uint64) (v *V, had bool) {
	if 10*p.count > 9*len(p.key) {
		p.grow()
	}
	i := p.slot(place)
	if p.key[i] == 0 {
		p.key[i] = proper(place)
		p.count++
		return &p.value[i], false
	}
	return &p.value[i], true
}

func (p *positionTable[V]) find(place uint64) (v V) {
	if i := p.slot(place); p.key[i] != 0 {
		v = p.value[i]
	}
	return v
}

func proper(place uint64) uint64 { return max(place, 1) }

func (p *positionTable[V]) slot(place uint64) uint64 {
	place = proper(place)
	mask := uint64(len(p.key) - 1)
	i := (place ^ place>>32) & mask
	for p.key[i] != 0 && p.key[i] != place {
		i = (i + 1) & mask
	}
	return i
}

// prefetch has the caches fetch what a look-up of the position will want.
func (p *positionTable[V]) prefetch(place uint64) {
	place = proper(place)
	i := (place ^ place>>32) & uint64(len(p.key)-1)
	asm.PrefetchLine(unsafe.Pointer(&p.key[i]))
	asm.PrefetchLine(unsafe.Pointer(&p.value[i]))
}

func (p *positionTable[V]) grow() {
	key, value := p.key, p.value
	p.key, p.value = make([]uint64, 2*len(key)), make([]V, 2*len(key))
	for i, k := range key {
		if k != 0 {
			j := p.slot(k)
			p.key[j], p.value[j] = k, value[i]
		}
	}
}
