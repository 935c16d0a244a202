package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"plyfit/internal/vectors"
)

// TestOpponent checks that the intervals of a model fitted to the moves of a known mixture contain
// the true numbers, and that one and three workers fit the same model. An assumption must use the
// model's temperature and fraction of random moves unless keys override them.
func TestOpponent(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "selfplay", "connect4", "-o", "data", "--games", "150", "--agent", "softmax:temperature=0.05,random=0.2", "--quiet")
	type estimate struct{ Value, Low, High float64 }
	var found struct {
		Decisions struct {
			Seen, Taken int
			Skipped     map[string]int
		}
		Start    struct{ Temperature, Random estimate }
		Fitted   struct{ Temperature, Random estimate }
		Measures []struct {
			Name  string
			Match estimate
		}
	}
	opponent := func(out string, more ...string) string {
		return must(t, append([]string{"opponent", "connect4", "data", "-o", out, "--quiet", "--per-game", "50"}, more...)...)
	}
	vectors.Check(json.Unmarshal([]byte(opponent("model.json", "--json", "--workers", "1")), &found))
	for name, c := range map[string]struct {
		estimate
		truth float64
	}{"temperature": {found.Start.Temperature, 0.05}, "random": {found.Start.Random, 0.2}} {
		if c.truth < c.Low || c.truth > c.High || c.Low >= c.High {
			t.Errorf("%s: %+v, want %v", name, c.estimate, c.truth)
		}
	}
	skipped := 0
	for _, n := range found.Decisions.Skipped {
		skipped += n
	}
	if d := found.Decisions; d.Seen != d.Taken+skipped || d.Taken < 1000 || d.Skipped["no choice"] == 0 {
		t.Errorf("%+v", d)
	}
	if m := found.Measures; len(m) != 3 || !(m[0].Match.High < m[2].Match.Low) {
		t.Errorf("uniform play matches as much as the model: %+v", m)
	}
	opponent("again.json", "--workers", "3")
	a, b := vectors.Must(os.ReadFile("model.json")), vectors.Must(os.ReadFile("again.json"))
	if string(a) != string(b) || len(a) > 200e3 {
		t.Errorf("another model by three workers, or more than 200 kB: %d bytes", len(a))
	}
	value := func(keys string) (s struct{ Value float64 }) {
		vectors.Check(json.Unmarshal([]byte(must(t, "search", "connect4", "--position", "444", "--json", "--agent", "expectimax:depth=2,assume=(softmax:eval=model.json"+keys+")")), &s))
		return s
	}
	own, f := value(""), found.Fitted
	if same := value(fmt.Sprintf(",temperature=%v,random=%v", f.Temperature.Value, f.Random.Value)); same != own {
		t.Errorf("%v by the model's own temperature and share, %v by the same as keys", own, same)
	}
	for _, key := range []string{",temperature=10", ",random=0.9"} {
		if other := value(key); other == own {
			t.Errorf("%s changes nothing: %v", key, other)
		}
	}
}
