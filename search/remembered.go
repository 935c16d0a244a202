package search

import (
	"plyfit/game"
)

// remembered stores results of quiescence searches by hash: bounds of a position's value and its
// static one. Most nodes of a search lie there, and many recur at once, from another order of
// captures or with another window, so it is small enough for the caches and the last entry stays.
// The searches above, which are worth more, have their own [table].
//
// It belongs to one search. As with the table, the values do not depend on its contents.
type remembered struct {
	slots []noisyEntry
	from  *pvs   // whose keys it uses
	salt  uint64 // of the episode: entries of earlier ones are never found, and any other takes their place
	epoch uint64
}

// noisyEntry is what is remembered of a position, in its mover's view.
type noisyEntry struct {
	key      uint64
	value    span
	static   float64
	move     game.Move
	found    bool // there is an entry
	still    bool // static is known, as an estimate
	complete bool // the value is one that no estimate touched
}

const rememberedSlots = 1 << 13 // of 48 bytes

func (r *remembered) forget() {
	r.epoch++
	r.salt = game.Mix(r.epoch ^ 0x9fb21c651e98df25)
}

// at is the place of the present position, and its key.
func (r *remembered) at() (slot *noisyEntry, key uint64) {
	if r.slots == nil {
		r.slots = make([]noisyEntry, rememberedSlots)
	}
	key = r.from.place() ^ r.salt
	return &r.slots[key*0x9e3779b97f4a7c15>>(64-13)], key
}
