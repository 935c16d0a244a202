package serve

import (
	"net/url"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// TestJitter checks the step with the dots. If Pacman considers only the score, he does not finish
// at depths below six, and at three to five rounds he eats no dot. At greater depths, or with the
// distance to the nearest dot, the game is over after six rounds, and he never turns back.
func TestJitter(t *testing.T) {
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	for depth := 1; depth <= farthest; depth++ {
		for _, eval := range []string{byScore, byDistance} {
			v := vectors.Must(s.jittered(t.Context(), depth, eval, jitterEnds))
			mended := eval == byDistance || depth >= 6
			if v.Over != mended || mended && (v.Round != 6 || v.Back != 0) {
				t.Errorf("%s, %d rounds ahead: over %v after %d, turned back %d times", eval, depth, v.Over, v.Round, v.Back)
			}
			if jitters := eval == byScore && depth >= 3 && depth <= 5; (v.Dots == "0") != jitters {
				t.Errorf("%s, %d rounds ahead: %s dots eaten", eval, depth, v.Dots)
			}
		}
	}
	v, err := s.jittered(t.Context(), usualDepth, byScore, 8)
	if err != nil || v.Round != 8 || v.Back != 7 || !v.Tie {
		t.Errorf("after 8 rounds: %+v, %v", v, err)
	}
}

// TestChase checks that a game from a cell continues at the requested round, ends, and is the same
// every time. Expectimax must be caught by the hostile ghost in at least half of the games, but not
// in all.
func TestChase(t *testing.T) {
	v := visit(t, Config{})
	caught := 0
	for luck := range 12 {
		body := v.want("/lesson/chase?planner=expectimax&ghost=hostile&round=200&luck="+number(float64(luck+1)), nil)
		if !strings.Contains(body, "Another game") {
			t.Errorf("game %d: not over: %s", luck+1, body)
		}
		if strings.Contains(body, "Pacman is caught") {
			caught++
		}
	}
	if caught < 6 || caught == 12 {
		t.Errorf("caught %d times of 12", caught)
	}
	for _, planner := range []string{"minimax", "expectimax"} {
		const path = "/lesson/chase?ghost=random&round=3&planner="
		if a, b := v.want(path+planner, nil), v.want(path+planner, nil); a != b || !strings.Contains(a, "Round 3") {
			t.Errorf("%s: not the same game twice", planner)
		}
	}
	for _, bad := range []string{"planner=maxn&ghost=random", "planner=minimax&ghost=kind", "planner=minimax&ghost=random&round=-1", "planner=minimax&ghost=random&luck=0"} {
		if code, body, _ := v.ask("/lesson/chase?"+bad, nil); code != 400 || !strings.Contains(body, "want ") {
			t.Errorf("%s: %d %s", bad, code, body)
		}
	}
	for _, bad := range []url.Values{{"eval": {"none"}}, {"eval": {"score"}, "depth": {"9"}}, {"eval": {"score"}, "round": {"41"}}} {
		if code, body, _ := v.ask("/lesson/jitter?"+bad.Encode(), nil); code != 400 || !strings.Contains(body, "want ") {
			t.Errorf("%v: %d %s", bad, code, body)
		}
	}
}
