package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/protocol/engines"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/selfplay"
)

// everything is the catalog that [Run] uses, including the kinds of engines.
var everything = catalog.All().WithKinds(engines.Kinds()...)

// TestAgentsPage checks that docs/agents.md contains the table of kinds and keys.
func TestAgentsPage(t *testing.T) {
	page := vectors.Must(os.ReadFile("../../docs/agents.md"))
	if string(page) != agentsPage(everything.Kinds()) {
		t.Error("docs/agents.md is out of date: plyfit agents --markdown > docs/agents.md")
	}
}

// TestAgentsKeys checks that the table of keys matches the keys listed in error messages, for every
// kind of agent except those that contain other agents.
func TestAgentsKeys(t *testing.T) {
	spoken := map[string]string{"gtp": "othello", "gnubg": "backgammon"} // all other kinds play connect four
	for _, k := range everything.Kinds() {
		if strings.Contains(k.Name, "(") {
			continue
		}
		spec := k.Name + ":unknown=1"
		if slices.ContainsFunc(k.Keys, func(key catalog.Key) bool { return key.Name == "cmd" }) {
			spec += ",cmd=true"
		}
		w := vectors.Must(everything.World(cmp.Or(spoken[k.Name], "connect4")))
		_, err := w.Agent(spec, catalog.AgentOptions{})
		if err == nil {
			t.Errorf("%s takes any key", k.Name)
			continue
		}
		_, list, ok := strings.Cut(err.Error(), `unknown key "unknown": want `)
		if !ok && len(k.Keys) > 0 {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		got := strings.Split(list, ", ")
		if !ok {
			got = nil
		}
		var want []string
		for _, key := range k.Keys {
			want = append(want, key.Name)
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s takes %v, and the table says %v", k.Name, got, want)
		}
	}
}

// TestShippedModels checks that each shipped model can be loaded as GAME/NAME, and that in a game
// with shipped models, one of them is marked as the best.
func TestShippedModels(t *testing.T) {
	for _, e := range catalog.All() {
		best := 0
		for _, m := range e.Shipped() {
			if _, ok, err := e.LoadShipped(e.Name + "/" + m.Name); !ok || err != nil {
				t.Errorf("%s/%s: %v, %v", e.Name, m.Name, ok, err)
			}
			if m.Best {
				best++
			}
		}
		if len(e.Shipped()) > 0 && best != 1 {
			t.Errorf("%s has %d best models, want 1", e.Name, best)
		}
	}
	w := vectors.Must(catalog.All().World("connect4"))
	value := func(eval string) float64 {
		s := vectors.Must(w.Parse("44"))
		e := vectors.Must(w.Evaluation(eval))
		return e.New().Evaluate(s, 0)
	}
	if value("best") != value("connect4/long") || value("connect4/slip") == value("learned") {
		t.Error("best is not connect4/long, or slip is learned")
	}
	if value("handwritten,bias=0.25") == value("handwritten") {
		t.Error("a changed bias changes no value")
	}
	if _, err := w.Evaluation("handwritten,double-treat=1"); err == nil || !strings.Contains(err.Error(), "did you mean") {
		t.Errorf("a term of no such name: %v", err)
	}
}

// TestRecordsHaveValues relabels games with every kind of agent that needs no program, file or
// other agent. A record must have a value if and only if the search reports one. A kind must be
// marked as valueless if and only if it reports no values.
func TestRecordsHaveValues(t *testing.T) {
	tried := map[string]bool{}
	for _, name := range []string{"connect4", "pig:target=10", "kuhn"} {
		w := vectors.Must(everything.World(name))
		from := filepath.Join(t.TempDir(), "from")
		random := vectors.Must(w.Agent("random", catalog.AgentOptions{})).Factory
		vectors.Must(selfplay.Run(t.Context(), selfplay.Config{Game: w.Game, Agents: []search.Factory{random}, Episodes: 3, Workers: 1, Dir: from}))
		for _, k := range w.Kinds() {
			if strings.Contains(k.Name, "(") || slices.ContainsFunc(k.Keys, func(key catalog.Key) bool { return key.Name == "cmd" || key.Name == "file" }) {
				continue
			}
			spec := k.Name
			for _, key := range k.Keys {
				if limit := map[string]string{"depth": "2", "simulations": "20", "samples": "2"}[key.Name]; limit != "" {
					spec += ":" + key.Name + "=" + limit
					break
				}
			}
			a, err := w.Agent(spec, catalog.AgentOptions{})
			if tried[k.Name] = tried[k.Name] || err == nil; err != nil { // the kind does not play this game
				continue
			}
			to := filepath.Join(t.TempDir(), "to")
			m := vectors.Must(selfplay.Relabel(t.Context(), selfplay.RelabelConfig{Game: w.Game, Agent: a.Factory, From: from, To: to, Workers: 1}))
			again, valued, decisions := vectors.Must(a.New()), 0, map[uint64]uint64{}
			vectors.Check(datasets.EachRecord(filepath.Join(to, m.Shards[0].File), func(r *datasets.Record) bool {
				again.Begin(game.Seed(0, game.StreamRelabel, r.Episode, decisions[r.Episode]))
				decisions[r.Episode]++
				found := vectors.Must(again.Search(t.Context(), vectors.Must(w.Game.Parse(r.Position))))
				if has := len(found.Values) > 0; r.HasValue != has || has && r.Value != found.Value {
					t.Errorf("%s, %s: value %v (%v) at %s, want %v of %v", name, spec, r.Value, r.HasValue, r.Position, found.Value, found.Values)
				}
				if r.HasValue {
					valued++
				}
				return true
			}))
			if a.Valueless != (valued == 0) {
				t.Errorf("%s, %s: %d records have a value; valueless %v", name, spec, valued, a.Valueless)
			}
		}
	}
	for kind, played := range tried {
		if !played {
			t.Errorf("%s plays none of the games", kind)
		}
	}
}
