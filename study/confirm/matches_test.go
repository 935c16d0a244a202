package confirm

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// versus is a protocol of three matches: one that is won clearly, one between planners that
// play almost alike, and one in a game of one player, which is lost.
const versus = `{"format": "plyfit-protocol/2", "name": "versus", "title": "t", "written": "2026-11-24", "analysis": 1, "alpha": 0.05, "seed": 4242, "reasons": ["a test"],
 "matches": [
  {"id": "deep", "claim": "looking ahead pays", "game": "connect4:columns=5,rows=4", "a": "handwritten", "b": "alphabeta:depth=1,eval=zero", "planner": "alphabeta:depth=4", "pairs": 100, "plies": 4},
  {"id": "same", "claim": "it does not matter", "game": "connect4:columns=5,rows=4", "a": "alphabeta:depth=2", "b": "minimax:depth=2", "pairs": 100, "plies": 4},
  {"id": "solo", "claim": "chance is better", "game": "2048:size=2", "a": "random", "b": "expectimax:depth=2", "pairs": 100, "plies": 0}]}
`

// TestMatches: what is so is supported, what is not is not; verdicts follow from the table
// that the run writes.
func TestMatches(t *testing.T) {
	r := runs(t, versus)
	for i, want := range []study.Support{study.Supported, study.NotDecided, study.Contradicted} {
		if v := r.Decisions[i]; v.Support != want || v.Batches != 5 {
			t.Errorf("%s: %v (%v), want %v", v.ID, v.Support, v, want)
		}
	}
	if v := r.Decisions[1]; v.Estimate.Value != 0.5 {
		t.Errorf("planners that choose alike score %v", v.Estimate.Value)
	}
	p, err := readText(t, versus)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	d := batchData(r.batches)
	if err := d.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := p.ReadTable(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range p.Again(again).Decisions {
		if v != r.Decisions[i] {
			t.Errorf("read back: %+v, want %+v", v, r.Decisions[i])
		}
	}
	c, err := Cost(t.Context(), p)
	if err != nil || len(c.Parts) != 3 || c.Parts[0].Pairs != 100 || !(c.Hours > 0) || c.Hours > 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

// The margin moves the level: a match that is even shows that A is not worse by it.
func TestMargin(t *testing.T) {
	p, err := readText(t, strings.Replace(versus, `"b": "minimax:depth=2",`, `"b": "minimax:depth=2", "margin": -0.05,`, 1))
	if err != nil {
		t.Fatal(err)
	}
	var all []Batch
	for i := range 20 {
		all = append(all, Batch{Match: "same", Number: i, Pairs: 20, Score: 0.5 + 0.02*math.Sin(float64(i)), Even: 0.5})
	}
	if v := p.Decide(all)[1]; v.Support != study.Supported {
		t.Errorf("%v, p %v", v.Support, v.P)
	}
	p.Matches[1].Margin = 0.05
	if v := p.Decide(all)[1]; v.Support != study.Contradicted {
		t.Errorf("%v, p %v", v.Support, v.P)
	}
}

func TestBadMatches(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"id": "same"`, `"id": "deep"`, "matches[1].id"},
		{`"game": "2048:size=2"`, `"game": "ludo"`, "matches[2].game"},
		{`"game": "2048:size=2"`, `"game": "2048:size=2+adversary"`, "matches[2]"},
		{`"a": "handwritten"`, `"a": "nobody.json"`, "matches[0].a"},
		{`"b": "minimax:depth=2"`, `"b": "alphabeta:depth=2"`, "matches[1].b: want another agent"},
		{`"pairs": 100`, `"pairs": 110`, "matches[0].pairs: want a multiple of 20"},
		{`"claim": "it does not matter"`, `"claim": ""`, "matches[1].claim"},
		{`"plies": 0`, `"plies": -1`, "matches[2].plies"},
		{`"seed": 4242,`, `"seed": 4242, "worlds": [],`, "key worlds: protocols of worlds and sources are decided by the program of commit"},
		{`"reasons"`, `"season"`, "season"},
		{`"format": "plyfit-protocol/2"`, `"format": "x"`, "key format: want plyfit-protocol/2"},
		{`"name": "versus"`, `"name": "../small"`, "key name: want small letters"},
		{`"analysis": 1`, `"analysis": 2`, "key analysis: want 1,"},
		{`"alpha": 0.05`, `"alpha": "5%"`, "key alpha: want a value of type float64"},
		{`"alpha": 0.05,`, `"alpha": 0.05, "Alpha": 0.2,`, `key "Alpha": want each key once`},
		{`"seed": 4242`, `"seed": -1`, "key seed: want a value of type uint64"},
	} {
		refusedText(t, versus, c.old, c.new, c.want)
	}
}

// A model that is another than in the run's first cell is refused, and one that is not
// committed before there is any.
func TestModelsAreFrozen(t *testing.T) {
	dir, _, commit := repository(t)
	commit()
	outside := filepath.Join(t.TempDir(), "mine.json")
	model := func(from string) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join("../../models/learned", from))
		if err == nil {
			err = os.WriteFile(outside, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	model("connect4.json")
	text := `{"format": "plyfit-protocol/2", "name": "mine", "title": "t", "written": "2026-11-24", "analysis": 1, "alpha": 0.05, "seed": 4243,
 "matches": [{"id": "mine", "claim": "it is better", "game": "connect4", "a": "` + filepath.ToSlash(outside) + `", "b": "handwritten", "planner": "alphabeta:depth=1", "pairs": 100, "plies": 6}]}`
	path := filepath.Join(dir, "mine.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	commit()
	p, err := Read(path, catalog.All())
	if err != nil {
		t.Fatal(err)
	}
	refused(t, p, filepath.Join(dir, "run"), "", "its model "+filepath.ToSlash(outside)+" is not committed")
	run := t.TempDir()
	if _, err := runIn(t, t.Context(), text, run, 2); err != nil {
		t.Fatal(err)
	}
	model("connect4-slip.json")
	if _, err := runIn(t, t.Context(), text, run, 2); err == nil || !strings.Contains(err.Error(), "want the same agents to the end") {
		t.Errorf("with another model: %v", err)
	}
}
