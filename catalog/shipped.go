package catalog

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"plyfit/models"
)

// A ShippedModel is a model that is shipped with a game. Measurements of the learned models are
// stored in the file measured.json, indexed by GAME/NAME. Strength is the result of a match against
// the game's hand-written model, with the same planner and seed 1118 or 1119. It is the fraction of
// the points, or the score in single-player games, with half the width of its 95% interval. The
// command was run with the build of the model's commit. "earlier build" means that it produces a
// different model today. A test checks that the digest matches the file.
type ShippedModel struct {
	Name     string `json:"name"`               // as in eval=GAME/NAME, such as handwritten, learned or slip
	Best     bool   `json:"best"`               // whether this is the strongest model for the default options, to which eval=best refers
	Strength string `json:"strength,omitempty"` // empty for the hand-written model and if not measured
	Command  string `json:"command,omitempty"`  // command that produced a learned model, or the last of several; models/learned/README.md lists all
	Digest   string `json:"digest,omitempty"`   // digest of a learned model, as written in specs
	path     string
}

// measured is the name of the file with the measurements. In this file, best means that the whole
// interval lies above the result of the hand-written model.
const measured = "measured.json"

func (e *Entry) measurements() map[string]ShippedModel {
	var all map[string]ShippedModel
	text, err := fs.ReadFile(e.Models, measured)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic("catalog: " + measured + ": " + err.Error())
	}
	return all
}

// Shipped returns the models that are shipped with the game, the hand-written one first.
func (e *Entry) Shipped() []ShippedModel {
	if e.Models == nil {
		return nil
	}
	var out []ShippedModel
	known, best := e.measurements(), e.best()
	for _, kind := range []string{"handwritten", "learned"} {
		paths, err := fs.Glob(e.Models, kind+"/"+e.Name+"*.json")
		if err != nil {
			panic("catalog: " + err.Error())
		}
		slices.SortFunc(paths, func(a, b string) int { // the model with the game's name comes first
			return strings.Compare(strings.TrimSuffix(a, ".json"), strings.TrimSuffix(b, ".json"))
		})
		for _, path := range paths {
			stem := strings.TrimSuffix(strings.TrimPrefix(path, kind+"/"), ".json")
			name, own := strings.CutPrefix(stem, e.Name+"-")
			switch {
			case stem == e.Name:
				name = kind
			case !own:
				continue
			}
			m := known[e.Name+"/"+name]
			m.Name, m.path, m.Best = name, path, name == best
			out = append(out, m)
		}
	}
	return out
}

// best returns the name of the strongest shipped model for the game's default options, or an empty
// string if there is none.
func (e *Entry) best() string {
	for what, m := range e.measurements() {
		if name, own := strings.CutPrefix(what, e.Name+"/"); own && m.Best { // a test ensures that there is at most one
			if _, ok := e.shippedPath(what); ok {
				return name
			}
		}
	}
	switch {
	case e.Ships("handwritten"):
		return "handwritten"
	case e.Ships("learned"):
		return "learned"
	}
	return ""
}

// kindsOfShipped lists the names of shipped models that all games can have.
var kindsOfShipped = []string{"handwritten", "learned", "best"}

// shippedPath returns the path of a shipped model, given as "handwritten", "learned", "best" or
// GAME/NAME.
func (e *Entry) shippedPath(name string) (path string, ok bool) {
	name, own := strings.CutPrefix(name, e.Name+"/")
	if !own && !slices.Contains(kindsOfShipped, name) {
		return "", false
	}
	if name == "best" {
		name = e.best()
	}
	paths := []string{"handwritten/" + e.Name + "-" + name + ".json", "learned/" + e.Name + "-" + name + ".json"}
	if slices.Contains(kindsOfShipped, name) {
		paths = []string{name + "/" + e.Name + ".json"}
	}
	at := slices.IndexFunc(paths, e.has)
	if at < 0 {
		return "", false
	}
	return paths[at], true
}

// ModelNames returns the values of eval= that refer to the game's shipped models.
func (e *Entry) ModelNames() []string {
	var out []string
	for _, m := range e.Shipped() {
		if m.Name == "handwritten" || m.Name == "learned" {
			out = append(out, m.Name)
			continue
		}
		out = append(out, e.Name+"/"+m.Name)
	}
	if len(out) > 0 {
		out = append(out, "best")
	}
	return out
}

// LoadShipped reads a shipped model by its name GAME/NAME or GAME/best. ok is false for other
// names.
func (e *Entry) LoadShipped(name string) (f *models.File, ok bool, err error) {
	if !strings.HasPrefix(name, e.Name+"/") {
		return nil, false, nil
	}
	path, ok := e.shippedPath(name)
	if !ok {
		return nil, false, nil
	}
	f, err = models.LoadFS(e.Models, path)
	return f, true, err
}
