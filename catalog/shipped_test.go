package catalog

import (
	"strings"
	"testing"

	"plyfit/models"
)

// TestShippedOrigins: every learned model that is shipped has its digest, its command and
// its strength in the list, and the list names no other.
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
			f, err := models.LoadFS(e.Models, m.path)
			if err != nil {
				t.Fatal(err)
			}
			digest, err := f.Digest()
			if err != nil {
				t.Fatal(err)
			}
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

// TestBestOfVariants: where a variant lacks the features of the strongest model, the best
// is the hand-written one.
func TestBestOfVariants(t *testing.T) {
	for spec, want := range map[string]string{"2048": "2048/4x5", "pig": "pig/tiles", "pig:players=3": "pig/race", "checkers": "checkers/patterns", "go": "go/shapes", "go:size=7": "go/classic"} {
		w, err := All().World(spec)
		if err != nil {
			t.Fatal(err)
		}
		set, _, err := w.Model("best")
		if err != nil {
			t.Fatal(err)
		}
		if set.Name() != want {
			t.Errorf("%s: the best model has features %s, want %s", spec, set.Name(), want)
		}
	}
}
