package arena

import "testing"

// What the arena itself costs a game: connect four between agents that play at
// random, some 21 moves a game.
func BenchmarkGame(b *testing.B) {
	mustRun(b, Config{Game: connect4Game(b), A: randomly("a"), B: randomly("b"), Pairs: b.N/2 + 1})
	b.ReportAllocs()
}

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
