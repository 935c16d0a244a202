package selfplay

import (
	"context"
	"path/filepath"
	"testing"

	"plyfit/search"
	"plyfit/search/policy"
)

// seeded notes the seeds that its agent begins with.
type seeded struct {
	search.Agent
	begun *[]uint64
}

func (s seeded) Begin(seed uint64) {
	*s.begun = append(*s.begun, seed)
	s.Agent.Begin(seed)
}

// TestSeeds: agents of self-play and of relabelling never begin with the same
// seed twice, over seeds, episodes, seats and positions.
func TestSeeds(t *testing.T) {
	g := newGame(t, "connect4")
	var begun []uint64
	maker := func(name string) search.Factory {
		return search.Factory{Identity: name, New: func() (search.Agent, error) {
			return seeded{policy.NewRandom(), &begun}, nil
		}}
	}
	for seed := range uint64(6) {
		dir := filepath.Join(t.TempDir(), "data")
		cfg := Config{Game: g, Agents: []search.Factory{maker("a"), maker("b")}, Episodes: 12, Seed: seed, Workers: 1, Dir: dir}
		run(t, cfg)
		if _, err := Relabel(context.Background(), RelabelConfig{Game: g, Agent: maker("c"), From: dir, To: dir + "-again", Seed: seed, Workers: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if len(begun) < 6*12*20 {
		t.Fatalf("%d seeds", len(begun))
	}
	seen := map[uint64]bool{}
	for _, h := range begun {
		if seen[h] {
			t.Fatalf("an agent begins twice with seed %#x", h)
		}
		seen[h] = true
	}
}
