package serve

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"regexp"
	"slices"

	"plyfit/internal/svg"
	"plyfit/models"
)

// modelList shows which models are shipped.
func (s *Server) modelList(w http.ResponseWriter, r *http.Request) {
	type line struct {
		Game  string
		Kinds []string
	}
	data := struct {
		Head  head
		Games []line
	}{Head: s.head("Models | plyfit", "models")}
	for i := range s.config.Catalog {
		e := &s.config.Catalog[i]
		l := line{Game: e.Name}
		for _, kind := range []string{"handwritten", "learned"} {
			if e.Ships(kind) {
				l.Kinds = append(l.Kinds, kind)
			}
		}
		if len(l.Kinds) > 0 {
			data.Games = append(data.Games, l)
		}
	}
	s.render(w, r, "models.html", data)
}

// mostBars is how many weights are drawn at most, the largest.
const mostBars = 60

// model shows one model's weights: game=, name=; beside= another one's, and what sets
// the two apart.
func (s *Server) model(w http.ResponseWriter, r *http.Request) {
	entry, err := s.config.Catalog.Entry(r.FormValue("game"))
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	load := func(name string) (*models.File, error) {
		if (name != "handwritten" && name != "learned") || !entry.Ships(name) {
			return nil, fmt.Errorf("no model %q of %s: want one that is shipped, handwritten or learned", shortened(name), entry.Name)
		}
		return models.LoadFS(entry.Models, name+"/"+entry.Name+".json")
	}
	name, beside := r.FormValue("name"), r.FormValue("beside")
	f, err := load(name)
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	data := struct {
		Head                 head
		Game, Name, Beside   string
		Other                string
		File                 *models.File
		Bars                 template.HTML
		Terms, Shown, Weighs int
		Boards               []squareBoard
		Diff                 *models.Difference
	}{Head: s.head(entry.Name+" | plyfit", "models"), Game: entry.Name, Name: name, Beside: beside, File: f}
	data.Bars, data.Shown = drawWeights(f)
	data.Terms = len(f.Terms)
	data.Boards = squareBoards(f)
	for _, kind := range []string{"handwritten", "learned"} {
		if kind != name && entry.Ships(kind) {
			data.Other = kind
		}
	}
	if beside != "" {
		other, err := load(beside)
		if err != nil {
			refuse(w, r, http.StatusNotFound, err.Error())
			return
		}
		d := models.Diff(f, other)
		slices.SortStableFunc(d.Terms, func(a, b models.TermDiff) int {
			return cmp.Compare(math.Abs(b.B-b.A), math.Abs(a.B-a.A))
		})
		d.Terms = d.Terms[:min(len(d.Terms), 200)]
		data.Diff = &d
	}
	s.render(w, r, "model.html", data)
}

// square tells a weight of a piece on a square by its name: what it is of, file, rank,
// and the phase.
var square = regexp.MustCompile(`^(.+)-([a-h])([1-8])(@\d+)?$`)

// drawWeights draws the largest weights, those of squares left out, as bars with their
// 95% intervals.
func drawWeights(f *models.File) (picture template.HTML, shown int) {
	var terms []models.NamedWeight
	for _, t := range f.Terms {
		if !square.MatchString(t.Name) {
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
// first names.
func squareBoards(f *models.File) (out []squareBoard) {
	boards := map[string]*[64]float64{}
	var order []string
	for _, t := range f.Terms {
		m := square.FindStringSubmatch(t.Name)
		if m == nil {
			continue
		}
		key := m[1] + m[4]
		if boards[key] == nil {
			boards[key] = new([64]float64)
			order = append(order, key)
		}
		boards[key][int(m[3][0]-'1')*8+int(m[2][0]-'a')] = t.Weight
	}
	for _, key := range order {
		out = append(out, squareBoard{key, drawSquares(key, boards[key])})
	}
	return out
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
		colour := "#1f6fb2"
		if w < 0 {
			colour = "#b8432f"
		}
		share := math.Abs(w) / largest
		p.Rect(x, y, cell, cell, 0, colour, "fill-opacity", fmt.Sprintf("%.3f", 0.62*share))
		p.Rect(x, y, cell, cell, 0, "none", "stroke", "#c9d0da")
		if w != 0 {
			p.Text(x+cell/2, y+cell/2+4, 10.5, "#10151d", fmt.Sprintf("%.2g", w))
		}
	}
	return template.HTML(p.String())
}
