package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"plyfit/features"
	"plyfit/internal/text"
	"plyfit/models"
	"plyfit/search"
)

// The name of a model is converted to an evaluation in five steps:
//
//  1. [Entry.amended] separates the name from changes to the model.
//  2. [World.file] looks for the model's file in several places.
//  3. [World.bind] binds the file to its feature set and checks its range.
//  4. [reweigh] changes the weights of terms.
//  5. [World.EvaluationOf] creates evaluators from the model.

// An Evaluation is the position evaluation of an agent. New returns evaluators, one for each
// goroutine, that all give the same values.
type Evaluation struct {
	Name   string         // name as written in the agent's spec
	Digest string         // digest of the model; empty for zero
	Leaves models.Leaves  // kind of positions that the model evaluates
	Set    features.Set   // nil for zero
	Model  *models.Linear // nil for zero
	New    func() search.Evaluator
}

// Evaluation returns the evaluation for the value of eval= in an agent's spec: "zero", or a name
// that [World.Model] accepts. If name is empty, it returns the game's hand-written model, or zero
// if there is none.
func (w *World) Evaluation(name string) (*Evaluation, error) {
	if name == "" {
		name = "zero"
		if w.Entry.Ships("handwritten") {
			name = "handwritten"
		}
	}
	if name == "zero" {
		return &Evaluation{Name: name, Leaves: models.Decision, New: func() search.Evaluator { return search.Zero(w.Base()) }}, nil
	}
	set, m, err := w.Model(name)
	if err != nil {
		return nil, err
	}
	return w.EvaluationOf(name, set, m)
}

// Model reads a model for the world's game and binds it to its feature set. The following names are
// accepted:
//
//   - "handwritten" and "learned";
//   - "best", which is the strongest shipped model, or the hand-written one in variants without its
//     feature set;
//   - GAME/NAME for other shipped models;
//   - the first digits of a model's digest, as written in specs;
//   - the path of a model file;
//   - the source path of a shipped file, such as models/handwritten/2048-basic.json, if no such
//     file exists.
//
// The name may be followed by changes, separated by commas: TERM=WEIGHT sets the weight of a term,
// and scale=range rescales a model that was made for a different range of utilities.
func (w *World) Model(text string) (features.Set, *models.Linear, error) {
	a := w.Entry.amended(text)
	f, err := w.file(a.name)
	if err != nil {
		return nil, nil, err
	}
	set, m, err := w.bind(a.name, f, a.scaled)
	if err != nil {
		return nil, nil, err
	}
	if err := reweigh(m, a.weights...); err != nil {
		return nil, nil, fmt.Errorf("model %s: %w", a.name, err)
	}
	return set, m, nil
}

// amended contains the parts of a model name.
type amended struct {
	name    string
	weights []string // changes of the form TERM=WEIGHT
	scaled  bool     // whether scale=range is present
}

// amended separates the changes from the name of a model, unless the whole text is a file name.
func (e *Entry) amended(text string) amended {
	a := amended{name: text}
	if !strings.Contains(text, ",") || e.isFile(text) {
		return a
	}
	parts := strings.Split(text, ",")
	a.name = parts[0]
	for _, part := range parts[1:] {
		if part == "scale=range" {
			a.scaled = true
		} else {
			a.weights = append(a.weights, part)
		}
	}
	return a
}

// file returns a model's file from the first place that has a model with the given name, subject to
// the catalog's access. A place without such a model returns nil and no error.
func (w *World) file(name string) (*models.File, error) {
	for _, place := range []func(name string) (*models.File, error){w.shipped, w.fromJob, w.onDisk, w.byDigest, w.packed} {
		if f, err := place(name); f != nil || err != nil {
			return f, err
		}
	}
	own := append(w.Entry.ModelNames(), "zero")
	if a := w.Entry.access; a != nil && !a.Files {
		want := strings.Join(own, ", ")
		if a.Folder != "" {
			want += " or a file in " + a.Folder
		}
		return nil, refused("eval="+name, want)
	}
	what := "no such file"
	if of, _, ok := strings.Cut(name, "/"); ok {
		if other, err := All().Entry(of); err == nil {
			if _, ships := other.shippedPath(name); ships {
				what = "a model of " + of + ", not of " + w.Entry.Name
			}
		}
	}
	return nil, fmt.Errorf("eval=%s: %s: want %s or a model file%s", name, what, strings.Join(own, ", "), text.Hint(name, own))
}

// shipped returns a shipped model of the game.
func (w *World) shipped(name string) (*models.File, error) {
	e := w.Entry
	if path, ok := e.shippedPath(name); ok {
		f, err := models.LoadFS(e.Models, path)
		if err == nil && name == "best" && e.Ships("handwritten") && !w.hasFeatures(f) { // a variant without the features of the best model
			return w.shipped("handwritten")
		}
		return f, err
	}
	if slices.Contains(kindsOfShipped, name) {
		return nil, fmt.Errorf("eval=%s: no %s model for %s is shipped; want %s or a model file", name, name, w.Name, strings.Join(append(e.ModelNames(), "zero"), ", "))
	}
	return nil, nil
}

// fromJob returns a model that came with a job.
func (w *World) fromJob(name string) (*models.File, error) {
	data, err := w.Entry.attached.read(name)
	if data == nil || err != nil {
		return nil, err
	}
	return models.ReadBundle(name, data)
}

// onDisk returns a model from a file of the user.
func (w *World) onDisk(name string) (*models.File, error) {
	if !w.Entry.MayRead(name) {
		return nil, nil
	}
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return models.Load(name)
}

// missingModel is the error for a digest that does not belong to any available model.
type missingModel struct{ game, digest string }

func (e *missingModel) Error() string {
	return fmt.Sprintf("eval=%s: a model of %s with this digest is not available; use the path of its file", e.digest, e.game)
}

// byDigest returns the model with the given digest. It searches the catalog's known models and the
// shipped ones, and returns a [missingModel] error if there is none.
func (w *World) byDigest(digest string) (*models.File, error) {
	if len(digest) != shortDigest || strings.Trim(digest, "0123456789abcdef") != "" {
		return nil, nil
	}
	e := w.Entry
	if e.known != nil {
		if f, ok := e.known.Load(w.Name + " " + digest); ok {
			return f.(*models.File), nil
		}
	}
	for _, m := range e.Shipped() {
		f, err := models.LoadFS(e.Models, m.path)
		if err != nil {
			return nil, err
		}
		_, bound, err := w.Bind(m.path, f)
		if err != nil {
			continue // made for another variant
		}
		if d, err := bound.File().Digest(); err == nil && short(d) == digest {
			return f, nil
		}
	}
	return nil, &missingModel{w.Name, digest}
}

// packed returns a shipped file by its path in the source.
func (w *World) packed(name string) (*models.File, error) {
	path := strings.TrimPrefix(name, "models/")
	if _, err := fs.Stat(models.ShippedFiles(), path); err != nil {
		return nil, nil
	}
	return models.LoadFS(models.ShippedFiles(), path)
}

// EvaluationOf returns the evaluation for a model that has already been bound.
func (w *World) EvaluationOf(name string, set features.Set, m *models.Linear) (*Evaluation, error) {
	if base := w.Base(); m.Link.Bounded() && math.IsInf(base.Max-base.Min, 0) {
		return nil, fmt.Errorf("model %s: link %q: want identity, because the utilities of %s are unbounded", name, m.Link.Kind, base.Name)
	}
	file := m.File()
	digest, err := file.Digest()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	if w.Entry.Nature != nil && w.Entry.known != nil { // the world's Spec may refer to the model by its digest
		w.Entry.known.Store(w.Name+" "+short(digest), file)
	}
	e := features.NewEvaluator(w.Game, set, m)
	return &Evaluation{Name: name, Digest: digest, Leaves: m.Leaves, Set: set, Model: m, New: func() search.Evaluator { return tracked(e.Clone()) }}, nil
}

// tracked returns an evaluator for searches along a line of play if the feature set supports it.
// The evaluator is updated with each move or searches ahead by itself.
func tracked(e *features.Evaluator) search.Evaluator {
	if t, ok := e.Tracking(); ok {
		return t
	}
	if f, ok := e.Foresight(); ok {
		return f
	}
	return e
}

// short returns the part of a digest that specs contain.
func short(digest string) string { return digest[:min(shortDigest, len(digest))] }

// shortDigest is the number of hexadecimal digits in a model's digest in specs.
const shortDigest = 12

// ModelName converts a value of eval= to the name used by the command plyfit model, which is
// GAME/NAME for shipped models.
func (w *World) ModelName(eval string) string {
	if slices.Contains(kindsOfShipped, eval) {
		return w.Name + "/" + eval
	}
	return eval
}

// namesFile reports whether the value of eval= is GAME/NAME, a file or a digest.
func namesFile(eval string) bool {
	return eval != "" && eval != "zero" && !slices.Contains(kindsOfShipped, eval)
}
