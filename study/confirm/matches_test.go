package confirm

import (
	"context"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/study"
)

// versus is a protocol of three matches: a clear win, a match between planners that play almost
// equally well, and a loss in a single-player game.
const versus = `{"format": "plyfit-protocol/2", "name": "versus", "title": "t", "written": "2026-11-24", "analysis": 1, "alpha": 0.05, "seed": 4242, "reasons": ["a test"],
 "matches": [
  {"id": "deep", "claim": "looking ahead pays", "game": "connect4:columns=5,rows=4", "a": "handwritten", "b": "alphabeta:depth=1,eval=zero", "planner": "alphabeta:depth=4", "pairs": 100, "plies": 4},
  {"id": "same", "claim": "it does not matter", "game": "connect4:columns=5,rows=4", "a": "alphabeta:depth=2", "b": "minimax:depth=2", "pairs": 100, "plies": 4},
  {"id": "solo", "claim": "chance is better", "game": "2048:size=2", "a": "random", "b": "expectimax:depth=2", "pairs": 100, "plies": 0}]}
`

// TestMatches checks the verdicts on all three matches. The same verdicts must follow from the
// table that the run wrote.
func TestMatches(t *testing.T) {
	r := vectors.Must(runIn(t, t.Context(), versus, t.TempDir(), 2))
	for i, want := range []study.Support{study.Supported, study.NotDecided, study.Contradicted} {
		if v := r.Decisions[i]; v.Support != want || v.Batches != 5 {
			t.Errorf("%s: %v (%v), want %v", v.ID, v.Support, v, want)
		}
	}
	if v := r.Decisions[1]; v.Estimate.Value != 0.5 {
		t.Errorf("planners that choose alike score %v", v.Estimate.Value)
	}
	p := vectors.Must(readText(t, versus))
	var text strings.Builder
	d := batchData(r.batches)
	vectors.Check(d.Write(&text))
	again := vectors.Must(p.ReadTable([]byte(text.String())))
	for i, v := range again.Decisions {
		if v != r.Decisions[i] {
			t.Errorf("read back: %+v, want %+v", v, r.Decisions[i])
		}
	}
}

// TestMargin checks that the margin shifts the level of the test. With a margin of -0.05, an even
// match must show that A is not worse by more than the margin.
func TestMargin(t *testing.T) {
	p := vectors.Must(readText(t, strings.Replace(versus, `"b": "minimax:depth=2",`, `"b": "minimax:depth=2", "margin": -0.05,`, 1)))
	var all []batch
	for i := range 20 {
		all = append(all, batch{Match: "same", Number: i, Pairs: 20, Score: 0.5 + 0.02*math.Sin(float64(i)), Even: 0.5})
	}
	if v := p.decide(all)[1]; v.Support != study.Supported {
		t.Errorf("%v, p %v", v.Support, v.P)
	}
	p.Matches[1].Margin = 0.05
	if v := p.decide(all)[1]; v.Support != study.Contradicted {
		t.Errorf("%v, p %v", v.Support, v.P)
	}
}

func TestBadMatches(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"id": "same"`, `"id": "deep"`, "matches[1].id"},
		{`"game": "2048:size=2"`, `"game": "ludo"`, "matches[2].game"},
		{`"game": "2048:size=2"`, `"game": "2048:size=2+adversary"`, "matches[2]"},
		{`"a": "handwritten"`, `"a": "no one.json"`, "matches[0].a"},
		{`"b": "minimax:depth=2"`, `"b": "alphabeta:depth=2"`, "matches[1].b: want another agent"},
		{`"pairs": 100`, `"pairs": 110`, "matches[0].pairs: want a multiple of 20"},
		{`"claim": "it does not matter"`, `"claim": ""`, "matches[1].claim"},
		{`"plies": 0`, `"plies": -1`, "matches[2].plies"},
		{`"seed": 4242,`, `"seed": 4242, "worlds": [],`, "key worlds: protocols of worlds and sources can be evaluated only"},
		{`"reasons"`, `"season"`, "season"},
		{`"format": "plyfit-protocol/2"`, `"format": "x"`, "key format: want plyfit-protocol/2"},
		{`"name": "versus"`, `"name": "../small"`, "key name: want lower-case letters"},
		{`"analysis": 1`, `"analysis": 2`, "key analysis: want 1,"},
		{`"alpha": 0.05`, `"alpha": "5%"`, "key alpha: want a finite number"},
		{`"alpha": 0.05,`, `"alpha": 0.05, "Alpha": 0.2,`, `want one of the keys`},
		{`"seed": 4242`, `"seed": -1`, "key seed: want a whole number of at least 0"},
	} {
		planted := strings.Replace(versus, c.old, c.new, 1)
		if _, err := readText(t, planted); planted == versus || err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}

// TestModelsAreFrozen checks that a run cannot be resumed with a different model, and that a new
// run requires a committed model.
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
	vectors.Check(os.WriteFile(path, []byte(text), 0o666))
	commit()
	p := vectors.Must(Read(path, catalog.All()))
	refused(t, p, filepath.Join(dir, "run"), "", "the model "+filepath.ToSlash(outside)+" is not committed")
	run := t.TempDir()
	vectors.Must(runIn(t, t.Context(), text, run, 2))
	model("connect4-slip.json")
	if _, err := runIn(t, t.Context(), text, run, 2); err == nil || !strings.Contains(err.Error(), "use the same agents in all batches") {
		t.Errorf("with another model: %v", err)
	}
}

// repository returns a git repository that contains the small protocol, which is not committed yet.
// The returned function commits everything.
func repository(t *testing.T) (dir string, p *Protocol, commit func()) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir = t.TempDir()
	do := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	do("init", "-q")
	path := filepath.Join(dir, "p.json")
	vectors.Check(os.WriteFile(path, []byte(small), 0o666))
	p, err := Read(path, catalog.All())
	if err != nil {
		t.Fatal(err)
	}
	return dir, p, func() {
		do("add", "-A")
		do("commit", "-q", "-m", "protocol")
	}
}

// readText reads a protocol with the given contents.
func readText(t testing.TB, text string) (*Protocol, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.json")
	vectors.Check(os.WriteFile(path, []byte(text), 0o666))
	return Read(path, catalog.All())
}

// refused checks that Guard rejects the run with a one-line error.
func refused(t *testing.T, p *Protocol, run, registered, want string) {
	t.Helper()
	from, err := Guard(p, run, registered)
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%q, %v; want one line with %q", from, err, want)
	}
}

// TestGuardAsksGit checks that a run is rejected unless the protocol and all other files are
// committed. The run's own directory must be exempt.
func TestGuardAsksGit(t *testing.T) {
	dir, p, commit := repository(t)
	run := filepath.Join(dir, "runs", "small")
	refused(t, p, run, "", "commit the protocol before the first cell")
	commit()
	from, err := Guard(p, run, "")
	if err != nil || !strings.HasPrefix(string(from), "committed as ") {
		t.Fatalf("%q, %v; want it committed", from, err)
	}
	write := func(name string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		vectors.Check(os.MkdirAll(filepath.Dir(path), 0o777))
		vectors.Check(os.WriteFile(path, []byte("x"), 0o666))
	}
	write("runs/small/report.html")
	if _, err := Guard(p, run, ""); err != nil {
		t.Errorf("its own files: %v", err)
	}
	write("new.go")
	refused(t, p, run, "", "the working tree has uncommitted changes (?? new.go)")
	commit()
	vectors.Check(os.WriteFile(p.Path, []byte(small+"\n"), 0o666))
	refused(t, p, run, "", "the working tree has uncommitted changes (M p.json)")
}

// TestGuardWithoutRepository checks that the digest of the file must be given if there is no
// repository.
func TestGuardWithoutRepository(t *testing.T) {
	p := vectors.Must(readText(t, small))
	run := filepath.Join(t.TempDir(), "run")
	refused(t, p, run, "", "--registered")
	refused(t, p, run, strings.Repeat("0", 64), "want the registered SHA-256, 0000")
	if from, err := Guard(p, run, p.Digest); err != nil || !strings.Contains(string(from), "according to the user") {
		t.Errorf("%q, %v", from, err)
	}
}

// small is a protocol that takes a few seconds.
const small = `{"format": "plyfit-protocol/2", "name": "small", "title": "t", "written": "2026-11-24", "analysis": 1, "alpha": 0.05, "seed": 77, "reasons": ["a test"],
 "matches": [{"id": "H1", "claim": "it does", "game": "connect4:columns=5,rows=4", "a": "alphabeta:depth=2", "b": "random", "pairs": 100, "plies": 4}]}
`

func runIn(t *testing.T, ctx context.Context, text, dir string, workers int) (*Result, error) {
	t.Helper()
	p := vectors.Must(readText(t, text))
	s := &study.Session{Catalog: catalog.All(), Dir: dir, Workers: workers, Log: io.Discard, Quiet: true}
	return Run(ctx, s, p, "a test", "none")
}

// TestProtocols checks that the error for a protocol from an earlier version contains the commit of
// the program that can decide such protocols.
func TestProtocols(t *testing.T) {
	for name, want := range map[string]string{"2026-11": "by the program built from commit b57a2cf", "2026-12": "by the program built from commit " + lastOfWorlds} {
		if _, err := Read("../protocols/"+name+".json", catalog.All()); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
