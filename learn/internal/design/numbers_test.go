package design

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	n, seen := NewEpisodeSet(), map[uint64]bool{}
	from := uint64(0)
	for i := range 20000 {
		x := from + uint64(i)
		switch rng.IntN(5) {
		case 0:
			x = rng.Uint64N(30000)
		case 1:
			from += rng.Uint64N(4)
		}
		if fresh := n.Add(x); fresh == seen[x] {
			t.Fatalf("number %d of row %d: new is %v", x, i, fresh)
		}
		seen[x] = true
	}
	if n.Add(math.MaxUint64); n.Add(math.MaxUint64) || !n.Add(math.MaxUint64-1) || n.Len() != len(seen)+2 {
		t.Errorf("%d numbers, want %d", n.Len(), len(seen)+2)
	}
}

// TestCensus checks that a count of 1,000 is exact, and that one of 3 million is correct to 1%.
func TestCensus(t *testing.T) {
	c := NewCensus()
	for i := range uint64(3000) {
		c.Add(i / 3)
	}
	if c.Count() != 1000 {
		t.Errorf("%d numbers, want 1000", c.Count())
	}
	for i := range uint64(3_000_000) {
		c.Add(i)
	}
	if n := float64(c.Count()); math.Abs(n/3e6-1) > 0.01 {
		t.Errorf("%v numbers, want 3000000", n)
	}
}
