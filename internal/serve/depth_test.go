package serve

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// depthRival is the opponent of every evaluation, at every depth.
const depthRival = "alphabeta:depth=3,eval=handwritten"

// depthSeed and depthPairs are the settings of the matches.
const (
	depthSeed  = 20261124
	depthPairs = 500
)

// TestDepthStep checks that depthRight is the only best move. A browser test checks the moves of
// the evaluations.
func TestDepthStep(t *testing.T) {
	w := vectors.Must(catalog.All().World("connect4"))
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	state := vectors.Must(w.Parse(depthPosition))
	agent := vectors.Must(w.Agent("alphabeta:depth=42,eval=zero", catalog.AgentOptions{Complete: true}))
	r, err := s.runSearch(t.Context(), agent, state, 1)
	if err != nil || !r.Exact || len(r.Best) != 1 || state.MoveString(r.Best[0]) != depthRight {
		t.Errorf("solved: %v, %v, exact %v", r.Best, err, r.Exact)
	}
	v := visit(t, Config{})
	for _, bad := range []string{"0", "6", "x"} {
		if code, body, _ := v.ask("/lesson/depth?depth="+bad, nil); code != 400 || !strings.Contains(body, "want a whole number from 1 to 5") {
			t.Errorf("depth=%s: %d %s", bad, code, body)
		}
	}
}

// TestDepthRecords repeats matches whose results the page shows. Without PLYFIT_LONG, it repeats
// only the learned evaluation's match at depth 1.
func TestDepthRecords(t *testing.T) {
	w := vectors.Must(catalog.All().World("connect4"))
	for _, e := range depthEvaluations {
		for i, want := range e.Records {
			if !vectors.Long() && (i > 0 || e.Eval != "learned") {
				continue
			}
			cfg := arena.Config{Game: w.Game, Pairs: depthPairs, Seed: depthSeed, Openings: arena.Openings{Plies: 6}}
			for k, spec := range []string{fmt.Sprintf("alphabeta:depth=%d,eval=%s", i+1, e.Eval), depthRival} {
				agent := vectors.Must(w.Agent(spec, catalog.AgentOptions{}))
				*[]*search.Factory{&cfg.A, &cfg.B}[k] = search.Factory{Name: spec, New: agent.New}
			}
			r := vectors.Must(arena.Run(t.Context(), cfg))
			if r.Wins != want.Won || r.Draws != want.Drawn || r.Losses != want.Lost {
				t.Errorf("%s at depth %d: %d %d %d, the page says %+v", e.Eval, i+1, r.Wins, r.Draws, r.Losses, want)
			}
			if half := 50 * (r.Points.High - r.Points.Low); math.Abs(half-want.Half) > 0.006 {
				t.Errorf("%s at depth %d: ± %.3f, the page says %v", e.Eval, i+1, half, want.Half)
			}
		}
	}
}
