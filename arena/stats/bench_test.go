package stats

import "testing"

func BenchmarkLLR(b *testing.B) {
	c, t := Pentanomial{57, 265, 545, 354, 87}, SPRT{Low: 0, High: 5}
	for b.Loop() {
		t.LLR(c)
	}
}

func BenchmarkTLLR(b *testing.B) {
	t := SPRT{Low: 0, High: 5}
	for b.Loop() {
		t.TLLR(500, 0.1, 2)
	}
}
