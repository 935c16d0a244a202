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

// tinyProtocol is one match on a small board.
const tinyProtocol = `{"format": "plyfit-protocol/2", "name": "tiny", "title": "Does looking farther ahead win?", "written": "2026-11-24",
 "analysis": 1, "alpha": 0.05, "seed": 5,
 "matches": [{"id": "H1", "claim": "it does", "game": "connect4:columns=5,rows=4", "a": "alphabeta:depth=4", "b": "alphabeta:depth=1", "pairs": 100, "plies": 4}]}
`

// A protocol as its user runs it: what it will take, a refusal where nothing says
// when it was written, the run under its registered digest, the same again from
// what was kept and from the table alone, and a second folder refused.
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
		} `json:"verdicts"`
	}
	if err := json.Unmarshal([]byte(first), &r); err != nil || r.Protocol != digest || len(r.Findings) != 1 || r.Findings[0].Support != "supported" {
		t.Errorf("%v: %s", err, first)
	}
	if again, _ := run(0, args...); again != first {
		t.Errorf("another answer the second time:\n%s\n%s", first, again)
	}
	text, _ := run(0, append(args[:4:4], "--permute", "50")...)
	for _, want := range []string{"H1", "Deviations from the protocol: none.", "On permuted labels", "exploratory", digest} {
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
	if _, said := run(exitBadInput, "-o", filepath.Join(dir, "runs", "two"), "--registered", digest); !strings.Contains(said, "seed 5 was used before") {
		t.Errorf("in a second folder: %q", said)
	}
}

// A protocol about sources is decided again from a table of rows: of none nothing is. A
// table of something else is refused, and so is the format of the first protocol, in a line.
func TestStudyConfirmRows(t *testing.T) {
	const protocol = "../study/protocols/2026-12.json"
	head := "world,source,seed,depth,slope,variance,curvature,density,by_slope,by_order2,by_direct,minimax,expectimax,platt,isotonic,minimax_more,expectimax_more,noise_minimax,noise,steep\n"
	dir := t.TempDir()
	rows, other := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "other.csv")
	for path, text := range map[string]string{rows: head, other: "a,b\n1,2\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{0, "not decided", []string{protocol, "--rows", rows}},
		{0, `"verdict":"not decided"`, []string{protocol, "--rows", rows, "--json"}},
		{0, "0 of 10 families", []string{protocol, "--rows", rows, "--permute", "10"}},
		{2, "want the columns", []string{protocol, "--rows", other}},
		{2, "by the program of commit b57a2cf", []string{"../study/protocols/2026-11.json"}},
	} {
		var out, said bytes.Buffer
		code := Run(context.Background(), catalog.All(), append([]string{"study", "confirm"}, c.args...), strings.NewReader(""), &out, &said)
		text := out.String() + said.String()
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%v: exit %d, %q: want %d, %q", c.args, code, text, c.code, c.want)
		}
		if code == 0 && strings.Count(text, "not decided") != 8 || code == 2 && strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%v: %q", c.args, text)
		}
	}
}
