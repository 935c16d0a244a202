package serve

import (
	"cmp"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/regular"
	"plyfit/internal/svg"
	"plyfit/models"
)

// modelLine is a game's models in the list.
type modelLine struct {
	Game  string
	Kinds []string
}

// modelList shows which models are shipped, and those in the folder of models.
func (s *Server) modelList(w http.ResponseWriter, r *http.Request) {
	data := struct {
		Head  head
		Games []modelLine
		Files []modelLine // of the folder, by game
	}{Head: s.head("Models | plyfit", "models")}
	for i := range s.config.Catalog {
		e := &s.config.Catalog[i]
		l := modelLine{Game: e.Name}
		for _, kind := range []string{"handwritten", "learned"} {
			if e.Ships(kind) {
				l.Kinds = append(l.Kinds, kind)
			}
		}
		if len(l.Kinds) > 0 {
			data.Games = append(data.Games, l)
		}
	}
	data.Files = s.modelFiles()
	s.render(w, r, "models.html", data)
}

// modelFiles are the model files in the folder that agents may name models of.
func (s *Server) modelFiles() (out []modelLine) {
	if s.limits.Models == "" {
		return nil
	}
	seen, byGame := 0, map[string][]string{}
	filepath.WalkDir(s.limits.Models, func(path string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > mostFiles {
			return fs.SkipAll
		}
		if filepath.Ext(path) != ".json" || !d.Type().IsRegular() {
			return nil
		}
		if data, err := regular.Read(path, longestModel); err == nil {
			if f, err := models.Read(path, data); err == nil {
				byGame[f.Game] = append(byGame[f.Game], path)
			}
		}
		return nil
	})
	for _, game := range slices.Sorted(maps.Keys(byGame)) {
		out = append(out, modelLine{game, byGame[game]})
	}
	return out
}

// Limits of what is shown of models.
const (
	mostBars     = 60        // weights as bars, the largest
	mostTerms    = 200       // terms of a difference
	longestModel = 8 << 20   // bytes of a model file
	largestTable = 512 << 20 // bytes of its pattern tables
)

// loaded is a model that is shown.
type loaded struct {
	file  *models.File
	set   features.Set
	model *models.Linear
}

// load reads a model of a game: a shipped one, or a file that agents may name.
func (s *Server) load(entry *catalog.Entry, name string) (*loaded, error) {
	var f *models.File
	var err error
	switch shipped := name == "handwritten" || name == "learned"; {
	case shipped && entry.Ships(name):
		f, err = models.LoadFS(entry.Models, name+"/"+entry.Name+".json")
	case shipped || s.limits.Models == "":
		return nil, fmt.Errorf("no model %q of %s: want one that is shipped, handwritten or learned", shortened(name), entry.Name)
	default:
		f, err = s.loadFile(entry, name)
	}
	if err != nil {
		return nil, err
	}
	world, err := s.config.Catalog.World(f.Game)
	if err != nil || world.Entry.Name != entry.Name {
		return nil, fmt.Errorf("%s: a model of %s: want one of %s", shortened(name), f.Game, entry.Name)
	}
	set, model, err := world.Bind(name, f)
	return &loaded{f, set, model}, err
}

// loadFile reads a model file of the folder.
func (s *Server) loadFile(entry *catalog.Entry, name string) (*models.File, error) {
	if !entry.MayRead(name) {
		return nil, fmt.Errorf("%s: want a model file in %s", shortened(name), s.limits.Models)
	}
	data, err := regular.Read(name, longestModel)
	if err != nil {
		return nil, fmt.Errorf("%s: want a model file of at most %d MB", shortened(name), longestModel>>20)
	}
	f, err := models.Read(name, data)
	if err != nil {
		return nil, err
	}
	bytes := 0
	for _, b := range f.TableBlocks {
		bytes += 4 * b.Len
	}
	if bytes > largestTable {
		return nil, fmt.Errorf("%s: %d MB of pattern tables: want at most %d MB", shortened(name), bytes>>20, largestTable>>20)
	}
	return models.Load(name)
}

// modelView is a model as its page shows it.
type modelView struct {
	Head                 head
	Game, Name, Beside   string
	Other                string
	File                 *models.File
	Bars                 template.HTML
	Terms, Shown, Weighs int
	Boards               []squareBoard
	Patterns             []patternView
	Diff                 *models.Difference
	Apart                bool // boards and patterns are of the difference
}

// model shows one model's weights: game=, name=; beside= another one's, and what sets
// the two apart.
func (s *Server) model(w http.ResponseWriter, r *http.Request) {
	entry, err := s.config.Catalog.Entry(r.FormValue("game"))
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	v, err := s.modelView(entry, r.FormValue("name"), r.FormValue("beside"))
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	s.render(w, r, "model.html", v)
}

// modelView is a model of a game, and, unless beside is "", what sets another one apart.
func (s *Server) modelView(entry *catalog.Entry, name, beside string) (*modelView, error) {
	s.drawing.Lock() // large tables one at a time
	defer s.drawing.Unlock()
	m, err := s.load(entry, name)
	if err != nil {
		return nil, err
	}
	v := &modelView{Head: s.head(entry.Name+" | plyfit", "models"), Game: entry.Name, Name: name, Beside: beside, File: m.file, Terms: len(m.file.Terms)}
	v.Bars, v.Shown = drawWeights(m.file)
	for _, kind := range []string{"handwritten", "learned"} {
		if kind != name && entry.Ships(kind) {
			v.Other = kind
		}
	}
	if beside == "" {
		v.Boards = squareBoards(m.file, nil)
		v.Patterns = drawPatterns(m.set, m.model, nil)
		return v, nil
	}
	other, err := s.load(entry, beside)
	if err != nil {
		return nil, err
	}
	d := models.Diff(m.file, other.file)
	slices.SortStableFunc(d.Terms, func(a, b models.TermDiff) int {
		return cmp.Compare(math.Abs(b.B-b.A), math.Abs(a.B-a.A))
	})
	d.Terms = d.Terms[:min(len(d.Terms), mostTerms)]
	v.Diff = &d
	if v.Apart = m.file.Features == other.file.Features; v.Apart {
		v.Boards = squareBoards(other.file, m.file)
		v.Patterns = drawPatterns(m.set, other.model, m.model)
	} else {
		v.Boards = squareBoards(m.file, nil)
		v.Patterns = drawPatterns(m.set, m.model, nil)
	}
	return v, nil
}

// drawWeights draws the largest weights, those of squares left out, as bars with their
// 95% intervals.
func drawWeights(f *models.File) (picture template.HTML, shown int) {
	var terms []models.NamedWeight
	for _, t := range f.Terms {
		if _, _, _, placed := features.OnSquare(t.Name); !placed {
			terms = append(terms, t)
		}
	}
	slices.SortStableFunc(terms, func(a, b models.NamedWeight) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	terms = terms[:min(len(terms), mostBars)]
	var names []string
	var values, errors []float64
	for _, t := range terms {
		e := t.Error
		if math.IsNaN(e) {
			e = 0
		}
		names, values, errors = append(names, t.Name), append(values, t.Weight), append(errors, e)
	}
	return bars(names, values, errors, "weights of "+f.Game), len(terms)
}

// squareBoard is the weights of one piece by the squares of a board.
type squareBoard struct {
	Name    string
	Picture template.HTML
}

// squareBoards gathers weights of pieces on squares into boards, in the order of their
// first names; those of less, where it is not nil, are subtracted.
func squareBoards(f, less *models.File) (out []squareBoard) {
	boards := map[string]*[64]float64{}
	var order []string
	gather := func(terms []models.NamedWeight, sign float64) {
		for _, t := range terms {
			key, file, rank, ok := features.OnSquare(t.Name)
			if !ok {
				continue
			}
			if boards[key] == nil {
				boards[key] = new([64]float64)
				order = append(order, key)
			}
			boards[key][rank*8+file] += sign * t.Weight
		}
	}
	gather(f.Terms, 1)
	if less != nil {
		gather(less.Terms, -1)
	}
	for _, key := range order {
		out = append(out, squareBoard{key, drawSquares(key, boards[key])})
	}
	return out
}

// Colours of squares, and how much of them the largest weight has.
const (
	aboveZero, belowZero = "#1f6fb2", "#b8432f"
	squareInk            = "#10151d"
	deepest              = 0.62
)

// squareText is a weight in so few characters that a square holds them: without the 0
// before the point, small ones rounded to thousandths.
func squareText(w float64) string {
	text := strings.Replace(fmt.Sprintf("%.2g", w), "0.", ".", 1)
	if len(text) > 5 {
		text = strings.Replace(fmt.Sprintf("%.3f", w), "0.", ".", 1)
	}
	if text == ".000" || text == "-.000" {
		return "0"
	}
	return text
}

// drawSquares paints each square by its weight: blue above 0, red below.
func drawSquares(label string, weights *[64]float64) template.HTML {
	const cell = 34.0
	largest := 1e-12
	for _, w := range weights {
		largest = max(largest, math.Abs(w))
	}
	p := svg.New(8*cell, 8*cell, "weights of "+label+" by square")
	p.Rect(0, 0, 8*cell, 8*cell, 0, "#ffffff")
	for i, w := range weights {
		x, y := float64(i%8)*cell, float64(7-i/8)*cell
		colour := aboveZero
		if w < 0 {
			colour = belowZero
		}
		share := math.Abs(w) / largest
		p.Rect(x, y, cell, cell, 0, colour, "fill-opacity", fmt.Sprintf("%.3f", deepest*share))
		p.Rect(x, y, cell, cell, 0, "none", "stroke", "#c9d0da")
		if w != 0 {
			p.Text(x+cell/2, y+cell/2+4, 10.5, squareInk, squareText(w))
		}
	}
	return template.HTML(p.String())
}
