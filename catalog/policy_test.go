package catalog

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestGhosts checks that the ghosts of pacman follow the agent in the spec.
func TestGhosts(t *testing.T) {
	// Pacman is two steps west of the ghost, which cannot reverse its direction.
	const position = "P 4,4 G 6,4 South 0 food 8 capsules - score -3 turn ghost1"
	for _, c := range []struct {
		ghost            string
		west, east, away float64
	}{
		{"(alphabeta:depth=2)", 1, 0, 0},
		{"alphabeta", 1, 0, 0},
		{"(mix(0.8*minimax:depth=2,0.2*random))", 0.8 + 0.2/3, 0.2 / 3, 0.2 / 3},
		{"(mix(0.5*(mix(0.5*greedy,0.5*random)),0.5*random))", 0.25 + 0.75/3, 0.25, 0.25},
		{"(greedy:eval=zero,ties=random)", 1. / 3, 1. / 3, 1. / 3},
		{"(greedy:eval=zero,ties=first)", 1, 0, 0},
		{"random", 1. / 3, 1. / 3, 1. / 3},
	} {
		w, err := All().World("pacman:layout=lecture,stop=off,ghost=" + c.ghost)
		if err != nil {
			t.Errorf("%s: %v", c.ghost, err)
			continue
		}
		if again, err := All().World(w.Spec); err != nil || again.Spec != w.Spec {
			t.Errorf("%s: calls itself %s: %v", c.ghost, w.Spec, err)
		}
		s := vectors.Must(w.Parse(position))
		for _, m := range s.Moves(nil) {
			want := map[string]float64{"West": c.west, "East": c.east, "South": c.away}[s.MoveString(m)]
			if p := s.(game.Chancer).Prob(m); math.Abs(p-want) > 1e-12 {
				t.Errorf("%s: %s has %v, want %v", c.ghost, s.MoveString(m), p, want)
			}
		}
	}
	for ghost, complaint := range map[string]string{
		"foo":                        "ghost=foo: want random, directional, or an agent: foo: unknown kind",
		"(alphabeta:depht=2)":        `unknown key "depht"`,
		"(alphabeta:eval=none.json)": "none.json: no such file",
		"(alphabeta:time=1s)":        "unrepeatable",
		"(mix(0.5*(expectimax:depth=1,assume=(alphabeta:time=1s)),0.5*random))": "unrepeatable",
		"(mix(0.8*minimax,0.3*random))":                                         "sum to 1.1",
		"(pacman+slip=0.1)":                                                     "an agent cannot have the wrapper +slip",
	} {
		if w, err := All().World("pacman:ghost=" + ghost); err == nil || !strings.Contains(err.Error(), complaint) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s makes %v, error %v; want one with %q", ghost, w, err, complaint)
		}
	}
}

// TestNature checks that nature can also follow agents in games added by users.
func TestNature(t *testing.T) {
	var named string
	var policy game.Policy
	e := vectors.Must(All().Entry("2048"))
	mine := *e
	mine.New = func(o *game.Options) (*game.Game, error) {
		o.String("tiles", "chance", "chance")
		return g2048.New(o)
	}
	mine.Nature = &features.Nature{Key: "tiles", Own: []string{"chance"}, Follow: func(g *game.Game, text string, make func() game.Policy) (*game.Game, error) {
		named, policy = text, make()
		return g, nil
	}}
	w, err := Catalog{mine}.World("2048:size=2,tiles=(alphabeta:depth=1,eval=zero)+slip=0.1")
	if err != nil || named != "alphabeta:depth=1,eval=zero" {
		t.Fatalf("%q: %v", named, err)
	}
	s := vectors.Must(w.Base().Parse("11/10 chance 0"))
	moves := s.Moves(nil)
	got := policy.Probs(s, moves, nil)
	// A 4 in the corner allows the player to merge one row. A 2 allows both rows to be merged.
	if len(moves) != 2 || s.MoveString(moves[1]) != "22=2" || !slices.Equal(got, []float64{0, 1}) {
		t.Errorf("%v for %d moves, want all on a 4", got, len(moves))
	}
	if _, err := (Catalog{mine}).World("2048:tiles=chance"); err != nil {
		t.Error(err)
	}
	if _, err := (Catalog{mine}).World("2048:tiles=none"); err == nil || !strings.Contains(err.Error(), "want chance, or an agent") {
		t.Error(err)
	}
}

// TestIdentity checks that an agent's identity contains the digests of its models instead of their
// paths, including those in nested specs.
func TestIdentity(t *testing.T) {
	w := vectors.Must(All().World("connect4"))
	data := vectors.Must(fs.ReadFile(models.ShippedFiles(), "handwritten/connect4.json"))
	digest := func(name string) string {
		j := vectors.Must(w.Evaluation(name))
		return j.Digest[:12]
	}
	path := filepath.Join(t.TempDir(), "m.json")
	for _, bias := range []string{"0.25", "0.5"} {
		vectors.Check(os.WriteFile(path, regexp.MustCompile(`"bias": [^,]*,`).ReplaceAll(data, []byte(`"bias": `+bias+`,`)), 0o644))
		own, learned, hand := digest(path), digest("learned"), digest("handwritten")
		for spec, want := range map[string]string{
			"random":                  "random",
			"alphabeta:eval=zero":     "alphabeta:eval=zero",
			"alphabeta:depth=2":       "alphabeta:depth=2,eval=" + hand,
			"alphabeta:eval=PATH":     "alphabeta:eval=" + own,
			"alphabeta:eval=(PATH)":   "alphabeta:eval=" + own,
			"expectimax:assume=world": "expectimax:assume=world,eval=" + hand,
			"expectimax:assume=(alphabeta:depth=1,eval=PATH),eval=PATH,depth=2":          "expectimax:assume=(alphabeta:depth=1,eval=" + own + "),eval=" + own + ",depth=2",
			"expectimax:assume=(alphabeta:eval=learned),eval=PATH":                       "expectimax:assume=(alphabeta:eval=" + learned + "),eval=" + own,
			"expectimax:assume=(mix(0.5*(alphabeta:eval=PATH),0.5*random)),eval=learned": "expectimax:assume=(mix(0.5*(alphabeta:eval=" + own + "),0.5*(random))),eval=" + learned,
			"mix(0.5*(alphabeta:eval=PATH),0.5*random)":                                  "mix(0.5*(alphabeta:eval=" + own + "),0.5*(random))",
		} {
			p, err := w.Agent(strings.ReplaceAll(spec, "PATH", path), AgentOptions{})
			if err != nil {
				t.Errorf("%s: %v", spec, err)
			} else if p.Identity != want {
				t.Errorf("%s: identity %s, want %s", spec, p.Identity, want)
			}
		}
	}
}

// TestIdleInTree checks that assumptions about chance are rejected in explicit trees without chance
// nodes.
func TestIdleInTree(t *testing.T) {
	w := vectors.Must(All().World("tree"))
	for _, c := range []struct {
		agent, tree string
		fine        bool
	}{
		{"expectimax:assume=uniform", "(max (min 10 10) (min 9 100))", false}, {"minimax:assume=chance", "(max 1 2)", false}, {"maxn:assume=adversary", "(p0 <1,2,3> <3,2,1>)", false},
		{"expectimax:assume=uniform", "(max (min 1 (chance 1/2 3 1/2 4)) 2)", true}, {"expectimax:assume=random", "(max 1 2)", true}, {"expectimax", "(max 1 2)", true}, {"expectimax:assume=world", "(max 1 2)", true},
	} {
		if err := w.CheckAssume(c.agent, vectors.Must(w.Parse(c.tree))); (err == nil) != c.fine {
			t.Errorf("%s in %s: %v", c.agent, c.tree, err)
		}
	}
}

// TestIdleAssumptions checks that an assumption without effect is rejected with a suggestion, and
// that all other assumptions are accepted.
func TestIdleAssumptions(t *testing.T) {
	const opponent, luck = "use an agent that plays for the opponent", "use an agent that plays for chance"
	for _, c := range []struct {
		spec    string
		refused map[string]string
	}{
		{"connect4", map[string]string{"chance": opponent, "adversary": opponent, "uniform": opponent, "base": opponent}},
		{"connect4+slip=0.2", nil},
		{"connect4:dice=on", map[string]string{"base": opponent}},
		{"pig", map[string]string{"base": opponent}},
		{"pig+adversary", map[string]string{"base": opponent}},
		{"2048", map[string]string{"base": luck}},
		{"2048+adversary", map[string]string{"base": luck}},
		{"2048+slip=0.2", nil},
	} {
		w := vectors.Must(All().World(c.spec))
		for _, word := range []string{"world", "chance", "adversary", "uniform", "base", "random", "(mix(0.8*minimax:depth=2,0.2*random))"} {
			for _, kind := range []string{"greedy", "minimax", "alphabeta", "expectimax", "maxn", "mcts"} {
				agent := kind + ":assume=" + word
				_, err := w.Agent(agent, AgentOptions{})
				if want := c.refused[word]; want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("%s %s: %v, want %q", c.spec, agent, err, want)
				}
			}
		}
	}
}
