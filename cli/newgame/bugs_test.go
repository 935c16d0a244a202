package newgame

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bug is what an author gets wrong in his dice game: right becomes wrong in a file of the
// module, and the module's own tests say said.
type bug struct{ name, file, right, wrong, said string }

// bugs are the eight that the law is measured by: five of rules, three of features.
var bugs = []bug{
	{"Hash forgets the die", "rules/rules.go",
		"game.Mix(h<<8 | uint64(s.die))", "game.Mix(h << 8)",
		"want a Hash that covers all that the future depends on"},
	{"Hash forgets the turn", "rules/rules.go",
		"h := uint64(s.turn)", "h := uint64(0)",
		"want a Hash that covers all that the future depends on"},
	{"a face of the die never comes", "rules/rules.go",
		"for face := game.Move(1); face <= Faces", "for face := game.Move(1); face < Faces",
		"probabilities sum to"},
	{"both players win", "rules/rules.go",
		"\tif s.home(p) {\n\t\treturn 1\n\t}\n\treturn -1", "\treturn 1",
		"zero-sum"},
	{"Clone takes the past along, shared", "rules/rules.go",
		"return &State{position: s.position, squares: s.squares}", "return s",
		"clone"},
	{"View is always the first player", "features/features.go",
		"return s.(*rules.State).Player()", "return 0",
		"View is 0: want 1, who is to move"},
	{"View is nobody while the die rolls", "features/features.go",
		"return s.(*rules.State).Player()", "return s.Turn()",
		"View is -1: want a player"},
	{"a feature does not turn over with the players", "features/features.go",
		"float64(count(own, 0) - count(other, 0))", "float64(count(own, 0))",
		"start is "},
}

// TestLawNamesBugs puts eight bugs, one at a time, into a new dice game: the module's
// tests fail for at least seven of them with a message that names the fault.
func TestLawNamesBugs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module eight times")
	}
	dir := filepath.Join(t.TempDir(), "dice")
	g := Game{Name: "dice", Chance: true, Source: source(t)}
	if err := g.Write(dir); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, b := range bugs {
		path := filepath.Join(dir, b.file)
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		faulty := strings.Replace(string(sound), b.right, b.wrong, 1)
		if faulty == string(sound) {
			t.Fatalf("%s: %s has no %q", b.name, b.file, b.right)
		}
		if err := os.WriteFile(path, []byte(faulty), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "test", "-short", "-vet=off", "-run", "TestLaw", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil && strings.Contains(string(out), b.said) {
			found++
		} else {
			t.Logf("%s: want %q, the tests end with %v and say %.800s", b.name, b.said, err, out)
		}
		if err := os.WriteFile(path, sound, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d bugs named", found, len(bugs))
	if len(bugs) < 8 || found < 7 {
		t.Errorf("the law names %d of %d bugs, want at least seven of eight", found, len(bugs))
	}
}
