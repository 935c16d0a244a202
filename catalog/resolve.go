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

// A model's name becomes an evaluation in five steps:
//
//  1. [Entry.amended] separates the name from the changes to the model.
//  2. [World.file] asks each place that may know the name for the model's file.
//  3. [World.bind] joins the file to its feature set and to the range of the world.
//  4. [reweigh] gives terms other weights.
//  5. [World.EvaluationOf] makes evaluators of the model.

// Evaluation is what an agent values positions by, under the name that its spec
// gave it. It makes evaluators that all say the same, one for each goroutine.
type Evaluation struct {
	Name   string
	Digest string         // of the model; "" for zero
	Leaves models.Leaves  // which positions it is made for
	Set    features.Set   // nil for zero
	Model  *models.Linear // nil for zero
	New    func() search.Evaluator
}

// Evaluation reads what an agent's eval= may name: "zero", or what [World.Model]
// reads; "" is the hand-written model where the game has one, else zero.
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

// Model reads a model for the world's game and joins it to its feature set: "handwritten",
// "learned", "best" (the strongest shipped; the hand-written one in variants without its feature
// set), another shipped one as GAME/NAME, the path of a file, or of a shipped file such as
// models/handwritten/2048-basic.json where no such file exists. After commas may follow
// TERM=WEIGHT, which gives a term another weight, and scale=range, which allows a model of another
// range of utility.
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

// amended is a model's name as it was read.
type amended struct {
	name    string
	weights []string // TERM=WEIGHT
	scaled  bool     // scale=range
}

// amended parts what stands behind a model's name, unless all of it is a file's name.
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

// file is the file of a model, from the first place that knows its name, within the
// access of who named it. A place that does not know it gives neither file nor error.
func (w *World) file(name string) (*models.File, error) {
	for _, place := range []func(name string) (*models.File, error){w.shipped, w.came, w.onDisk, w.byDigest, w.packed} {
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

// shipped is a model of the game's own.
func (w *World) shipped(name string) (*models.File, error) {
	e := w.Entry
	if path, ok := e.shippedPath(name); ok {
		f, err := models.LoadFS(e.Models, path)
		if err == nil && name == "best" && e.Ships("handwritten") && !w.hasFeatures(f) { // a variant without the features of the best
			return w.shipped("handwritten")
		}
		return f, err
	}
	if slices.Contains(kindsOfShipped, name) {
		return nil, fmt.Errorf("eval=%s: no %s model of %s is shipped: want %s or a model file", name, name, w.Name, strings.Join(append(e.ModelNames(), "zero"), ", "))
	}
	return nil, nil
}

// came is a model that came with a job.
func (w *World) came(name string) (*models.File, error) {
	data, err := w.Entry.attached.read(name)
	if data == nil || err != nil {
		return nil, err
	}
	return models.ReadBundle(name, data)
}

// onDisk is a model of the user's.
func (w *World) onDisk(name string) (*models.File, error) {
	if !w.Entry.MayRead(name) {
		return nil, nil
	}
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return models.Load(name)
}

// missingModel is the error for a digest of which no model is at hand.
type missingModel struct{ game, digest string }

func (e *missingModel) Error() string {
	return fmt.Sprintf("eval=%s: a model of %s by its digest, which is not among the shipped ones: want the path of its file", e.digest, e.game)
}

// byDigest is the model of that digest among those that were read with this catalog and
// the shipped ones; else the error is a [missingModel].
func (w *World) byDigest(digest string) (*models.File, error) {
	if !isDigest(digest) {
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
			continue // of another variant
		}
		if d, err := bound.File().Digest(); err == nil && short(d) == digest {
			return f, nil
		}
	}
	return nil, &missingModel{w.Name, digest}
}

// packed is a shipped file by its path in the source.
func (w *World) packed(name string) (*models.File, error) {
	path := strings.TrimPrefix(name, "models/")
	if _, err := fs.Stat(models.ShippedFiles(), path); err != nil {
		return nil, nil
	}
	return models.LoadFS(models.ShippedFiles(), path)
}

// EvaluationOf is the evaluation of a model that is at hand already.
func (w *World) EvaluationOf(name string, set features.Set, m *models.Linear) (*Evaluation, error) {
	if base := w.Base(); m.Link.Bounded() && math.IsInf(base.Max-base.Min, 0) {
		return nil, fmt.Errorf("model %s: link %q: want identity in %s, whose utilities have no bounds", name, m.Link.Kind, base.Name)
	}
	file := m.File()
	digest, err := file.Digest()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	if w.Entry.Nature != nil && w.Entry.known != nil { // whose Spec may name the model by its digest
		w.Entry.known.Store(w.Name+" "+short(digest), file)
	}
	e := features.NewEvaluator(w.Game, set, m)
	return &Evaluation{Name: name, Digest: digest, Leaves: m.Leaves, Set: set, Model: m, New: func() search.Evaluator { return tracked(e.Clone()) }}, nil
}

// tracked is e for a search along a line of play: one that follows the moves, or searches the tree
// itself, if its feature set can.
func tracked(e *features.Evaluator) search.Evaluator {
	if t, ok := e.Tracking(); ok {
		return t
	}
	if f, ok := e.Foresight(); ok {
		return f
	}
	return e
}

// short is a digest as it stands in specs.
func short(digest string) string { return digest[:min(shortDigest, len(digest))] }

// shortDigest is how many hexadecimal digits of a model's digest stand in specs.
const shortDigest = 12

// isDigest reports whether the name of a model is a digest as it stands in specs.
func isDigest(name string) bool {
	return len(name) == shortDigest && strings.Trim(name, "0123456789abcdef") == ""
}

// ModelName is how plyfit model names what eval= names: GAME/NAME what is shipped.
func (w *World) ModelName(eval string) string {
	if slices.Contains(kindsOfShipped, eval) {
		return w.Name + "/" + eval
	}
	return eval
}

// namesFile reports whether eval= names a model by a file, or by the digest of one.
func namesFile(eval string) bool {
	return eval != "" && eval != "zero" && !slices.Contains(kindsOfShipped, eval)
}
