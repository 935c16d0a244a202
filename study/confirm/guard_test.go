package confirm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/disk"
	"plyfit/study"
)

// repository is a folder under git with the small protocol in it, not committed;
// commit commits everything.
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
	if err := os.WriteFile(path, []byte(small), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := Read(path, catalog.All())
	if err != nil {
		t.Fatal(err)
	}
	return dir, p, func() {
		do("add", "-A")
		do("commit", "-q", "-m", "protocol")
	}
}

// readText reads a protocol that has these bytes.
func readText(t testing.TB, text string) (*Protocol, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Read(path, catalog.All())
}

// refused checks that the guard refuses the run with one line.
func refused(t *testing.T, p *Protocol, run, registered, want string) {
	t.Helper()
	from, err := Guard(p, run, registered)
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%q, %v; want one line with %q", from, err, want)
	}
}

// A run is refused until the protocol is committed, and where anything else is not;
// the run's own folder is let alone.
func TestGuardAsksGit(t *testing.T) {
	dir, p, commit := repository(t)
	run := filepath.Join(dir, "runs", "small")
	refused(t, p, run, "", "want it committed before the first cell")
	commit()
	from, err := Guard(p, run, "")
	if err != nil || !strings.HasPrefix(string(from), "committed as ") {
		t.Fatalf("%q, %v; want it committed", from, err)
	}
	write := func(name string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("runs/small/report.html")
	if _, err := Guard(p, run, ""); err != nil {
		t.Errorf("its own files: %v", err)
	}
	write("new.go")
	refused(t, p, run, "", "the tree is dirty (?? new.go)")
	commit()
	if err := os.WriteFile(p.Path, []byte(small+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	refused(t, p, run, "", "the tree is dirty (M p.json)")
}

// Without a repository the digest must be given, and be the file's.
func TestGuardWithoutRepository(t *testing.T) {
	p, err := readText(t, small)
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(t.TempDir(), "run")
	refused(t, p, run, "", "--registered")
	refused(t, p, run, strings.Repeat("0", 64), "want the registered 0000")
	if from, err := Guard(p, run, p.Digest); err != nil || !strings.Contains(string(from), "by the user's word") {
		t.Errorf("%q, %v", from, err)
	}
}

// A seed that another study beside it has looked at is refused, and so is a second
// run of the protocol in another folder; the run itself may go on.
func TestGuardLedger(t *testing.T) {
	p, err := readText(t, small)
	if err != nil {
		t.Fatal(err)
	}
	runs := t.TempDir()
	run := filepath.Join(runs, "run")
	if err := study.RecordSeeds(run, p.LedgerName(), p.Seed); err != nil {
		t.Fatal(err)
	}
	if _, err := Guard(p, run, p.Digest); err != nil {
		t.Errorf("its own seeds: %v", err)
	}
	refused(t, p, filepath.Join(runs, "again"), p.Digest, "seed 77 was used before, by protocol "+p.Digest)
	if err := study.RecordSeeds(filepath.Join(runs, "other"), "study warp", 3, 77); err != nil {
		t.Fatal(err)
	}
	refused(t, p, run, p.Digest, "seed 77 was used before, by study warp in "+filepath.Join(runs, "other"))
}

// Cells of other code in the run folder are neither read nor overwritten.
func TestGuardOtherCode(t *testing.T) {
	p, err := readText(t, small)
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(t.TempDir(), "run")
	dir := filepath.Join(run, "cells", "0123456789ab")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("{\"cell\":%q,\"result\":[2]}\n", p.title("small"))
	if err := os.WriteFile(filepath.Join(dir, "small.jsonl"), disk.Seal([]byte(line)), 0o666); err != nil {
		t.Fatal(err)
	}
	refused(t, p, run, p.Digest, "begun by code 0123456789ab, this program is test")
}
