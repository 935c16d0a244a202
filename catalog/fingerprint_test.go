package catalog

import (
	"flag"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/models"
)

var stamp = flag.Bool("stamp", false, "write into shipped learned models what their features compute today")

// TestShippedFingerprints: learned models that are shipped say what their
// features computed when they were learned, and it is what they compute today.
// With -stamp they are told anew: right only where the change of a feature is
// one that its weights may follow.
func TestShippedFingerprints(t *testing.T) {
	learned, err := fs.Glob(models.ShippedFiles(), "learned/*.json")
	if err != nil || len(learned) == 0 {
		t.Fatalf("%d learned models: %v", len(learned), err)
	}
	for _, name := range learned {
		f, err := models.LoadFS(models.ShippedFiles(), name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := All().World(f.Game)
		if err != nil {
			t.Fatal(err)
		}
		set, err := w.Set(f.Features)
		if err != nil {
			t.Fatal(err)
		}
		now := features.Fingerprint(set, w.Game)
		switch {
		case *stamp:
			f.Fingerprint = now
			if err := f.Save(filepath.Join("..", "models", name)); err != nil {
				t.Fatal(err)
			}
		case !strings.Contains(f.Fingerprint, "-"):
			t.Errorf("%s: fingerprint %s is of names alone: want %s", name, f.Fingerprint, now)
		case !models.SameFeatures(f.Fingerprint, now):
			t.Errorf("%s: fingerprint %s: want %s", name, f.Fingerprint, now)
		}
	}
}
