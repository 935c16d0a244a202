package proc

import "testing"

// TestAsk checks that a table with requested large pages is cleared and writable at odd sizes and
// offsets.
func TestAsk(t *testing.T) {
	for _, n := range []int{0, 1, 511, 4095, 4096, 1<<21 + 3} {
		for _, skip := range []int{0, 1, 5} {
			table := make([]uint64, n+skip)[skip:]
			HugePages(table, 0, skip == 1)
			for i := range table {
				if table[i] != 0 {
					t.Fatalf("%d numbers, %d skipped: at %d stands %d, want 0", n, skip, i, table[i])
				}
				table[i] = uint64(i) * 0x9e3779b97f4a7c15
			}
			for i := range table {
				if want := uint64(i) * 0x9e3779b97f4a7c15; table[i] != want {
					t.Fatalf("%d numbers, %d skipped: at %d stands %d, want %d", n, skip, i, table[i], want)
				}
			}
		}
	}
}
