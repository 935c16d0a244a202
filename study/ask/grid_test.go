package ask

import (
	"context"
	"math"
	"slices"
	"testing"

	"plyfit/internal/vectors"
	"plyfit/study"
	"plyfit/study/evaluation"
)

// played returns a measured grid, with all kinds of errors, of connect four or a similar game.
func played(t *testing.T, spec string, depths ...int) *grid {
	t.Helper()
	var g *grid
	vectors.Must(newSession(t, 2).Run(t.Context(), study.Experiment{Name: "played", Run: func(ctx context.Context, s *study.Session) (*study.Results, error) {
		g = vectors.Must(newGrid(ctx, s, spec, []float64{0.2}, depths, 60))
		vectors.Check(g.SizeAll(ctx, 0, append(evaluation.Scales(), g.Subject.Randoms(5)...)))
		return &study.Results{}, g.Measure(ctx, s)
	}}))
	return g
}

// TestPlayed checks that errors of scale affect expectimax but never minimax, and that other errors
// affect both. The controls must affect neither. At depth 1, both planners must be equal. A loss
// must have a row for each draw of the error, and planted faults must be detected.
func TestPlayed(t *testing.T) {
	g := played(t, "connect4", 1, 2)
	w := g.Worlds[0]
	control := func(e *evalError) bool { return slices.Contains(controls, e) }
	moved := func(e *evalError, assumes study.World) (n int) {
		for _, row := range g.losses[arm{w, assumes, 2, e.Name}] {
			for _, loss := range row {
				if loss != 0 {
					n++
				}
			}
		}
		return n
	}
	for _, e := range slices.Concat(g.Errors, controls) {
		averages, compares := moved(e, w), moved(e, g.Minimax())
		switch {
		case control(e) && averages+compares > 0, e.Warps() && compares > 0:
			t.Errorf("%s moves expectimax in %d pairs and minimax in %d", e.Name, averages, compares)
		case !control(e) && averages == 0, !e.Warps() && compares == 0:
			t.Errorf("%s moves expectimax in %d pairs and minimax in %d: this test shows nothing", e.Name, averages, compares)
		}
		c := g.contrast(e, e, w, 2)
		if units := len(e.Draws); len(c.Expectimax.Rows) != units || len(c.Minimax.Rows) != units {
			t.Errorf("%s: %d and %d rows, want its %d draws", e.Name, len(c.Expectimax.Rows), len(c.Minimax.Rows), units)
		}
		if c.Minimax.Exact != e.Warps() {
			t.Errorf("%s: minimax's loss is exact: %v", e.Name, c.Minimax.Exact)
		}
		if g.plies(e, w, 2)[1].Known {
			t.Error("a loss in plies where there are no two plies less")
		}
	}
	failed := func() (n int) {
		checks := g.Checks()
		if len(checks) != 4 {
			t.Errorf("%d checks, want 4", len(checks))
		}
		for _, c := range checks {
			if !c.Passed {
				n++
			}
		}
		return n
	}
	if n := failed(); n > 0 {
		t.Errorf("%d checks fail: %v", n, g.Checks())
	}
	for _, a := range []arm{{w, w, 2, controls[0].Name}, {w, g.Minimax(), 2, g.Errors[0].Name}, {w, w, 1, g.Errors[2].Name}} {
		loss := &g.losses[a][0][1]
		was := *loss
		if *loss += 0.25; failed() != 1 {
			t.Errorf("a loss of %v that must not be there fails %d checks, want 1", a, failed())
		}
		*loss = was
	}
	f := &study.Results{}
	if err := g.Report(f); err != nil || len(f.Findings) != 5 || len(f.Figures) != 2 || len(f.Tables[0].Rows) != 5+2+5+3 {
		t.Errorf("%d findings, %d figures, %d rows, %v", len(f.Findings), len(f.Figures), len(f.Tables[0].Rows), err)
	}
}

// TestPlies checks that losses are expressed in plies, and that they are unknown unless two plies
// are worth something to both planners.
func TestPlies(t *testing.T) {
	g := played(t, "connect4:columns=5,rows=4", 3)
	w, e := g.Worlds[0], g.Errors[2]
	set := func(of *evalError, minimax, expectimax float64) {
		for assumes, x := range map[study.World]float64{g.Minimax(): minimax, w: expectimax} {
			row := g.losses[arm{w, assumes, 3, of.Name}][0]
			for i := range row {
				row[i] = x + 0.01*float64(i*i%11-5)
			}
		}
	}
	set(onePly, 0.02, 0.01)
	set(twoPlies, 0.2, 0.1)
	x := g.contrast(e, e, w, 3).Expectimax
	plies := g.plies(e, w, 3)[1]
	if want := 2 * x.Estimate().Value / g.contrast(e, twoPlies, w, 3).Expectimax.Estimate().Value; !plies.Known || math.Abs(plies.Value-want) > 1e-9 {
		t.Errorf("%v plies, want %v", plies, want)
	}
	set(twoPlies, -0.2, 0.1)
	if plies = g.plies(e, w, 3)[1]; plies.Known {
		t.Errorf("%v plies, though minimax loses by looking farther", plies)
	}
}
