package catalog_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestModelsOfAnotherRange checks that a model of connect4:score=distance, in which a win is worth
// up to 18, is rejected in connect4, in which a win is worth 1, and is rescaled on request.
func TestModelsOfAnotherRange(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		vectors.Check(os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	const head = `{"format": "plyfit-model/1", "game": "connect4", "features": "connect4/lines", `
	const terms = `"bias": 0.9, "terms": [{"name": "threes", "weight": 1.8}]}`
	far := write("far.json", head+`"link": "identity", "range": [-18, 18], `+terms)
	usual := write("usual.json", head+`"link": "identity", `+terms)
	spans := write("spans.json", head+`"link": "tanh", `+terms)
	linked := write("linked.json", head+`"link": "tanh", "range": [-18, 18], `+terms)
	for _, c := range []struct {
		world, eval string
		refused     bool
		factor      float64 // factor by which the weights are multiplied
	}{
		{"connect4:score=distance", far, false, 1}, {"connect4", far, true, 0}, {"connect4+slip=.1", far, true, 0},
		{"connect4", far + ",scale=range", false, 1. / 18}, {"connect4:score=distance", far + ",scale=range", false, 1},
		{"connect4", usual, false, 1}, {"connect4:score=distance", usual, true, 0},
		{"connect4:score=distance", usual + ",scale=range", false, 18},
		{"connect4", spans, false, 1}, {"connect4:score=distance", spans, false, 1},
		{"connect4", linked, true, 0}, {"connect4", linked + ",scale=range", false, 1},
	} {
		w := vectors.Must(catalog.All().World(c.world))
		j, err := w.Evaluation(c.eval)
		if (err != nil) != c.refused {
			t.Errorf("%s, %s: %v", c.world, filepath.Base(c.eval), err)
		}
		if err != nil {
			if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, "-18 to 18") || !strings.Contains(text, "-1 to 1") || !strings.Contains(text, "scale=range") {
				t.Errorf("%s, %s: %v", c.world, filepath.Base(c.eval), err)
			}
			continue
		}
		if got := j.Model.Bias; math.Abs(got-.9*c.factor) > 1e-12 {
			t.Errorf("%s, %s: a bias of %v, want %v", c.world, filepath.Base(c.eval), got, .9*c.factor)
		}
	}
	// The model can be used in an agent's spec, and the identity contains the digest of the
	// rescaled weights.
	w := vectors.Must(catalog.All().World("connect4"))
	p := vectors.Must(w.Agent("alphabeta:depth=2,eval=("+far+",scale=range)", catalog.AgentOptions{}))
	if strings.Contains(p.Identity, "far.json") || !strings.Contains(p.Identity, p.Evaluation.Digest[:12]) {
		t.Errorf("identity %s", p.Identity)
	}
}

// TestRangesAreWritten checks that a model records its range unless it is the range with the
// default options.
func TestRangesAreWritten(t *testing.T) {
	for spec, want := range map[string]*models.Range{
		"connect4": nil, "connect4:score=distance": {Min: -18, Max: 18}, "othello": nil, "othello:score=win": {Min: -1, Max: 1},
		"2048:size=3": nil, "pacman": nil, "chess": nil, "connect4+slip=.2": nil,
	} {
		w := vectors.Must(catalog.All().World(spec))
		if got := w.Range(); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: range %v, want %v", spec, got, want)
		}
	}
}
