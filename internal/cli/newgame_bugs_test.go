package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// A bug is a mistake that the author of a dice game might make. The test introduces it by replacing
// correct code (right) with faulty code (wrong). The module's own tests should then print a message
// (said).
type bug struct{ name, file, right, wrong, said string }

// bugs lists the eight mistakes that the test makes: five in the rules and three in the features.
var bugs = []bug{
	{"Hash forgets the die", "rules/rules.go",
		"game.Mix(h<<8 | uint64(s.die))", "game.Mix(h << 8)",
		"want a Hash that covers everything the future depends on"},
	{"Hash forgets the turn", "rules/rules.go",
		"h := uint64(s.turn)", "h := uint64(0)",
		"want a Hash that covers everything the future depends on"},
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
		"View is 0: want 1, the player to move"},
	{"View is no one while the die rolls", "features/features.go",
		"return s.(*rules.State).Player()", "return s.Turn()",
		"View is -1: want a player"},
	{"a feature does not turn over with the players", "features/features.go",
		"float64(count(own, 0) - count(other, 0))", "float64(count(own, 0))",
		"start is "},
}

// TestLawNamesBugs adds eight bugs to copies of a new dice game. The tests of the module must fail
// for at least seven of them, with a message that describes the fault.
func TestLawNamesBugs(t *testing.T) {
	if !vectors.Long() {
		t.Skip("builds a module with eight faults")
	}
	dir := filepath.Join(t.TempDir(), "dice")
	g := newGame{Name: "dice", Chance: true, Source: source(t)}
	vectors.Check(g.Write(dir))
	imports, entries := "", ""
	for i, b := range bugs {
		copied := fmt.Sprintf("bug%d", i)
		for _, room := range []string{"rules", "features"} {
			vectors.Check(os.CopyFS(filepath.Join(dir, copied, room), os.DirFS(filepath.Join(dir, room))))
			imports += fmt.Sprintf("\t%s%s %q\n", room, copied, g.Module()+"/"+copied+"/"+room)
		}
		path := filepath.Join(dir, copied, "features", "features.go")
		rewrite(t, path, g.Module()+"/rules", g.Module()+"/"+copied+"/rules")
		rewrite(t, filepath.Join(dir, copied, b.file), b.right, b.wrong)
		entries += fmt.Sprintf("\t\t{Name: %q, New: rules%s.New, Profile: features%[2]s.Profile},\n", g.Name, copied)
	}
	test := "package main\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n\n" + imports + "\n\t\"plyfit/catalog\"\n)\n\n" +
		"func TestBugs(t *testing.T) {\n\tfor i, e := range []catalog.Entry{\n" + entries + "\t} {\n\t\tentry = e\n\t\tt.Run(fmt.Sprint(i), TestLaw)\n\t}\n}\n"
	vectors.Check(os.WriteFile(filepath.Join(dir, "bugs_test.go"), []byte(test), 0o644))
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", "bugs.test", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := 0
	for i, b := range bugs {
		test := exec.Command(filepath.Join(dir, "bugs.test"), "-test.short", "-test.run", fmt.Sprintf("TestBugs/%d$", i)) // each bug has its own process, because some bugs cause a panic
		test.Dir = dir
		out, err := test.CombinedOutput()
		if err != nil && strings.Contains(string(out), b.said) {
			found++
		} else {
			t.Logf("%s: want %q, the tests end with %v and say %.800s", b.name, b.said, err, out)
		}
	}
	t.Logf("%d of %d bugs named", found, len(bugs))
	if len(bugs) < 8 || found < 7 {
		t.Errorf("the law names %d of %d bugs, want at least seven of eight", found, len(bugs))
	}
}

// rewrite replaces the first occurrence of a text in a file. The test fails if there is none.
func rewrite(t *testing.T, path, old, new string) {
	t.Helper()
	text := vectors.Must(os.ReadFile(path))
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s has no %q", path, old)
	}
	vectors.Check(os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o644))
}
