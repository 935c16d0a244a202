package design

import (
	"cmp"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/internal/hashed"
	"plyfit/models"
)

// A census counts distinct hashes. It stores all of them until there are a million, and from then
// on only those divisible by an increasing power of two (Wegman's adaptive sampling; Flajolet
// 1990). This limits the memory used.
type census struct {
	known *hashed.Table[struct{}]
	mask  uint64
	// Hashes that will be looked up together, so that their memory accesses overlap.
	next    [16]uint64
	waiting int
}

const censusLimit = 1 << 20

func NewCensus() *census { return &census{known: hashed.New[struct{}](0)} }

func (c *census) Add(h uint64) {
	h = game.Mix(h)
	if h&c.mask != 0 {
		return
	}
	c.known.Prefetch(h)
	c.next[c.waiting] = h
	if c.waiting++; c.waiting == len(c.next) {
		c.enter()
	}
}

// enter adds the pending hashes.
func (c *census) enter() {
	for _, h := range c.next[:c.waiting] {
		if h&c.mask != 0 {
			continue
		}
		if c.known.At(h); c.known.Len() > censusLimit {
			c.mask = c.mask<<1 | 1
			c.known.Retain(func(h uint64) bool { return h&c.mask == 0 })
		}
	}
	c.waiting = 0
}

func (c *census) Count() int64 {
	c.enter()
	return int64(c.known.Len()) * int64(c.mask+1)
}

// HashOf returns a hash of x that does not depend on the order of its terms.
func HashOf(x models.Vector) uint64 {
	h := uint64(0)
	for _, t := range x {
		h += game.Mix(uint64(uint32(t.Index))<<32 | uint64(math.Float32bits(t.Value)))
	}
	return h
}

// BoolToInt returns 1 for true and 0 for false.
func BoolToInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// An episodeSet is a set of episode numbers. Numbers that arrive in ascending order, as in most
// data sets, are stored as runs. All others are stored by their hashes. If every row is a separate
// episode, a map of all numbers would slow down the first pass considerably.
type episodeSet struct {
	runs   []run // ascending; the end of the last one is the largest number in runs
	ran    int   // number of episodes in runs
	others *hashed.Table[struct{}]
}

type run struct{ first, last uint64 }

func NewEpisodeSet() *episodeSet { return &episodeSet{others: hashed.New[struct{}](0)} }

// Add adds x and reports whether it is new.
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
	_, had := n.others.At(game.Mix(x)) // Mix is a bijection, so numbers do not collide
	return !had
}

// Len returns the number of episodes.
func (n *episodeSet) Len() int { return n.ran + n.others.Len() }
