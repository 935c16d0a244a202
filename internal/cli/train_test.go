package cli_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestCurveOpenings checks that the learning curve's openings affect its games but not the learned
// weights.
func TestCurveOpenings(t *testing.T) {
	t.Chdir(t.TempDir())
	var strengths, weights []string
	for _, openings := range []string{"0", "6"} {
		must(t, strings.Fields("train othello -o model"+openings+".json --features othello/2-tuples --games 60 --curve-every 30 --curve-pairs 20 --quiet --curve-openings "+openings)...)
		m := vectors.Must(models.Load("model" + openings + ".json"))
		weights = append(weights, fmt.Sprint(m.Bias, m.Terms))
		log := vectors.Must(os.ReadFile("model" + openings + ".train/log.jsonl"))
		strengths = append(strengths, strings.Join(regexp.MustCompile(`"strength":\{[^}]*\}`).FindAllString(string(log), -1), "\n"))
	}
	if strengths[0] == strengths[1] || strings.Count(strengths[0], "strength") != 3 {
		t.Errorf("the curve from the game's own beginning\n%s\nand from random openings\n%s", strengths[0], strengths[1])
	}
	if weights[0] != weights[1] {
		t.Error("the curve's openings changed the weights")
	}
}

// TestDivergence checks that divergent learning is reported as a failure of the run, not as bad
// input.
func TestDivergence(t *testing.T) {
	t.Chdir(t.TempDir())
	code, stdout, stderr := run("", "train", "pig:target=20", "-o", "m.json", "--alpha", "1e200", "--games", "200", "--curve-pairs", "0", "--quiet")
	if code != 1 || stdout != "" || !strings.HasPrefix(stderr, "plyfit: learning diverges with alpha=1e+200: ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout, stderr)
	}
}
