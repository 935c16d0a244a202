package catalog

import (
	"context"
	"flag"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestShippedOrigins checks that the list contains the digest, command and strength of every
// shipped model that was learned, and no other models.
func TestShippedOrigins(t *testing.T) {
	listed := map[string]bool{}
	all := All()
	for i := range all {
		e := &all[i]
		for _, m := range e.Shipped() {
			if !strings.HasPrefix(m.path, "learned/") {
				continue
			}
			name := e.Name + "/" + m.Name
			listed[name] = true
			f := vectors.Must(models.LoadFS(e.Models, m.path))
			digest := vectors.Must(f.Digest())
			if m.Digest != short(digest) {
				t.Errorf("%s: the list has digest %q, the file %s", name, m.Digest, short(digest))
			}
			if !strings.HasPrefix(m.Command, "plyfit ") || m.Strength == "" {
				t.Errorf("%s: command %q and strength %q: want both", name, m.Command, m.Strength)
			}
		}
	}
	best := map[string]string{}
	for name, m := range all[0].measurements() {
		if !listed[name] {
			t.Errorf("%s is in the list and not shipped", name)
		}
		game, _, _ := strings.Cut(name, "/")
		if m.Best && best[game] != "" {
			t.Errorf("%s and %s are both the best", name, best[game])
		}
		if m.Best {
			best[game] = name
		}
	}
}

// TestBestOfVariants checks that "best" is the hand-written model in variants that lack the
// features of the strongest model.
func TestBestOfVariants(t *testing.T) {
	for spec, want := range map[string]string{"2048": "2048/4x5", "pig": "pig/tiles", "pig:players=3": "pig/race", "checkers": "checkers/patterns"} {
		w := vectors.Must(All().World(spec))
		set, _, err := w.Model("best")
		if err != nil {
			t.Fatal(err)
		}
		if set.Name() != want {
			t.Errorf("%s: the best model has features %s, want %s", spec, set.Name(), want)
		}
	}
}

var stamp = flag.Bool("stamp", false, "write into shipped learned models what their features compute today")

// TestShippedFingerprints checks that the features of shipped learned models compute the same
// values as when the models were learned. With -stamp, it updates the fingerprints. Use this only
// if the weights remain valid for the changed features.
func TestShippedFingerprints(t *testing.T) {
	learned, err := fs.Glob(models.ShippedFiles(), "learned/*.json")
	if err != nil || len(learned) == 0 {
		t.Fatalf("%d learned models: %v", len(learned), err)
	}
	for _, name := range learned {
		f := vectors.Must(models.LoadFS(models.ShippedFiles(), name))
		w := vectors.Must(All().World(f.Game))
		set := vectors.Must(w.Set(f.Features))
		now := features.Fingerprint(set, w.Game)
		switch {
		case *stamp:
			f.Fingerprint = now
			vectors.Check(f.Save(filepath.Join("..", "models", name)))
		case !strings.Contains(f.Fingerprint, "-"):
			t.Errorf("%s: fingerprint %s is of names alone: want %s", name, f.Fingerprint, now)
		case !models.SameFeatures(f.Fingerprint, now):
			t.Errorf("%s: fingerprint %s: want %s", name, f.Fingerprint, now)
		}
	}
}

// TestShippedBeat plays shipped models, and in one game a shipped agent, against weaker opponents
// with paired openings and luck. The lower bound of the score must be above one half.
func TestShippedBeat(t *testing.T) {
	for _, c := range []struct {
		world, a, b string
		pairs, more int // number of pairs, without and with PLYFIT_LONG
		plies       int // length of the random opening
	}{
		{"chess", "alphabeta:depth=2", "alphabeta:depth=2,eval=chess/material", 10, 200, 8},
		{"checkers", "alphabeta:depth=3,quiescence=on", "alphabeta:depth=3,quiescence=on,eval=checkers/material", 35, 200, 8},
		{"checkers", "alphabeta:depth=1,eval=best", "alphabeta:depth=1", 60, 400, 8},
		{"connect4", "alphabeta:depth=4", "alphabeta:depth=4,eval=connect4/lines", 50, 200, 6},
		{"othello", "greedy", "greedy:eval=othello/swh", 60, 1000, 10},
		{"othello", "greedy:eval=best", "greedy", 60, 400, 10},
		{"backgammon", "greedy", "greedy:eval=backgammon/pubeval", 400, 2000, 0},
		{"backgammon", "greedy:eval=best", "greedy", 60, 1000, 0},
		{"doudizhu", "rule", "random", 30, 100, 0},
		{"tictactoe", "greedy", "random", 60, 200, 1},
	} {
		t.Run(c.world+" "+c.a, func(t *testing.T) {
			w, err := All().World(c.world)
			if err != nil {
				t.Fatal(err)
			}
			if vectors.Long() {
				c.pairs = c.more
			}
			config := arena.Config{Game: w.Game, Pairs: c.pairs, Seed: 1, Workers: 2, Openings: arena.Openings{Plies: c.plies}}
			if config.A, err = w.Entrant(c.a, ""); err != nil {
				t.Fatal(err)
			}
			if config.B, err = w.Entrant(c.b, ""); err != nil {
				t.Fatal(err)
			}
			r, err := arena.Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(r.Sentence, c.a+" is better than "+c.b) {
				t.Error(r.Sentence)
			}
		})
	}
}
