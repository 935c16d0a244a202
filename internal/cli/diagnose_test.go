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

// TestDiagnoseTerms checks that the command prints the same report if it is run again, and that
// flags of the other kind of diagnosis are refused.
func TestDiagnoseTerms(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("diagnose handwritten --game tictactoe --terms --nodes 20 --games 60 --pairs 8 --quiet")
	text := must(t, args...)
	if again := must(t, args...); again != text || !strings.Contains(text, "an evaluation takes") {
		t.Errorf("%s\nand then\n%s", text, again)
	}
	var r diagnose.TermsReport
	vectors.Check(json.Unmarshal([]byte(must(t, append(args, "--json")...)), &r))
	if len(r.Terms) < 3 || r.Unit != "Elo" || r.Evaluation <= 0 || r.Node <= r.Evaluation/10 {
		t.Errorf("%+v", r)
	}
	for _, wrong := range []string{"--terms --depth 2", "--terms --budget 9", "--nodes 20", "--out x"} {
		if code, _, said := run("", strings.Fields("diagnose handwritten --game tictactoe "+wrong)...); code != 2 || !strings.Contains(said, "--terms") {
			t.Errorf("%s: exit code %d, %q", wrong, code, said)
		}
	}
}
