package experiments

import (
	"context"
	"io"
	"math"
	"strconv"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/study"
)

// The referee's table of 5x4 connect four, planner by world, three decisions ahead, to
// four digits, with PLYFIT_LONG=1; the instrument checks over all cells, else of 4x4.
func TestPlannerByWorldExactly(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Effort: study.Quick, Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Slips, s.Over.Assume, s.Over.Depths = []float64{0, 0.3}, []float64{0, 0.3}, []int{3}
	if !vectors.Long() {
		s.Over.Games = []string{"connect4:columns=4,rows=4"}
	}
	f, err := s.Run(context.Background(), solved)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Checks {
		if !c.Passed {
			t.Errorf("check %s: %s", c.Name, c.Figure)
		}
	}
	if len(f.Checks) != 4 {
		t.Errorf("%d checks, want 4", len(f.Checks))
	}
	got := map[[4]string][]float64{} // error, world, assumes, depth
	for _, row := range f.Data[0].Rows {
		loss, err := strconv.ParseFloat(row[6], 64)
		if err != nil {
			t.Fatal(err)
		}
		key := [4]string{row[1], row[3], row[4], row[5]}
		got[key] = append(got[key], loss)
	}
	if n := len(got[[4]string{"noise", "0.3", "0.3", "3"}]); n != 5 {
		t.Errorf("noise has %d seeds, want 5", n)
	}
	if !vectors.Long() {
		return
	}
	for _, c := range []struct {
		key  [4]string
		want float64
	}{
		{[4]string{"cube", "0", "0", "3"}, 0}, {[4]string{"cube", "0", "0.3", "3"}, 0.1224}, {[4]string{"cube", "0.3", "0", "3"}, 0}, {[4]string{"cube", "0.3", "0.3", "3"}, 0.0118},
		{[4]string{"exp(1.19z)", "0", "0", "3"}, 0}, {[4]string{"exp(1.19z)", "0", "0.3", "3"}, 0.0128}, {[4]string{"exp(1.19z)", "0.3", "0", "3"}, 0}, {[4]string{"exp(1.19z)", "0.3", "0.3", "3"}, 0.0103},
		{[4]string{"noise", "0", "0", "3"}, 0.1067}, {[4]string{"noise", "0", "0.3", "3"}, 0.0880}, {[4]string{"noise", "0.3", "0", "3"}, 0.0252}, {[4]string{"noise", "0.3", "0.3", "3"}, 0.0282},
	} {
		if x := study.Mean(got[c.key]); math.Abs(x-c.want) > 0.00005 || c.want == 0 && x != 0 {
			t.Errorf("%v loses %.5f, want %.4f", c.key, x, c.want)
		}
	}
}

// On a smaller board, whatever is assumed: without minimax among the planners
// there is nothing to compare with, and that is said.
func TestExactNeedsMinimax(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Effort: study.Quick, Seed: 1, Workers: 1, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Games, s.Over.Assume, s.Over.Depths = []string{"connect4:columns=4,rows=4"}, []float64{0.2}, []int{2}
	if _, err := s.Run(context.Background(), solved); err == nil {
		t.Error("no minimax among the planners, and no error")
	}
}
