package design

import (
	"cmp"
	"slices"

	"plyfit/game"
)

// episodeSet is a set of episodes. Those that come in ascending order, as data sets have them, are
// kept as runs; each other one costs sixteen bytes and is found more quickly than in a map. Fits
// over rows that are each an episode of their own would spend much of the first pass here.
type episodeSet struct {
	runs  []run    // ascending, the last one's end is the largest number of all
	ran   int      // how many numbers the runs hold
	slot  []uint64 // 0: free; the hash of a number is never 0 twice, see zero
	count int
	zero  bool // the number whose hash is 0 is in
}

type run struct{ first, last uint64 }

func NewEpisodeSet() *episodeSet { return &episodeSet{slot: make([]uint64, 1024)} }

// Add reports whether x is new.
func (n *episodeSet) Add(x uint64) bool {
	k := len(n.runs)
	if k == 0 || x > n.runs[k-1].last {
		n.ran++
		if k > 0 && n.runs[k-1].last+1 == x {
			n.runs[k-1].last = x
		} else {
			n.runs = append(n.runs, run{x, x})
		}
		return true
	}
	in, _ := slices.BinarySearchFunc(n.runs, x, func(r run, x uint64) int { return cmp.Compare(r.last, x) })
	if n.runs[in].first <= x {
		return false
	}
	h := game.Mix(x) // one to one
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

func (n *episodeSet) place(h uint64) uint64 {
	mask := uint64(len(n.slot) - 1)
	at := h & mask
	for n.slot[at] != 0 && n.slot[at] != h {
		at = (at + 1) & mask
	}
	return at
}

// Len is how many there are.
func (n *episodeSet) Len() int {
	if n.zero {
		return n.ran + n.count + 1
	}
	return n.ran + n.count
}
