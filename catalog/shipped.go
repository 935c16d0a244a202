package catalog

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"plyfit/models"
)

// ShippedModel is a model that comes with a game.
type ShippedModel struct {
	Name     string // as eval= has it behind GAME/ : handwritten, learned, slip
	Strength string // as it was measured against the hand-written one, with planner and world; "": it is that one, or nobody has
	Command  string // that made it, of a learned one; where it took several, the last: models/learned/README.md has all
	Digest   string // of a learned one, as it stands in specs
	Best     bool   // the strongest of the game as it is: what eval=best names
	path     string
}

// measured is the file beside the models that says what was measured of those that were
// learned, by GAME/NAME.
const measured = "measured.json"

// origin is what it says of one. The strength is against the hand-written model of the
// game, ± half a 95% interval, both with the planner named, in matches of seed 1118 or
// 1119: the share of the points, or in games of one the score. The command was run by the
// build of the model's commit; "earlier build" marks one that makes another model today. A
// test holds the digest against the file.
type origin struct {
	Digest   string `json:"digest"`
	Command  string `json:"command"`
	Strength string `json:"strength"`
	Best     bool   `json:"best"` // its interval lies above the hand-written one
}

// origins reads what was measured of the models of the game.
func (e *Entry) origins() map[string]origin {
	var all map[string]origin
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
	origins := e.origins()
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
			o := origins[e.Name+"/"+name]
			out = append(out, ShippedModel{Name: name, Strength: o.Strength, Command: o.Command, Digest: o.Digest, path: path})
		}
	}
	for i := range out {
		out[i].Best = out[i].Name == e.best()
	}
	return out
}

// best is the name of the strongest shipped model of the game as it is; "": none is
// shipped.
func (e *Entry) best() string {
	switch {
	case e.Ships("learned") && e.origins()[e.Name+"/learned"].Best:
		return "learned"
	case e.Ships("handwritten"):
		return "handwritten"
	case e.Ships("learned"):
		return "learned"
	}
	return ""
}

// shippedPath is where a model that is shipped stands: "handwritten", "learned", "best",
// or a name behind the game's and a slash.
func (e *Entry) shippedPath(name string) (path string, ok bool) {
	if behind, own := strings.CutPrefix(name, e.Name+"/"); own {
		name = behind
	} else if name != "handwritten" && name != "learned" && name != "best" {
		return "", false
	}
	if name == "best" {
		name = e.best()
	}
	for _, m := range e.Shipped() {
		if m.Name == name {
			return m.path, true
		}
	}
	return "", false
}

// modelNames are what eval= may name of the game's own.
func (e *Entry) modelNames() []string {
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

// LoadShipped reads a shipped model by GAME/NAME, GAME/best being the strongest; ok is
// false for other names.
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
