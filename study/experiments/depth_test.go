package experiments

import (
	"context"
	"io"
	"math"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// Halving an error gains what the greater one loses less what the smaller one loses,
// and errors come in the sizes that were asked for.
func TestHalvingGains(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Pairs, s.Over.Depths = 40, []int{2}
	r, kinds, err := newIsoquant(s, "connect4")
	if err != nil {
		t.Fatal(err)
	}
	if s.Store, err = study.OpenStore(s.Dir + "/cells.jsonl"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.play(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	w := r.worlds[0]
	gained := 0.0
	for i, k := range kinds {
		if got := r.Size(k.damages); math.Abs(got-k.share*r.size) > 0.002 {
			t.Errorf("%s has the size %.4f, want %.4f", k.name, got, k.share*r.size)
		}
		if k.share != 1 {
			continue
		}
		half := kinds[i+1].factorKind
		a := r.arm(w, w, 2, k.name)
		got := study.Mean(r.gain(k.factorKind, half, a).Means())
		want := study.Mean(r.losses[a]) - study.Mean(r.losses[r.arm(w, w, 2, half.name)])
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("halving %s gains %v, want %v", k.plain, got, want)
		}
		gained += math.Abs(got)
		if x, known := r.rate(k.factorKind, half, r.arm(w, r.minimax(), 2, k.name), 1); k.warps() && (!known || x.Value != 0) {
			t.Errorf("halving a warp is worth %v plies to minimax, want 0", x)
		}
	}
	if gained == 0 {
		t.Error("halving gained nothing anywhere: this test shows nothing")
	}
}
