package confirm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
)

// smallProtocol is testdata/small.json with parts of its text replaced.
func smallProtocol(t testing.TB, oldNew ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "small.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			t.Fatalf("the protocol has no %s", oldNew[i])
		}
		text = strings.Replace(text, oldNew[i], oldNew[i+1], 1)
	}
	return text
}

func readText(t testing.TB, text string) (*Protocol, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Read(path, catalog.All())
}

// A protocol that is wrong is refused in one line, with the file, the key and what
// was expected.
func TestBadProtocols(t *testing.T) {
	const control = `"control": {"world": "small", "planner": "minimax", "error": "exp", "depth": 3}`
	for _, c := range []struct{ old, new, want string }{
		{`"format": "plyfit-protocol/1"`, `"format": "x"`, "key format: want plyfit-protocol/1"},
		{`"name": "small"`, `"name": "../small"`, "key name: want small letters"},
		{`"analysis": 2`, `"analysis": 1`, "key analysis: want 3,"},
		{`"alpha": 0.05`, `"alpha": 0`, "key alpha: want a probability"},
		{`"alpha": 0.05`, `"alpha": "5%"`, "key alpha: want a value of type float64"},
		{`"family": "holm"`, `"family": "none"`, "key family: want holm"},
		{`"stopping": "none"`, `"stopping": "when we like it"`, "key stopping: want none"},
		{`"seed": 77`, `"seed": -1`, "key seed: want a value of type uint64"},
		{`"exclusions": {}`, `"exclusions": {"reliability": [1.1, 0.9]}`, "exclusions.reliability"},
		{`"exclusions": {}`, `"exclusions": {"units": 1}`, "key exclusions.units: want two units"},
		{`"title"`, `"tittle"`, `unknown field "tittle"`},
		{`"alpha": 0.05,`, `"alpha": 0.05, "Alpha": 0.2,`, `key "Alpha": want each key once`},
		{`"slip": 0.2`, `"slip": 1.5`, "key worlds[0].slip: want a probability"},
		{`"slip": 0.2`, `"slip": 0`, "key worlds[0].slip: want a probability above 0"},
		{`"game": "connect4:columns=5,rows=4", "slip": 0.2`, `"game": "connect4:dice=on", "slip": 0.2`, "key worlds[0].slip: want 0"},
		{`connect4:columns=5,rows=4`, `2048`, "key worlds[0].evaluation: game 2048: want a game of two"},
		{`connect4:columns=5,rows=4`, `ludo`, "key worlds[0].game"},
		{`"handwritten"`, `"nobody.json"`, "key worlds[0].evaluation"},
		{`[11, 12, 13, 14, 15, 16]`, `[11]`, "key worlds[0].seeds: want two units"},
		{`[11, 12, 13, 14, 15, 16]`, `[11, 12, 11]`, "key worlds[0].seeds[2]: want a seed"},
		{`"pairs": 40`, `"pairs": 0`, "key worlds[0].pairs"},
		{`"kind": "exp"`, `"kind": "bad luck"`, "key errors[0].kind: want exp, power"},
		{`"kind": "noise", "by": 1`, `"kind": "noise"`, "key errors[1].misfit: want either misfit or by"},
		{`"kind": "exp", "by": 4`, `"kind": "exp", "by": 4, "draws": 3`, "key errors[0].draws"},
		{`"kind": "exp", "by": 4`, `"kind": "platt"`, "key errors[0].games: want how many games"},
		{`"id": "weights"`, `"id": "noise"`, "key errors[2].id: want a name that no other has"},
		{`"estimand": "fade"`, `"estimand": "hunch"`, "key hypotheses[3].estimand: want planners, any, fade"},
		{`"test": "differs"`, `"test": "significant"`, "key hypotheses[2].test: want greater"},
		{`"test": "differs"`, `"test": "differs", "margin": {"points": 0.1}`, "key hypotheses[2].margin"},
		{`"depths": [1, 2]`, `"depths": [2, 1]`, "key hypotheses[3].depths: want two depths"},
		{`"depths": [1, 2]`, `"depths": [1, 2], "treatment": {}`, "key hypotheses[3]: want world, errors"},
		{control, `"control": {"world": "other", "planner": "minimax", "error": "exp", "depth": 3}`, "key hypotheses[0].control.world: want the id of a world"},
		{control, `"control": {"world": "small", "planner": "expectimax", "error": "exp", "depth": 3}`, "another planner"},
		{control, `"control": {"world": "small", "planner": "minimax", "error": "exp", "depth": 2}`, "want one error and one depth"},
		{control, `"control": {"world": "small", "planner": "minimax", "error": "noise", "depth": 3}`, "want one error and one depth"},
		{`  ]
}`, `  ]
} {}`, "want nothing after the protocol"},
	} {
		_, err := readText(t, smallProtocol(t, c.old, c.new))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "p.json: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with the file and %q", c.new, err, c.want)
		}
	}
	if p, err := readText(t, smallProtocol(t)); err != nil || len(p.Digest) != 64 || len(p.Seeds()) != 7 {
		t.Errorf("the protocol itself: %v", err)
	}
}

// A contrast in which planner and world change together, as the study's headline
// once did, is refused, and so is one of two worlds that look alike.
func TestPlantedConfoundIsRefused(t *testing.T) {
	const control = `"control": {"world": "small", "planner": "minimax", "error": "exp", "depth": 3}`
	second := func(slip string) string {
		return `"plies": 4},
    {"id": "other", "game": "connect4:columns=5,rows=4", "slip": ` + slip + `, "evaluation": "handwritten", "seeds": [21, 22], "pairs": 40, "plies": 4}`
	}
	elsewhere := strings.Replace(control, `"small"`, `"other"`, 1)
	for slip, want := range map[string]string{"0.1": "planner and world change together", "0.2": "control.world: want the treatment's"} {
		_, err := readText(t, smallProtocol(t, `"plies": 4}`, second(slip), control, elsewhere))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hypotheses[0]") {
			t.Errorf("the control in a world with slip %s: %v, want %q", slip, err, want)
		}
	}
}

// FuzzParse: whatever a file holds, what is wrong with it is said in one line, and
// what is taken names arms that exist.
func FuzzParse(f *testing.F) {
	f.Add(smallProtocol(f))
	f.Add("{}")
	f.Add(`{"format": "plyfit-protocol/1", "worlds": [{"seeds": [1, 2]}]}`)
	f.Add(smallProtocol(f, `"alpha": 0.05`, `"alpha": 1e999`))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || err.Error() == "" {
				t.Errorf("error %q, want one line", err)
			}
			return
		}
		for _, k := range p.cellKeys() {
			if p.world(k.World) == nil || k.Error != "" && p.error(k.Error) == nil {
				t.Errorf("a cell of nothing: %+v", k)
			}
		}
	})
}

// The protocols of the repository can be run as they stand; those about sources of
// evaluations are of package sources.
func TestProtocolsOfTheRepository(t *testing.T) {
	files, err := filepath.Glob("../protocols/2026-11*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no protocols (%v)", err)
	}
	for _, f := range files {
		if _, err := Read(f, catalog.All()); err != nil {
			t.Error(err)
		}
	}
}
