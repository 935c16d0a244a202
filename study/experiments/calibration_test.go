package experiments

import (
	"context"
	"io"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// Calibrating moves expectimax's games and not one of minimax's, in both worlds of
// chance; the control, learned in its world, is off by less than what was not.
func TestCalibrationOfLearnedEvaluations(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Pairs, s.Over.Depths = 40, []int{2}
	f, err := s.Run(context.Background(), calibration)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Checks) != 2 {
		t.Errorf("%d checks, want 2", len(f.Checks))
	}
	for _, c := range f.Checks {
		if !c.Passed {
			t.Errorf("%s: %s", c.Name, c.Figure)
		}
	}
	if len(f.Findings) != 8 {
		t.Errorf("%d findings, want one for each of 4 evaluations and 2 calibrations", len(f.Findings))
	}
	moved := 0
	for _, row := range f.Tables[1].Rows {
		if row[4] != "0.000" {
			t.Errorf("%v: minimax gains or loses", row)
		}
		if row[3] != "0.000" {
			moved++
		}
	}
	if moved < 4 {
		t.Errorf("calibrating moves expectimax in %d of 8 rows: this test shows nothing", moved)
	}
}
