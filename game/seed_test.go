package game_test

import (
	"testing"

	"plyfit/game"
)

// TestSeed checks that many streams of the seeds 0 to 50, for several purposes, all differ from
// each other and from the seeds themselves. It also checks that the formula has not changed,
// because the games that a seed produces depend on it.
func TestSeed(t *testing.T) {
	seen := map[uint64][]uint64{}
	meet := func(parts ...uint64) {
		h := game.Seed(parts...)
		if other, ok := seen[h]; ok {
			t.Fatalf("%v and %v give one stream", parts, other)
		}
		seen[h] = parts
	}
	for seed := range uint64(51) {
		seen[seed] = []uint64{seed}
	}
	for seed := range uint64(51) {
		for k := range uint64(200) {
			for stream := game.StreamRound; stream <= game.StreamRegret; stream++ {
				meet(seed, stream, k)
			}
			for arena := uint64(1); arena <= 3; arena++ { // package arena puts the stream number after the pair number
				meet(seed, k, arena)
			}
		}
		for e := range uint64(20) {
			for i := range uint64(10) {
				meet(seed, game.StreamPlayer, e, i)
				meet(seed, game.StreamRelabel, e, i)
				meet(seed, game.StreamLeaf, e, i)
			}
		}
	}
	if h := game.Seed(1, game.StreamEpisode, 2); h != 0x593d9e237203c7c0 {
		t.Errorf("the formula has changed: %#x", h)
	}
}
