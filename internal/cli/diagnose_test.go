package cli_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"plyfit/internal/cli"
	"plyfit/study/diagnose"
)

// TestDiagnoseAdvice follows the advice as it is printed: its commands work, one after
// the other, and write a model.
func TestDiagnoseAdvice(t *testing.T) {
	t.Chdir(t.TempDir())
	var r diagnose.Report
	steep(t, "tictactoe+slip=0.3", 6, "steep.json")
	if err := json.Unmarshal([]byte(must(t, "diagnose", "steep.json", "--game", "tictactoe+slip=0.3", "--games", "40", "--pairs", "200", "--budget", "10", "--quiet", "--json")), &r); err != nil {
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

// TestDiagnoseData: with the games that a model was fitted to, what four times as many
// gain is told; other games, and models that are of no fit, are refused in a line.
func TestDiagnoseData(t *testing.T) {
	t.Chdir(t.TempDir())
	game := "tictactoe+slip=0.3"
	for i, dir := range []string{"games", "others"} {
		must(t, "selfplay", game, "-o", dir, "--games", "150", "--agent", "random", "--seed", fmt.Sprint(i), "--quiet")
	}
	if text := must(t, "fit", "games", "-o", "model.json", "--prior", "none", "--penalty", "1e-3"); !strings.Contains(text, "On held-out games the log odds of outcomes are") {
		t.Errorf("a fit does not say what its slope means:\n%s", text)
	}
	args := []string{"diagnose", "model.json", "--game", game, "--games", "40", "--pairs", "4", "--budget", "10", "--quiet"}
	var r diagnose.Report
	if err := json.Unmarshal([]byte(must(t, append(args, "--data", "games", "--json")...)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Data == nil || r.Data.Games < 100 || r.Data.Games > 140 || !r.Data.Quarter.Bounded || !r.Data.Gain.Bounded || r.Data.Gain.High < r.Data.Gain.Low {
		t.Errorf("more data: %+v, want what it gains", r.Data)
	}
	if text := must(t, args...); !strings.Contains(text, "--data DIR") || strings.Contains(text, "four times") {
		t.Errorf("without the games:\n%s", text)
	}
	for line, want := range map[string]string{
		"model.json others":  "did not learn from this data set",
		"handwritten others": "was not fitted to games",
		"model.json nowhere": "nowhere",
	} {
		model, dir, _ := strings.Cut(line, " ")
		code, _, stderr := run("", "diagnose", model, "--game", game, "--data", dir)
		if code != 2 || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("--data %s of %s: exit code %d, %q", dir, model, code, stderr)
		}
	}
}

// TestDiagnoseTable: the figures stand in tables for papers and other programs.
func TestDiagnoseTable(t *testing.T) {
	for form, want := range map[string]string{"csv": "of the points,expectimax,minimax\nit loses,", "markdown": "| it loses |", "latex": `\toprule`} {
		text := must(t, "diagnose", "handwritten", "--game", "tictactoe+slip=0.3", "--games", "12", "--pairs", "4", "--budget", "10", "--quiet", "--table", form)
		if !strings.Contains(text, want) || !strings.Contains(text, "search one decision further") {
			t.Errorf("--table %s:\n%s", form, text)
		}
	}
}
