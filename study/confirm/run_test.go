package confirm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/study"
)

// small is a protocol of a few seconds: a solved board, games and regret, one of them
// held out.
const small = `{"format": "plyfit-protocol/2", "name": "small", "title": "t", "written": "2026-11-24", "analysis": 1, "alpha": 0.05, "seed": 77, "reasons": ["a test"],
 "exclusions": {"units": 2, "loss": 0.001}, "law": {"positions": 20, "depth": 2, "predictor": "slope"},
 "sources": [{"id": "few", "games": 10}, {"id": "td", "method": "td", "games": 30}, {"id": "blind", "games": 20, "out": "tactics"}, {"id": "hand", "evaluation": "handwritten"}, {"id": "base", "games": 60, "base": true}],
 "worlds": [
  {"id": "board", "game": "tictactoe", "slip": 0.3, "measure": "exact", "sources": ["few", "td", "blind", "hand", "base"], "seeds": [501, 502], "depths": [1, 2, 3], "tested": [2, 3], "plies": 2, "calibrate": 40, "groups": {"tactics": ["win-now"]}},
  {"id": "games", "game": "connect4:columns=4,rows=4", "slip": 0.2, "measure": "games", "law": "fits", "sources": ["few", "base"], "seeds": [503, 504], "depths": [2], "tested": [2], "plies": 4, "pairs": 4, "reference": 60, "calibrate": 40},
  {"id": "dice", "game": "connect4:columns=4,rows=4,dice=on", "measure": "regret", "law": "held out", "no_ratio": true, "sources": ["few", "base"], "seeds": [505, 506], "depths": [2], "tested": [2], "plies": 4, "positions": 10, "reference": 60, "calibrate": 40}],
 "hypotheses": [{"id": "P1", "claim": "it is", "margins": [1.25]}, {"id": "P4", "claim": "it is", "margins": [0.6, 0.5, 2]}, {"id": "P7", "claim": "it is", "margins": [2]}]}
`

func runIn(t *testing.T, ctx context.Context, text, dir string, workers int) (*Result, error) {
	t.Helper()
	p, err := readText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	s := &study.Session{Catalog: catalog.All(), Dir: dir, Workers: workers, Log: io.Discard, Quiet: true}
	return Run(ctx, s, p, "a test", 0, "none")
}

// runs is a whole run, after which one that is stopped again and again has ended with the
// same bytes, with another number of workers.
func runs(t *testing.T, text string) *Result {
	t.Helper()
	whole, pieces := t.TempDir(), t.TempDir()
	r, err := runIn(t, t.Context(), text, whole, 1)
	if err != nil {
		t.Fatal(err)
	}
	wait := 20 * time.Millisecond
	for {
		ctx, stop := context.WithTimeout(t.Context(), wait)
		_, err := runIn(t, ctx, text, pieces, 3)
		stop()
		if err == nil {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		wait += wait / 2
	}
	for _, pattern := range []string{"data/*.csv", "report.md", "cells/*/*.jsonl"} {
		list, err := filepath.Glob(filepath.Join(whole, pattern))
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v %v", pattern, list, err)
		}
		for _, path := range list {
			rel, _ := filepath.Rel(whole, path)
			a, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join(pieces, rel))
			if err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s differs: %v", rel, err)
			}
		}
	}
	return r
}

// TestRun: predictions stood before; every check passes; and every unit of every world is
// there.
func TestRun(t *testing.T) {
	r := runs(t, small)
	for _, c := range append(r.Checks, r.Controls...) {
		if !c.Passed {
			t.Errorf("%s: %s", c.Name, c.Figure)
		}
	}
	if want := 3*9 + 4 + 4; len(r.table.Rows) != want {
		t.Errorf("%d rows, want %d", len(r.table.Rows), want)
	}
	if len(r.Predictions) != 2+2 {
		t.Errorf("%d predictions", len(r.Predictions))
	}
}

// TestProtocols: the files that are shipped can be read, and each fault is told with its
// key.
func TestProtocols(t *testing.T) {
	list, err := filepath.Glob("../protocols/2026-12*.json")
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, path := range list {
		if _, err := Read(path, catalog.All()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Read("../protocols/2026-11.json", catalog.All()); err == nil || !strings.Contains(err.Error(), "by the program of commit b57a2cf") || strings.Contains(err.Error(), "\n") {
		t.Errorf("2026-11: %v", err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"slip": 0.3, `, ``, "worlds[0].slip"},
		{`"game": "tictactoe"`, `"game": "2048"`, "worlds[0]"},
		{`"seeds": [501, 502]`, `"seeds": [502, 501]`, "worlds[0].seeds"},
		{`"measure": "exact"`, `"measure": "guess"`, "worlds[0].measure"},
		{`"sources": ["few", "td"`, `"sources": ["nobody", "td"`, "worlds[0].sources"},
		{`["win-now"]`, `["no such"]`, "worlds[0].groups"},
		{`"method": "td"`, `"method": "luck"`, "sources[1].method"},
		{`"margins": [2]`, `"margins": [2, 3]`, "hypotheses[2]"},
		{`{"id": "few", "games": 10}`, `{"id": "few", "games": 10, "label": "points"}`, "worlds[0].sources: few: game tictactoe"},
		{`"predictor": "slope"`, `"predictor": "wish"`, "law.predictor"},
		{`"reasons"`, `"season"`, "season"},
		{`"format": "plyfit-protocol/2"`, `"format": "x"`, "key format: want plyfit-protocol/2"},
		{`"name": "small"`, `"name": "../small"`, "key name: want small letters"},
		{`"analysis": 1`, `"analysis": 2`, "key analysis: want 1,"},
		{`"alpha": 0.05`, `"alpha": "5%"`, "key alpha: want a value of type float64"},
		{`"alpha": 0.05,`, `"alpha": 0.05, "Alpha": 0.2,`, `key "Alpha": want each key once`},
		{`"seed": 77`, `"seed": -1`, "key seed: want a value of type uint64"},
		{`"seed": 77,`, `"seed": 77, "matches": [{}],`, "key matches: want no sources"},
	} {
		refusedText(t, small, c.old, c.new, c.want)
	}
}

// refusedText checks that a protocol with a fault planted is refused in one line.
func refusedText(t *testing.T, text, old, new, want string) {
	t.Helper()
	planted := strings.Replace(text, old, new, 1)
	if planted == text {
		t.Fatalf("%s is not there", old)
	}
	if _, err := readText(t, planted); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v, want %s", new, err, want)
	}
}
