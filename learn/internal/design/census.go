package design

import (
	"maps"
	"math"

	"plyfit/game"
	"plyfit/models"
)

// census counts distinct hashes: all of them up to a million, then only those
// divisible by a growing power of two (Wegman's adaptive sampling; Flajolet
// 1990), so that memory stays bounded.
type census struct {
	seen map[uint64]struct{}
	mask uint64
}

const censusLimit = 1 << 20

func NewCensus() *census { return &census{seen: map[uint64]struct{}{}} }

func (c *census) Add(h uint64) {
	h = game.Mix(h)
	if h&c.mask != 0 {
		return
	}
	c.seen[h] = struct{}{}
	if len(c.seen) > censusLimit {
		c.mask = c.mask<<1 | 1
		maps.DeleteFunc(c.seen, func(h uint64, _ struct{}) bool { return h&c.mask != 0 })
	}
}

func (c *census) Count() int64 { return int64(len(c.seen)) * int64(c.mask+1) }

// HashOf is the same for equal vectors in any order of terms.
func HashOf(x models.Vector) uint64 {
	h := uint64(0)
	for _, t := range x {
		h += game.Mix(uint64(uint32(t.Index))<<32 | uint64(math.Float32bits(t.Value)))
	}
	return h
}
