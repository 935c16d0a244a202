package bench

import (
	"context"
	"testing"

	"plyfit/catalog"
)

// TestSignature holds the number of nodes of a fixed set of searches still: a
// change that moves it changes what is searched, and should say so.
func TestSignature(t *testing.T) {
	const want = 1682968
	b := &Bench{Catalog: catalog.All()}
	got, err := b.Signature(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("signature %d, want %d", got, want)
	}
}

// TestTrials: whatever bench would time can be searched.
func TestTrials(t *testing.T) {
	b := &Bench{Catalog: catalog.All()}
	for _, trial := range trials {
		if !b.listed(trial) {
			continue
		}
		s, err := b.searcher(trial)
		if err != nil {
			t.Errorf("%s, %s: %v", trial.game, trial.agent, err)
			continue
		}
		s.states = s.states[:1]
		if nodes, err := s.run(context.Background()); err != nil || nodes == 0 {
			t.Errorf("%s, %s: %d nodes, %v", trial.game, trial.agent, nodes, err)
		}
	}
}

func TestMedian(t *testing.T) {
	if m := median([]float64{5, 1, 9}); m != 5 {
		t.Errorf("median of three is %v, want 5", m)
	}
	if m := median([]float64{4, 1, 9, 2}); m != 3 {
		t.Errorf("median of four is %v, want 3", m)
	}
}
