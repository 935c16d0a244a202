package catalog

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"plyfit/models"
)

// shortDigest is how many hexadecimal digits of a model's digest stand in specs.
const shortDigest = 12

// short is a digest as it stands in specs.
func short(digest string) string { return digest[:min(shortDigest, len(digest))] }

// isDigest reports whether the name of a model is a digest as it stands in specs.
func isDigest(name string) bool {
	return len(name) == shortDigest && strings.Trim(name, "0123456789abcdef") == ""
}

// namesFile reports whether eval= names a model by a file, or by the digest of one.
func namesFile(eval string) bool {
	return eval != "" && eval != "zero" && eval != "handwritten" && eval != "learned" && eval != "best"
}

// known holds the models that this process has read for games whose nature may
// follow a policy, by game and digest: the Spec of such a game names them so, and
// what belongs together under that key never differs.
var known sync.Map // string to *models.File

func remember(game, digest string, m *models.Linear) { known.Store(game+" "+short(digest), m.File()) }

// missingModel is the error for a digest of which no model is at hand.
type missingModel struct{ game, digest string }

func (e *missingModel) Error() string {
	return fmt.Sprintf("eval=%s: a model of %s by its digest, which is not among the shipped ones: want the path of its file", e.digest, e.game)
}

// byDigest is the model of that digest among those that this process has read and
// the shipped ones; else the error is a [missingModel].
func (w *World) byDigest(digest string) (*models.File, error) {
	if f, ok := known.Load(w.Name + " " + digest); ok {
		return f.(*models.File), nil
	}
	for _, shipped := range []fs.FS{w.Entry.Models, models.ShippedFiles()} {
		if shipped == nil {
			continue
		}
		paths, err := fs.Glob(shipped, "*/"+w.Name+"*.json")
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			f, err := models.LoadFS(shipped, path)
			if err != nil || f.Game != w.Name {
				continue // of another game whose name begins alike
			}
			_, m, err := w.Bind(path, f)
			if err != nil {
				return nil, err
			}
			if d, err := m.File().Digest(); err == nil && short(d) == digest {
				return f, nil
			}
		}
	}
	return nil, &missingModel{w.Name, digest}
}
