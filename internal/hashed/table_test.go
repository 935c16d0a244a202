package hashed

import "testing"

func TestTable(t *testing.T) {
	p := New[uint32](10)
	hash := func(i uint32) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 }
	for i := range uint32(5000) {
		v, had := p.At(hash(i))
		if had {
			t.Fatalf("%d is there", i)
		}
		*v = i + 1
	}
	p.Retain(func(hash uint64) bool { return hash%2 == 1 })
	for i := uint32(1); i < 5000; i++ {
		if want := (i + 1) * uint32(hash(i)%2); p.Find(hash(i)) != want {
			t.Fatalf("%d is %d, want %d", i, p.Find(hash(i)), want)
		}
	}
	if p.Find(12346) != 0 || p.Len() != 2501 { // 0 is treated as 1
		t.Errorf("%d hashes, and 12346 is %d", p.Len(), p.Find(12346))
	}
}
