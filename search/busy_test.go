package search

import "testing"

// Most searches of the tests are small: they are to be helped early, some from
// the beginning and some on the way.
func init() { patience = 40 }

// A thread sees what another one is at, by position and move, until it is done.
func TestBusy(t *testing.T) {
	var b busy
	b.enter(7, 1)
	b.enter(7, 1) // a second thread, which found nothing else to do
	if !b.has(7, 1) || b.has(7, 2) || b.has(8, 1) {
		t.Error("want move 1 at position 7 and nothing else")
	}
	// A mark in the same slot is not overwritten, and not taken for another's.
	other := uint64(8)
	for b.slot(mark(other, 1)) != b.slot(mark(7, 1)) {
		other++
	}
	b.enter(other, 1)
	if b.has(other, 1) || !b.has(7, 1) {
		t.Error("a mark took the place of another")
	}
	b.leave(other, 1)
	if !b.has(7, 1) {
		t.Error("a thread took another's mark away")
	}
	b.leave(7, 1)
	if b.has(7, 1) {
		t.Error("a mark was left behind")
	}
}
