package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// tinyProtocol is a protocol with one match on a small board.
const tinyProtocol = `{"format": "plyfit-protocol/2", "name": "tiny", "title": "Does looking farther ahead win?", "written": "2026-11-24",
 "analysis": 1, "alpha": 0.05, "seed": 5,
 "matches": [{"id": "H1", "claim": "it does", "game": "connect4:columns=5,rows=4", "a": "alphabeta:depth=4", "b": "alphabeta:depth=1", "pairs": 100, "plies": 4}]}
`

// TestStudyConfirm runs a protocol as a user does. Without evidence of when the protocol was
// written, the command must fail. With the registered digest, it must run and obtain the same
// result from the saved run and from the table alone.
func TestStudyConfirm(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tiny.json")
	vectors.Check(os.WriteFile(path, []byte(tinyProtocol), 0o666))
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(tinyProtocol)))
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		code, out, said := Try("", append([]string{"study", "confirm", path}, args...)...)
		if code != want {
			t.Fatalf("%v: exit %d, want %d: %s", args, code, want, said)
		}
		return out, said
	}
	if _, said := run(exitBadInput, "-o", filepath.Join(dir, "runs", "one")); !strings.Contains(said, "--registered") || strings.Count(said, "\n") != 1 {
		t.Errorf("without a repository: %q", said)
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); !os.IsNotExist(err) {
		t.Errorf("a refusal left a folder behind (%v)", err)
	}
	args := []string{"-o", filepath.Join(dir, "runs", "one"), "--registered", digest, "--quiet", "--json"}
	first, _ := run(0, args...)
	var r struct {
		Protocol string
		Checks   []struct{ Passed bool }
		Findings []struct {
			ID      string
			Support string `json:"verdict"`
		} `json:"verdicts"`
	}
	if err := json.Unmarshal([]byte(first), &r); err != nil || r.Protocol != digest || len(r.Findings) != 1 || r.Findings[0].Support != "supported" {
		t.Errorf("%v: %s", err, first)
	}
	if again, _ := run(0, args...); again != first {
		t.Errorf("another answer the second time:\n%s\n%s", first, again)
	}
	text, _ := run(0, args[:4:4]...)
	for _, want := range []string{"H1", "Deviations from the protocol: none.", "exploratory", digest} {
		if !strings.Contains(text, want) {
			t.Errorf("the answer lacks %q:\n%s", want, text)
		}
	}
	rows := filepath.Join(dir, "runs", "one", "data", "tiny-rows.csv")
	decided, _, _ := strings.Cut(text, "\n\n")
	if out, _ := run(0, "--rows", rows); out != decided+"\n" {
		t.Errorf("from the table: %q, want %q", out, decided)
	}
	for form, want := range map[string]string{"csv": ",claim,verdict,", "markdown": "| H1 | it does | supported |", "latex": `\toprule`} {
		if out, _ := run(0, "--rows", rows, "--table", form); !strings.Contains(out, want) {
			t.Errorf("as %s: %s", form, out)
		}
	}
}
