package loop

import (
	"os"
	"path/filepath"
	"testing"

	"plyfit/catalog"
)

// TestClaim: a run folder is taken where it is empty, where it holds this very
// run, and where a run was killed while it wrote its first file; nowhere else.
func TestClaim(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	c := Config{World: w, Recipe: w.Recipe(), Seed: 1}
	write := func(name string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for _, at := range []struct {
		dir string
		ok  bool
	}{
		{filepath.Join(t.TempDir(), "new"), true},
		{write(".config.json.123.tmp"), true},
		{write("notes.txt"), false},
		{write("config.json"), false},
	} {
		c.Dir = at.dir
		if err := c.claim(); (err == nil) != at.ok {
			t.Errorf("%s: %v, want success: %v", at.dir, err, at.ok)
		}
		if !at.ok {
			continue
		}
		if err := c.claim(); err != nil {
			t.Errorf("%s: not resumed: %v", at.dir, err)
		}
		other := c
		if other.Seed++; other.claim() == nil {
			t.Errorf("%s: a run with another seed goes on in it", at.dir)
		}
	}
}
