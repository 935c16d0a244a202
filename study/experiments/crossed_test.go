package experiments

import (
	"context"
	"io"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// The negative control of games: one decision ahead the planners lose alike, with
// every kind of error, slips or dice, and nothing is claimed there.
func TestCrossedAtDepthOne(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Games, s.Over.Pairs, s.Over.Depths = []string{"connect4", "connect4:dice=on"}, 10, []int{1}
	f, err := s.Run(context.Background(), crossed)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Checks) != 8 || len(f.Findings) > 0 {
		t.Errorf("%d checks and %d findings, want 8 and 0", len(f.Checks), len(f.Findings))
	}
	for _, c := range f.Checks {
		if !c.Passed {
			t.Errorf("%s: %s", c.Name, c.Figure)
		}
	}
	if !strings.Contains(f.Headline, "at most 0.0000 in 18 cells") {
		t.Errorf("headline %q does not say how far apart the planners are", f.Headline)
	}
}

// Two decisions ahead an error of scale moves expectimax and never minimax, errors
// of other kinds move both, or the controls would show nothing.
func TestCrossedAtDepthTwo(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Pairs, s.Over.Depths, s.Over.Slips = 30, []int{2}, []float64{0.2}
	r, err := newFactorial(s, crossedGame{spec: "connect4", share: 1})
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
	for _, k := range r.kinds {
		x, err := r.difference(k, r.arm(w, w, 2, k.name), r.arm(w, r.minimax(), 2, k.name))
		if err != nil {
			t.Fatal(err)
		}
		moved := func(assumes study.World) (n int) {
			for _, loss := range r.losses[r.arm(w, assumes, 2, k.name)] {
				if loss != 0 {
					n++
				}
			}
			return n
		}
		averages, compares := moved(w), moved(r.minimax())
		switch {
		case k.control && averages+compares > 0, k.warps() && compares > 0:
			t.Errorf("%s moves expectimax in %d pairs and minimax in %d", k.name, averages, compares)
		case !k.control && !k.own && averages == 0, !k.warps() && compares == 0:
			t.Errorf("%s moves expectimax in %d pairs and minimax in %d: this test shows nothing", k.name, averages, compares)
		}
		if len(k.damages) > 1 && len(x) != len(k.damages) {
			t.Errorf("%s: %d units, want its %d draws", k.name, len(x), len(k.damages))
		}
	}
	if _, err := r.difference(r.kinds[0], r.arm(w, w, 2, r.kinds[0].name), r.arm(study.World{}, r.minimax(), 2, r.kinds[0].name)); err == nil {
		t.Error("a contrast of planners in two worlds is not refused")
	}
}
