package search

import "testing"

// TestTornEntries checks that an entry torn by two writers matches neither writer's position. The
// test uses exact values, whose two bounds are equal.
func TestTornEntries(t *testing.T) {
	slotOf := func(key uint64, lo, hi float64) slot {
		tab := newTable(1)
		tab.put(key, entry{span: span{lo, hi}, move: 1, depth: 3, proof: estimated})
		for i := range tab.buckets {
			for _, s := range tab.buckets[i] {
				if s[3]&usedBit != 0 {
					return s
				}
			}
		}
		t.Fatal("nothing was stored")
		return slot{}
	}
	a, b := slotOf(0x1234567890abcdef, 0.25, 0.25), slotOf(0xfedcba0987654321, -0.5, -0.5)
	for mixed := 1; mixed < 15; mixed++ {
		torn := a
		for i := range torn {
			if mixed>>i&1 == 1 {
				torn[i] = b[i]
			}
		}
		for _, whole := range []slot{a, b} {
			if torn != whole && torn.key() == whole.key() {
				t.Errorf("words %04b of another entry pass for position %x", mixed, whole.key())
			}
		}
	}
}

// Let helpers start early, because most searches in the tests are small. Some start at the
// beginning of a search and others during it.
func init() { patience = 40 }
