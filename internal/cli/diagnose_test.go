package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"plyfit/internal/cli"
	"plyfit/internal/vectors"
	"plyfit/study/diagnose"
)

// TestDiagnoseAdvice runs the commands of the first piece of advice in order and checks that they
// produce a model.
func TestDiagnoseAdvice(t *testing.T) {
	t.Chdir(t.TempDir())
	var r diagnose.Report
	steep(t, "tictactoe+slip=0.3", 6, "steep.json")
	vectors.Check(json.Unmarshal([]byte(must(t, "diagnose", "steep.json", "--game", "tictactoe+slip=0.3", "--games", "40", "--pairs", "200", "--budget", "10", "--quiet", "--json")), &r))
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

// TestDiagnoseTable checks that --table prints the figures in each format.
func TestDiagnoseTable(t *testing.T) {
	for form, want := range map[string]string{"csv": "of the points,expectimax,minimax\nit loses,", "markdown": "| it loses |", "latex": `\toprule`} {
		text := must(t, "diagnose", "handwritten", "--game", "tictactoe+slip=0.3", "--games", "12", "--pairs", "4", "--budget", "10", "--quiet", "--table", form)
		if !strings.Contains(text, want) || !strings.Contains(text, "search one decision deeper") {
			t.Errorf("--table %s:\n%s", form, text)
		}
	}
}
