package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/cli"
	"plyfit/diagnose"
	"plyfit/stats"
)

// TestAdvicePays follows the first advice of a diagnosis in ten worlds, by its commands as
// they are printed, and plays fresh pairs of what comes of it against what was there: in
// eight or more the gain is what was promised, within both intervals. PLYFIT_LONG runs it;
// PLYFIT_WORLDS names some of the worlds.
func TestAdvicePays(t *testing.T) {
	if os.Getenv("PLYFIT_LONG") == "" {
		t.Skip("plays for minutes")
	}
	worlds := []string{"tictactoe+slip=0.3", "pig", "connect4+slip=0.2", "connect4:dice=on", "othello:score=win+slip=0.1",
		"checkers+slip=0.2", "pacman", "backgammon", "2048:size=2", "2048"}
	if some := os.Getenv("PLYFIT_WORLDS"); some != "" {
		worlds = strings.Fields(some)
	}
	kept, followed := 0, 0
	for i, world := range worlds {
		t.Chdir(t.TempDir())
		seed := fmt.Sprint(7001 + i)
		var r diagnose.Report
		answer := must(t, "diagnose", "handwritten", "--game", world, "--seed", seed, "--budget", "20", "--quiet", "--json")
		if err := json.Unmarshal([]byte(answer), &r); err != nil {
			t.Fatal(err)
		}
		a, better := followable(&r)
		if a == nil {
			t.Logf("| %s | no advice: slope %v, %d pairs |", world, r.Slope.Estimate, r.Expectimax.Pairs)
			continue
		}
		for _, line := range a.Commands {
			must(t, append(cli.Words(line)[1:], "--seed", seed+"1")...)
		}
		gained := gain(t, &r, better, seed)
		followed++
		within := math.Abs(gained.Value-a.Gain.Value) <= math.Hypot(gained.Error(), a.Gain.Error())
		if within {
			kept++
		}
		t.Logf("| %s | %.40s | promised %v | gained %v | %v |", world, a.Do, a.Gain, gained, within)
	}
	if kept < followed-2 {
		t.Errorf("in %d of %d worlds the advice gains what it promised", kept, followed)
	}
}

// followable is the first advice that can be followed, and the agent that has done so.
func followable(r *diagnose.Report) (*diagnose.Advice, string) {
	for i, a := range r.Advice {
		switch {
		case len(a.Commands) > 0:
			return &r.Advice[i], fmt.Sprintf("expectimax:depth=%d,eval=calibrated.json", r.Depth)
		case strings.HasPrefix(a.Do, "search one decision"):
			return &r.Advice[i], fmt.Sprintf("expectimax:depth=%d,eval=handwritten", r.Depth+1)
		}
	}
	return nil, ""
}

// gain is what the agent gains in fresh pairs, in the unit of the report.
func gain(t *testing.T, r *diagnose.Report, better, seed string) stats.Estimate {
	t.Helper()
	args := []string{"match", r.Game, better, fmt.Sprintf("expectimax:depth=%d,eval=handwritten", r.Depth), "--seed", seed + "2", "--quiet", "--json"}
	pairs := "200"
	w, err := catalog.All().World(r.Game)
	if err != nil {
		t.Fatal(err)
	}
	if w.Players == 2 {
		args = append(args, "--openings", "4")
	} else {
		pairs = "100"
	}
	var m arena.Result
	if err := json.Unmarshal([]byte(must(t, append(args, "--pairs", pairs)...)), &m); err != nil {
		t.Fatal(err)
	}
	e := m.Difference
	scale := 1.0
	if r.Unit == "of the points" {
		e, scale = m.Points, 1
		e.Value, e.Low, e.High = e.Value-0.5, e.Low-0.5, e.High-0.5
	} else if w.Players == 2 {
		scale = 0.5
	}
	e.Value, e.Low, e.High = scale*e.Value, scale*e.Low, scale*e.High
	if files, _ := filepath.Glob("*.json"); len(files) == 0 && strings.Contains(better, ".json") {
		t.Fatal("the advice made no model")
	}
	return e
}
