package selfplay

import (
	"context"
	"testing"

	"plyfit/game"
	"plyfit/game/tictactoe"
	"plyfit/search"
	"plyfit/search/policy"
	"plyfit/work"
)

// TestProgressOfSlice: a slice's progress ends with the episodes that it has, and the
// slices have all.
func TestProgressOfSlice(t *testing.T) {
	g, err := tictactoe.New(game.NewOptions("tictactoe"))
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for part := 1; part <= 3; part++ {
		last := 0
		cfg := Config{
			Game: g, Agents: []search.Factory{{Name: "random", New: func() (search.Agent, error) { return policy.NewRandom(), nil }}},
			Episodes: 26, EpisodesPerShard: 4, Slice: work.Slice{Part: part, Of: 3}, Dir: t.TempDir(),
			Progress: func(n int) { last = n },
		}
		if _, err := Run(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
		if last != cfg.OwnEpisodes() || last == 0 {
			t.Errorf("slice %v: progress ends at %d, want %d", cfg.Slice, last, cfg.OwnEpisodes())
		}
		all += last
	}
	if all != 26 {
		t.Errorf("the slices have %d episodes, want 26", all)
	}
	if cfg := (Config{Episodes: 300}); cfg.OwnEpisodes() != 300 {
		t.Errorf("all of 300 episodes are %d", cfg.OwnEpisodes())
	}
}
