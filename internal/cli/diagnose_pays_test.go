package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/internal/cli"
	"plyfit/internal/vectors"
	"plyfit/study/diagnose"
)

// advised describes a flawed evaluation or planner in a world where the flaw costs points. The flaw
// is either wrongly scaled log odds or too small a search depth.
type advised struct {
	world string
	steep float64 // factor of the log odds; 0 leaves them unchanged
	depth int
	want  string // start of the advice to follow
}

// TestAdvicePays diagnoses nine flawed evaluations and planners and follows the advice, running the
// printed commands if there are any. It then plays new pairs between the improved and the original
// agent. In all but two cases, the gain must agree with the predicted gain, allowing for both
// intervals, and the predicted gain must be significant. The test runs only if PLYFIT_LONG is set.
// PLYFIT_WORLDS selects some of the worlds.
func TestAdvicePays(t *testing.T) {
	if os.Getenv("PLYFIT_LONG") == "" {
		t.Skip("plays for minutes")
	}
	const deeper = "search one decision deeper"
	cases := []advised{
		{"tictactoe+slip=0.3", 6, 2, "calibrate"},
		{"connect4+slip=0.2", 8, 2, "calibrate"},
		{"connect4:columns=5,rows=4,dice=on", 8, 2, "calibrate"},
		{"pig:target=40", 6, 2, "calibrate"},
		{"checkers+slip=0.2", 0, 1, deeper},
		{"othello:score=win+slip=0.1", 0, 1, deeper},
		{"connect4:columns=5,rows=4+slip=0.1", 0, 1, deeper},
		{"2048:size=3", 0, 1, deeper},
		{"pacman", 0, 1, deeper},
	}
	some := strings.Fields(os.Getenv("PLYFIT_WORLDS"))
	kept, found, followed := 0, 0, 0
	for i, c := range cases {
		if len(some) > 0 && !strings.Contains(" "+strings.Join(some, " ")+" ", " "+c.world+" ") {
			continue
		}
		t.Chdir(t.TempDir())
		seed := fmt.Sprint(9101 + i)
		eval := "handwritten"
		diagnosis := []string{"diagnose", "--game", c.world, "--seed", seed, "--budget", "15", "--depth", fmt.Sprint(c.depth), "--quiet", "--json"}
		if c.steep > 0 {
			steep(t, c.world, c.steep, "bad.json")
			eval = "bad.json"
		}
		var r diagnose.Report
		vectors.Check(json.Unmarshal([]byte(must(t, append(diagnosis, eval)...)), &r))
		followed++
		var a *diagnose.Advice
		for k := range r.Advice {
			if strings.HasPrefix(r.Advice[k].Do, c.want) {
				a = &r.Advice[k]
			}
		}
		if a == nil {
			t.Logf("| %s | no advice to %s: %v, slope %v, %v |", c.world, c.want, r.Advice, r.Slope.Estimate, r.Notes)
			continue
		}
		var better string
		switch c.want {
		case deeper:
			better = fmt.Sprintf("expectimax:depth=%d,eval=%s", r.Depth+1, eval)
		case "calibrate":
			for _, line := range a.Commands {
				must(t, append(cli.Words(line)[1:], "--seed", seed+"1")...)
			}
			better = fmt.Sprintf("expectimax:depth=%d,eval=calibrated.json", r.Depth)
		}
		gained := gain(t, &r, better, fmt.Sprintf("expectimax:depth=%d,eval=%s", r.Depth, eval), seed)
		within := math.Abs(gained.Value-a.Gain.Value) <= math.Hypot(gained.Error(), a.Gain.Error())
		if within {
			kept++
		}
		if a.Gain.Low > 0 {
			found++
		}
		t.Logf("| %s | %.40s | promised %v | gained %v | %v |", c.world, a.Do, a.Gain, gained, within)
	}
	t.Logf("followed in %d worlds: kept in %d, significant promises %d", followed, kept, found)
	if kept < followed-2 || found < followed-2 {
		t.Errorf("in %d of %d worlds the advice gains what it promised, and %d promises are significant", kept, followed, found)
	}
}

// steep writes a copy of the world's hand-written model, with its log odds multiplied by factor.
func steep(t *testing.T, world string, factor float64, path string) {
	t.Helper()
	w := vectors.Must(catalog.All().World(world))
	_, m, err := w.Model("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	m.Link.Scale *= factor
	vectors.Check(m.File().Save(path))
}

// gain plays new pairs and returns one agent's gain over another, in the unit of the report.
func gain(t *testing.T, r *diagnose.Report, better, than, seed string) stats.Estimate {
	t.Helper()
	args := []string{"match", r.Game, better, than, "--seed", seed + "2", "--quiet", "--json"}
	pairs := "300"
	w := vectors.Must(catalog.All().World(r.Game))
	if w.Players == 2 {
		args = append(args, "--openings", "4")
	} else {
		pairs = "100"
	}
	var m arena.Result
	vectors.Check(json.Unmarshal([]byte(must(t, append(args, "--pairs", pairs)...)), &m))
	e := m.Difference
	scale := 1.0
	if r.Unit == "of the points" {
		e, scale = m.Points, 1
		e.Value, e.Low, e.High = e.Value-0.5, e.Low-0.5, e.High-0.5
	} else if w.Players == 2 {
		scale = 0.5
	}
	e.Value, e.Low, e.High = scale*e.Value, scale*e.Low, scale*e.High
	return e
}
