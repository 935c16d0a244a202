package loop

import (
	"context"
	"io"
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
	c := Options{World: w, Recipe: w.Recipe(), Seed: 1}
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

// TestRoundSeeds: no round of a run plays its data set with the seed of another
// round of another run, nor with the seed of the run itself.
func TestRoundSeeds(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]bool{}
	for seed := range uint64(3) {
		r := w.Recipe()
		r.Rounds, r.Episodes, r.Pairs = 2, 20, 1
		c := Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: seed, Workers: 1, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		o, err := Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		for k, round := range o.Rounds {
			played := round.Data.Seed
			if seen[played] || played <= 3 {
				t.Errorf("round %d of the run with seed %d plays with seed %d, as another does", k+1, seed, played)
			}
			seen[played] = true
		}
	}
}
