package gogame

import "slices"

// boards is a set of hashes whose last addition can be dropped: open addressing with room for twice
// as many. 0 marks an empty slot; the hash 0, of the empty board, has its own flag.
type boards struct {
	slots []uint64 // as many as a power of two
	count int
	zero  bool
}

func (b *boards) has(h uint64) bool {
	if h == 0 {
		return b.zero
	}
	if len(b.slots) == 0 {
		return false
	}
	for i := b.slot(h); ; i = (i + 1) & (len(b.slots) - 1) {
		switch b.slots[i] {
		case h:
			return true
		case 0:
			return false
		}
	}
}

func (b *boards) slot(h uint64) int { return int(h & uint64(len(b.slots)-1)) }

// add adds a hash that is not there.
func (b *boards) add(h uint64) {
	if h == 0 {
		b.zero = true
		return
	}
	if 2*(b.count+1) > len(b.slots) {
		b.grow()
	}
	b.insert(h)
	b.count++
}

func (b *boards) insert(h uint64) {
	i := b.slot(h)
	for b.slots[i] != 0 {
		i = (i + 1) & (len(b.slots) - 1)
	}
	b.slots[i] = h
}

// drop takes away the hash that was added last, or after a grow any: nothing that is
// there stands behind it.
func (b *boards) drop(h uint64) {
	if h == 0 {
		b.zero = false
		return
	}
	i := b.slot(h)
	for b.slots[i] != h {
		i = (i + 1) & (len(b.slots) - 1)
	}
	b.slots[i] = 0
	b.count--
	// A grow may have put older hashes behind this one.
	for j := (i + 1) & (len(b.slots) - 1); b.slots[j] != 0; j = (j + 1) & (len(b.slots) - 1) {
		moved := b.slots[j]
		b.slots[j] = 0
		b.insert(moved)
	}
}

func (b *boards) grow() {
	old := b.slots
	b.slots = make([]uint64, max(64, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			b.insert(h)
		}
	}
}

func (b *boards) clone() boards {
	c := *b
	c.slots = slices.Clone(b.slots)
	return c
}
