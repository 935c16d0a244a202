package arena

import "testing"

// What the arena itself costs a game: connect four between agents that play at
// random, some 21 moves a game.
func BenchmarkGame(b *testing.B) {
	mustRun(b, Config{Game: connect4Game(b), A: randomly("a"), B: randomly("b"), Pairs: b.N/2 + 1})
	b.ReportAllocs()
}
