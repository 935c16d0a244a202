package catalog

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"plyfit/models"
)

// ShippedModel is a model that comes with a game. Measurements of the learned ones are in a file
// next to them, by GAME/NAME. The strength is against the game's hand-written model, ± half a 95%
// interval, both with the planner named, in matches of seed 1118 or 1119: the share of the points,
// or in games of one the score. The command was run by the build of the model's commit; "earlier
// build" means that it makes another model today. A test checks the digest against the file.
type ShippedModel struct {
	Name     string `json:"name"`               // as eval= has it behind GAME/ : handwritten, learned, slip
	Best     bool   `json:"best"`               // the strongest of the game as it is: what eval=best names
	Strength string `json:"strength,omitempty"` // "": it is the hand-written one, or was not measured
	Command  string `json:"command,omitempty"`  // that made it, of a learned one; where it took several, the last: models/learned/README.md has all
	Digest   string `json:"digest,omitempty"`   // of a learned one, as it stands in specs
	path     string
}

// measured is the name of that file. There best says that the whole interval lies above
// the hand-written one.
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

// Shipped are the models that come with the game, the hand-written one first.
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
		slices.SortFunc(paths, func(a, b string) int { // the one of the game's name first
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

// best is the name of the strongest shipped model of the plain game; "": none.
func (e *Entry) best() string {
	for what, m := range e.measurements() {
		if name, own := strings.CutPrefix(what, e.Name+"/"); own && m.Best { // a test holds that there is one at most
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

// kindsOfShipped are the names of shipped models in every game.
var kindsOfShipped = []string{"handwritten", "learned", "best"}

// shippedPath is where a model that is shipped stands: "handwritten", "learned", "best",
// or a name behind the game's and a slash.
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

// ModelNames are what eval= may name of the game's own.
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

// LoadShipped reads a shipped model by GAME/NAME or GAME/best; ok is false for others.
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
