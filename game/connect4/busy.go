package connect4

import (
	"plyfit/game"
	"plyfit/internal/marks"
)

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

// undone moves the first of the children of a position that no solver is at to the front.
func undone(busy *marks.Set, list []child, own, all uint64) {
	for i, c := range list {
		if !busy.Has(markOf(own^all, all|c.cell)) {
			copy(list[1:i+1], list[:i])
			list[0] = c
			return
		}
	}
}
