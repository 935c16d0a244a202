package catalog

import (
	"io/fs"
	"slices"
	"strings"

	"plyfit/models"
)

// ShippedModel is a model that comes with a game.
type ShippedModel struct {
	Name     string // as eval= has it behind GAME/ : handwritten, learned, slip
	Strength string // as it was measured against the hand-written one, with planner and world; "": it is that one, or nobody has
	Best     bool   // the strongest of the game as it is: what eval=best names
	path     string
}

// strengths are what shipped models had against the hand-written one of their game, ±
// half a 95% interval, both with the planner named, in matches of seed 1118 or 1119: the share of
// the points, or in games of one the score.
var strengths = map[string]string{
	"2048/learned":       "18,435 ± 2,331 points, handwritten 5,784 ± 865 (expectimax:depth=1, 50 pairs)",
	"pig/learned":        "49.2% ± 0.9% against handwritten (expectimax:depth=1, 2,000 pairs)",
	"chess/learned":      "48.7% ± 4.3% against handwritten (alphabeta:depth=2,quiescence=on, 200 pairs)",
	"connect4/learned":   "57.6% ± 3.7% against handwritten (alphabeta:depth=5, 200 pairs); with slip=0.2 55.6% ± 2.5% (expectimax:depth=2, 400 pairs)",
	"connect4/slip":      "56.4% ± 4.0% against handwritten (alphabeta:depth=5, 200 pairs); with slip=0.2 54.1% ± 2.8% (expectimax:depth=2, 400 pairs)",
	"connect4/treestrap": "56.0% ± 4.0% against handwritten (alphabeta:depth=5, 200 pairs)",
	"othello/learned":    "87.2% ± 4.2% against handwritten (alphabeta:depth=3, 100 pairs)",
	"othello/2-tuples":   "8.8% ± 4.1% against handwritten (alphabeta:depth=3, 100 pairs)",
	"go/learned":         "92.1% ± 2.1% against handwritten (greedy, 200 pairs)",
	"backgammon/learned": "55.2% ± 1.5% against handwritten (expectimax:depth=1, 2,000 pairs)",
	"backgammon/raw":     "40.9% ± 3.2% against handwritten (expectimax:depth=1, 400 pairs)",
	"backgammon/pubeval": "41.5% ± 3.3% against handwritten (expectimax:depth=1, 400 pairs)",
}

// learnedBest are the games whose learned model is the strongest that is shipped: its
// interval lies above the hand-written one.
var learnedBest = map[string]bool{"2048": true, "connect4": true, "othello": true, "go": true, "backgammon": true}

// Shipped are the models that come with the game, the hand-written one first.
func (e *Entry) Shipped() []ShippedModel {
	if e.Models == nil {
		return nil
	}
	var out []ShippedModel
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
			out = append(out, ShippedModel{Name: name, Strength: strengths[e.Name+"/"+name], path: path})
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
	case learnedBest[e.Name] && e.Ships("learned"):
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
