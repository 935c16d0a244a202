// Package marks lets threads that search the same tree tell each other what they are at.
package marks

import "sync/atomic"

// Set holds marks of the moves that threads are searching, so that each defers what another has
// begun, until nothing else is left at a node and most of it is in a table that they share (Kerrigan,
// "Simplified ABDADA", after Weill 1996, "The ABDADA distributed minimax-search algorithm"). It is
// advice: a mark overwritten or left over costs time and changes no value.
//
// A mark is a hash of the position and the move, not 0.
type Set struct {
	slots [1 << 12]atomic.Uint64 // 0: free
}

func (s *Set) slot(mark uint64) *atomic.Uint64 { return &s.slots[mark>>52] }

// Has reports whether a thread has entered the mark and not left it.
func (s *Set) Has(mark uint64) bool { return s.slot(mark).Load() == mark }

// Enter adds the mark unless another one has its place.
func (s *Set) Enter(mark uint64) { s.slot(mark).CompareAndSwap(0, mark) }

// Leave takes the mark away.
func (s *Set) Leave(mark uint64) { s.slot(mark).CompareAndSwap(mark, 0) }
