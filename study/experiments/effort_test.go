package experiments

import (
	"context"
	"io"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// To one depth in one world expectimax, which knows the slips, is not the agent that
// ignores them, and a world without slips is refused, since there the two are one.
func TestEffort(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Pairs, s.Over.Depths = 50, []int{2}
	f, err := s.Run(context.Background(), effort)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.Tables[0].Rows); n != 4 || len(f.Findings) != n {
		t.Fatalf("%d rows and %d findings, want 4: a depth and three limits of nodes", n, len(f.Findings))
	}
	moved := false
	for _, row := range f.Data[0].Rows {
		if row[2] != "50" {
			t.Errorf("%v: want 50 pairs", row)
		}
		moved = moved || row[5] != "50" // a pair of one agent against itself is drawn or split
	}
	if !moved {
		t.Error("the planners never scored otherwise than an agent against itself")
	}
	s.Over.Slips = []float64{0}
	if _, err := s.Run(context.Background(), effort); err == nil {
		t.Error("a world without slips is not refused")
	}
}
