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
	Command  string // that made it, of a learned one; where it took several, the last: models/learned/README.md has all
	Digest   string // of a learned one, as it stands in specs
	Best     bool   // the strongest of the game as it is: what eval=best names
	path     string
}

// origin is what is known of a learned model that is shipped.
type origin struct{ digest, command, strength string }

// origins are those of all, by GAME/NAME. Strengths are against the hand-written one of the
// game, ± half a 95% interval, both with the planner named, in matches of seed 1118 or
// 1119: the share of the points, or in games of one the score. A test holds the digests
// against the files. Commands were run by the build of the model's commit; "earlier
// build" marks those that make another model today.
var origins = map[string]origin{
	"2048/learned": {"8b79a88eb139", "plyfit learn 2048 --learner regression --seed 1 (earlier build)",
		"18,435 ± 2,331 points, handwritten 5,784 ± 865 (expectimax:depth=1, 50 pairs)"},
	"pig/learned": {"f1a4173c2005", "plyfit learn pig --seed 11 --games 500000",
		"51.2% ± 0.6% against handwritten (expectimax:depth=1, 4,000 pairs)"},
	"pacman/learned": {"02b5ae209bd4", "plyfit learn pacman --seed 11",
		"129 ± 94 points more than handwritten (expectimax:depth=1, 100 pairs); less in the hostile world"},
	"checkers/learned": {"e5b262ad7aef", "plyfit learn checkers --seed 11",
		"81.8% ± 3.2% against handwritten (alphabeta:depth=3,quiescence=on, 200 pairs)"},
	"chess/learned": {"58389b038b24", "plyfit learn chess --seed 21",
		"63.4% ± 3.8% against handwritten (alphabeta:depth=2,quiescence=on, 200 pairs)"},
	"chess/improved": {"d1a6695ea8a7", "plyfit learn chess --improve handwritten --seed 16",
		"59.5% ± 3.9% against handwritten (alphabeta:depth=2,quiescence=on, 200 pairs)"},
	"connect4/learned": {"a9cd3a8251a5", "plyfit learn connect4 --learner regression --seed 1 (earlier build)",
		"57.6% ± 3.7% against handwritten (alphabeta:depth=5, 200 pairs); with slip=0.2 55.6% ± 2.5% (expectimax:depth=2, 400 pairs)"},
	"connect4/slip": {"40a242f290c9", "plyfit fit DATA2 --method logistic --label outcome --penalty 1e-4",
		"56.4% ± 4.0% against handwritten (alphabeta:depth=5, 200 pairs); with slip=0.2 54.1% ± 2.8% (expectimax:depth=2, 400 pairs)"},
	"connect4/treestrap": {"fdc9062b197c", "plyfit train connect4 --init random --link logistic --agent alphabeta:depth=4 --games 5000 --alpha 0.02 --decay 4800 --epsilon 0.05 --method treestrap --lambda 0.95 --root 30",
		"54.4% ± 3.9% against handwritten (alphabeta:depth=5, 200 pairs)"},
	"othello/learned": {"9473f1106f40", "plyfit train othello --features othello/patterns --games 50000 --alpha 0.5 --lambda 0.5 --tc --openings 4 --label wins:0.8 --seed 1",
		"87.2% ± 4.2% against handwritten (alphabeta:depth=3, 100 pairs)"},
	"othello/2-tuples": {"c47ea6daf1fd", "plyfit model mean tuples-1.json tuples-2.json tuples-3.json",
		"8.8% ± 4.1% against handwritten (alphabeta:depth=3, 100 pairs)"},
	"go/learned": {"d5c75ab84b86", "plyfit train go --features go/shapes --games 12000 --alpha 1 --lambda 0.7 --tc --epsilon 0.05 --openings 4 --seed 1",
		"92.1% ± 2.1% against handwritten (greedy, 200 pairs)"},
	"doudizhu/learned": {"a5ea9960e1bd", "plyfit learn doudizhu --seed 11",
		"0.409 ± 0.038 more a game than handwritten (pimc:samples=1, 2,000 pairs): as landlord 0.514 ± 0.079, as the farmer after him 0.077 ± 0.031, as the one before him 0.225 ± 0.033"},
	"kuhn/learned": {"1bd8624cb7dc", "plyfit learn kuhn --seed 11",
		"0.367 ± 0.040 more a game than handwritten (pimc:samples=1, 3,000 pairs); with agent=(maxn:depth=2,prune=none) and 8 samples 0.137 ± 0.016 less"},
	"backgammon/learned": {"5b152b1f3bcb", "plyfit learn backgammon --seed 21",
		"56.6% ± 1.5% against handwritten (expectimax:depth=1, 2,000 pairs)"},
	"backgammon/raw": {"e67e874428f1", "plyfit train backgammon --features backgammon/raw-phases --games 30000 --alpha 0.03 --lambda 0.7 --link identity --seed 2",
		"40.9% ± 3.2% against handwritten (expectimax:depth=1, 400 pairs)"},
	"backgammon/pubeval": {"cdeb5ab3cc8b", "plyfit fit games --features backgammon/pubeval --distill teacher.json --choices --leaves afterstate",
		"41.5% ± 3.3% against handwritten (expectimax:depth=1, 400 pairs)"},
}

// learnedBest are the games whose learned model is the strongest that is shipped: its
// interval lies above the hand-written one.
var learnedBest = map[string]bool{
	"2048": true, "connect4": true, "othello": true, "go": true, "doudizhu": true, "backgammon": true, "checkers": true, "pacman": true, "pig": true,
}

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
			o := origins[e.Name+"/"+name]
			out = append(out, ShippedModel{Name: name, Strength: o.strength, Command: o.command, Digest: o.digest, path: path})
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
