// Package marks lets threads that search the same tree announce the moves that they are searching.
package marks

import "sync/atomic"

// A Set contains marks of the moves that threads are searching. A thread defers a move that another
// thread has started until no other move is left at the node. By then, most of the deferred move is
// in their shared table (Kerrigan, "Simplified ABDADA", after Weill 1996, "The ABDADA distributed
// minimax-search algorithm").
//
// Marks are hints. If a mark is overwritten or never removed, the search takes longer but its
// values do not change. A mark is a nonzero hash of the position and the move.
type Set struct {
	slots [1 << 12]atomic.Uint64 // 0 means free
}

func (s *Set) slot(mark uint64) *atomic.Uint64 { return &s.slots[mark>>52] }

// Has reports whether the set contains the mark.
func (s *Set) Has(mark uint64) bool { return s.slot(mark).Load() == mark }

// Enter adds the mark, unless its slot is occupied.
func (s *Set) Enter(mark uint64) { s.slot(mark).CompareAndSwap(0, mark) }

// Leave removes the mark.
func (s *Set) Leave(mark uint64) { s.slot(mark).CompareAndSwap(mark, 0) }
