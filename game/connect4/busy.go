package connect4

import (
	"sync/atomic"

	"plyfit/game"
)

// busy marks the moves that solvers sharing a table are searching: each defers what another has
// begun, until nothing else is left in the position and most of it is in the table (Kerrigan,
// "Simplified ABDADA", after Weill 1996, "The ABDADA distributed minimax-search algorithm"). It is
// advice: a mark overwritten costs time and changes no value.
type busy struct {
	slots [1 << 12]atomic.Uint64 // marks, 0 where there is none
}

const (
	// leastShared is how many cells must be empty for a move to be put off: what a
	// solver visits below that is less than what telling the others costs.
	leastShared = 16
	// firstShared is the first deferred move, in order. If any move exceeds alpha, it is most often
	// one of those before it, and work on the others was wasted.
	firstShared = 2
)

// markOf is the mark of a position, whose mover has the stones own of all.
func markOf(own, all uint64) uint64 { return game.Mix(own+all) | 1 }

func (b *busy) slot(mark uint64) *atomic.Uint64 { return &b.slots[mark>>52] }

func (b *busy) enter(mark uint64) { b.slot(mark).CompareAndSwap(0, mark) }

func (b *busy) leave(mark uint64) { b.slot(mark).CompareAndSwap(mark, 0) }

// sort moves the first of the children of a position that no solver is at to the front.
func (b *busy) sort(list []child, own, all uint64) {
	for i, c := range list {
		if mark := markOf(own^all, all|c.cell); b.slot(mark).Load() != mark {
			copy(list[1:i+1], list[:i])
			list[0] = c
			return
		}
	}
}
