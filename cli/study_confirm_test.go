package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
)

// tinyProtocol is one hypothesis about a small board.
const tinyProtocol = `{"format": "plyfit-protocol/1", "name": "tiny", "title": "Does a wrong scale cost expectimax more?", "written": "2026-11-22",
 "analysis": 2, "alpha": 0.05, "family": "holm", "stopping": "none", "seed": 5, "exclusions": {},
 "worlds": [{"id": "small", "game": "connect4:columns=5,rows=4", "slip": 0.2, "evaluation": "handwritten", "seeds": [21, 22, 23, 24], "pairs": 20, "plies": 4}],
 "errors": [{"id": "exp", "kind": "exp", "by": 4}],
 "hypotheses": [{"id": "H1", "claim": "it does", "estimand": "planners", "test": "greater",
  "treatment": {"world": "small", "planner": "expectimax", "error": "exp", "depth": 3},
  "control": {"world": "small", "planner": "minimax", "error": "exp", "depth": 3}}]}
`

// A protocol as its user runs it: what it will take, a refusal where nothing says
// when it was written, the run under its registered digest, the same again from
// what was kept, and a second folder refused.
func TestStudyConfirm(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tiny.json")
	if err := os.WriteFile(path, []byte(tinyProtocol), 0o666); err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(tinyProtocol)))
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, said bytes.Buffer
		if code := Run(context.Background(), catalog.All(), append([]string{"study", "confirm", path}, args...), strings.NewReader(""), &out, &said); code != want {
			t.Fatalf("%v: exit %d, want %d: %s", args, code, want, said.String())
		}
		return out.String(), said.String()
	}
	if out, _ := run(0, "--dry-run"); !strings.Contains(out, "CPU hours") || !strings.Contains(out, digest) {
		t.Errorf("the dry run says %s", out)
	}
	if _, said := run(exitBadInput, "-o", filepath.Join(dir, "runs", "one")); !strings.Contains(said, "--registered") || strings.Count(said, "\n") != 1 {
		t.Errorf("without a repository: %q", said)
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); !os.IsNotExist(err) {
		t.Errorf("a dry run or a refusal left a folder behind (%v)", err)
	}
	args := []string{"-o", filepath.Join(dir, "runs", "one"), "--registered", digest, "--quiet", "--json"}
	first, _ := run(0, args...)
	var r struct {
		Protocol string
		Checks   []struct{ Passed bool }
		Findings []struct {
			ID      string
			Support string `json:"verdict"`
		}
	}
	if err := json.Unmarshal([]byte(first), &r); err != nil || r.Protocol != digest || len(r.Findings) != 1 || r.Findings[0].Support == "refused" || len(r.Checks) < 3 {
		t.Errorf("%v: %s", err, first)
	}
	if again, _ := run(0, args...); again != first {
		t.Errorf("another answer the second time:\n%s\n%s", first, again)
	}
	text, _ := run(0, append(args[:4:4], "--permute", "50")...)
	for _, want := range []string{"H1", "Instrument checks: 4 of 4 pass.", "Deviations from the protocol: none.", "On permuted labels", "exploratory", digest} {
		if !strings.Contains(text, want) {
			t.Errorf("the answer lacks %q:\n%s", want, text)
		}
	}
	if _, said := run(exitBadInput, "-o", filepath.Join(dir, "runs", "two"), "--registered", digest); !strings.Contains(said, "seed 5 was used before") {
		t.Errorf("in a second folder: %q", said)
	}
}
