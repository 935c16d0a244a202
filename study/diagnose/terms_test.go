package diagnose

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/internal/vectors"
)

// planted returns connect four with a feature set that contains open lines, a term of random bits,
// the side to move as a term that takes an additional 200 ns, and the same in proportion to the
// number of stones. It saves a model of the set to a file.
func planted(t *testing.T, path string) *catalog.World {
	t.Helper()
	entry := *vectors.Must(catalog.All().Entry("connect4"))
	sign := func(p game.Player) float64 { return float64(1 - 2*p) }
	sets := entry.Sets
	entry.Recipe.Frozen = map[string]float64{"tempo": 0} // replaced by the slow term
	entry.Sets = func(g *game.Game) []features.Set {
		lines := sets(g)[1]
		return []features.Set{features.With("connect4/planted", lines, features.Feature{Name: "random", Value: func(s game.State, p game.Player) float64 {
			return sign(p) * float64(int(game.BoardHash(s)&2)-1)
		}}, features.Feature{Name: "late", Value: func(s game.State, p game.Player) float64 {
			return sign(p) * sign(game.Player(connect4.Of(s).Plies()&1)) * float64(connect4.Of(s).Plies()) / 42
		}}, features.Feature{Name: "slow", Value: func(s game.State, p game.Player) float64 {
			for from := time.Now(); time.Since(from) < 200*time.Nanosecond; {
			}
			return sign(p) * sign(game.Player(connect4.Of(s).Plies()&1))
		}})}
	}
	w := vectors.Must(catalog.Catalog{entry}.World("connect4"))
	_, hand, err := vectors.Must(catalog.All().World("connect4")).Model("handwritten")
	vectors.Check(err)
	set := w.Entry.Sets(w.Base())[0]
	m := features.New(set, w.Game)
	m.Link = hand.Link
	known := map[string]float64{}
	for i, x := range hand.Weights {
		known[hand.Name(int32(i))] = x
	}
	for i := range m.Weights {
		m.Weights[i] = known[m.Name(int32(i))]
	}
	vectors.Check(m.File().Save(path))
	return w
}

// TestTerms checks that a term of random bits and a true term that takes too much time are both
// identified, and that cheap true terms are not. If PLYFIT_LONG is set, there are enough games to
// decide that the slow term is not worth its time. A run whose files are partly missing and a run
// with another number of workers must lead to the same report if the measured times are the same.
func TestTerms(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for seconds")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "planted.json")
	w := planted(t, path)
	o := Options{World: w, Evaluation: vectors.Must(w.Evaluation(path)), Nodes: 60, Games: 600, Pairs: 60, Seed: 2, Workers: 2, Dir: filepath.Join(dir, "run")}
	if vectors.Long() {
		o.Nodes, o.Games, o.Pairs = 250, 1500, 2000
	}
	r := vectors.Must(Terms(t.Context(), o))
	t.Log(r.Text())
	found := map[string]Term{}
	for _, term := range r.Terms {
		found[term.Name] = term
	}
	if random := found["random"]; random.LossP < 0.05 || random.Verdict != NoKnowledge && random.Verdict != Wasteful {
		t.Errorf("random bits: %+v", random)
	}
	if slow := found["slow"]; slow.LossP > 0.05 || slow.Time < 200 || slow.Nodes < o.Nodes*11/10 || vectors.Long() && slow.Verdict != TooSlow {
		t.Errorf("a slow term: %+v", slow)
	}
	if lines := found["lines"]; lines.Verdict != Worthwhile {
		t.Errorf("open lines: %+v", lines)
	}

	want := vectors.Must(json.Marshal(r))
	vectors.Check(os.Remove(filepath.Join(o.Dir, "without-random.json")))
	vectors.Check(os.Remove(filepath.Join(o.Dir, "without-slow.jsonl")))
	if again := vectors.Must(json.Marshal(vectors.Must(Terms(t.Context(), o)))); !bytes.Equal(again, want) {
		t.Errorf("resumed:\n%s\nwant\n%s", again, want)
	}
	times := vectors.Must(os.ReadFile(filepath.Join(o.Dir, "times.json")))
	o.Workers, o.Dir = 1, filepath.Join(dir, "other")
	vectors.Check(os.Mkdir(o.Dir, 0o777))
	vectors.Check(os.WriteFile(filepath.Join(o.Dir, "times.json"), times, 0o666))
	if other := vectors.Must(json.Marshal(vectors.Must(Terms(t.Context(), o)))); !bytes.Equal(other, want) {
		t.Errorf("one worker:\n%s\nwant\n%s", other, want)
	}
}

// TestVerdict checks the verdict for each result of the match.
func TestVerdict(t *testing.T) {
	for match, want := range map[arena.Conclusion][2]Verdict{
		arena.BetterA: {Worthwhile, Worthwhile}, arena.BetterB: {Wasteful, TooSlow},
		arena.Undecided: {NoKnowledge, Open}, arena.Same: {NoKnowledge, Open},
	} {
		if got := [2]Verdict{verdict(match, false), verdict(match, true)}; got != want {
			t.Errorf("%s: %q, want %q", match, got, want)
		}
	}
}
