package learn

// numbers is a set of episodes: sixteen bytes each, and quicker than a map,
// since fits over rows that are each an episode of their own spend much of the
// first pass here.
type numbers struct {
	slot  []uint64 // 0: free; the hash of a number is never 0 twice, see zero
	count int
	zero  bool // the number whose hash is 0 is in
}

func newNumbers() *numbers { return &numbers{slot: make([]uint64, 1024)} }

// add tells whether x is new.
func (n *numbers) add(x uint64) bool {
	h := mix(x) // one to one
	if h == 0 {
		fresh := !n.zero
		n.zero = true
		return fresh
	}
	if 2*n.count >= len(n.slot) {
		old := n.slot
		n.slot = make([]uint64, 2*len(old))
		for _, h := range old {
			if h != 0 {
				n.slot[n.place(h)] = h
			}
		}
	}
	at := n.place(h)
	if n.slot[at] == h {
		return false
	}
	n.slot[at] = h
	n.count++
	return true
}

// place is where h is, or belongs.
func (n *numbers) place(h uint64) uint64 {
	mask := uint64(len(n.slot) - 1)
	at := h & mask
	for n.slot[at] != 0 && n.slot[at] != h {
		at = (at + 1) & mask
	}
	return at
}

// len is how many there are.
func (n *numbers) len() int {
	if n.zero {
		return n.count + 1
	}
	return n.count
}
