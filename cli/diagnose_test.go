package cli_test

import (
	"encoding/json"
	"testing"

	"plyfit/cli"
	"plyfit/diagnose"
)

// TestDiagnoseAdvice follows the advice as it is printed: its commands work, one after
// the other, and write a model.
func TestDiagnoseAdvice(t *testing.T) {
	t.Chdir(t.TempDir())
	var r diagnose.Report
	if err := json.Unmarshal([]byte(must(t, "diagnose", "handwritten", "--game", "tictactoe+slip=0.3", "--games", "40", "--pairs", "4", "--quiet", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Slope.Sure != diagnose.TooSure || !r.Slope.LogOdds || !r.Slope.Estimate.Bounded {
		t.Errorf("slope %+v, want what it means and in what it is", r.Slope)
	}
	if len(r.Advice) == 0 || len(r.Advice[0].Commands) < 2 {
		t.Fatalf("advice %v of an evaluation that is too sure of itself: want to calibrate it, and how", r.Advice)
	}
	for _, line := range r.Advice[0].Commands {
		must(t, cli.Words(line)[1:]...)
	}
	must(t, "eval", "tictactoe", "--model", "calibrated.json")
}
