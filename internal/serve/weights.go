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

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/disk"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/learn/fit"
	"plyfit/models"
)

var modelRoutes = []route{
	{"GET /models", (*Server).modelList, "models.html"},
	{"GET /model", (*Server).model, "model.html"},
}

// modelLine is a row of a list of models.
type modelLine struct {
	Game  string
	Kinds []string
}

// modelList lists the shipped models and the files in the models folder.
func (s *Server) modelList(http.ResponseWriter, *http.Request) (any, error) {
	data := struct {
		Head  head
		Games []modelLine
		Files []modelLine // files in the models folder, by game
	}{Head: s.head("Models | plyfit", "models")}
	for i := range s.config.Catalog {
		e := &s.config.Catalog[i]
		if kinds := shippedEvaluations(e); len(kinds) > 0 {
			data.Games = append(data.Games, modelLine{e.Name, kinds})
		}
	}
	data.Files, _ = s.modelFiles()
	return data, nil
}

// modelFiles lists the files in the models folder by game. For each skipped file, faults contains
// the reason.
func (s *Server) modelFiles() (out []modelLine, faults []string) {
	if s.limits.Models == "" {
		return nil, nil
	}
	seen, byGame := 0, map[string][]string{}
	filepath.WalkDir(s.limits.Models, func(path string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > mostFiles {
			return fs.SkipAll
		}
		if filepath.Ext(path) != ".json" || !d.Type().IsRegular() {
			return nil
		}
		data, err := disk.Read(path, longestModel)
		var f *models.File
		if err == nil {
			f, err = models.Read(path, data)
		}
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s was skipped: %v", filepath.Base(path), err))
			return nil
		}
		byGame[f.Game] = append(byGame[f.Game], path)
		return nil
	})
	for _, game := range slices.Sorted(maps.Keys(byGame)) {
		out = append(out, modelLine{game, byGame[game]})
	}
	return out, faults
}

// Limits on the models shown.
const (
	mostTerms    = 200       // maximum number of terms listed in a comparison
	longestModel = 8 << 20   // maximum size of a model file, in bytes
	largestTable = 512 << 20 // maximum size of its pattern tables, in bytes
)

type loaded struct {
	file  *models.File
	set   features.Set
	model *models.Linear
}

// load loads a shipped model of a game, or a file that agents may use.
func (s *Server) load(entry *catalog.Entry, name string) (*loaded, error) {
	var f *models.File
	var err error
	switch shipped := name == "handwritten" || name == "learned"; {
	case shipped && entry.Ships(name):
		f, err = models.LoadFS(entry.Models, name+"/"+entry.Name+".json")
	case shipped || s.limits.Models == "":
		return nil, fmt.Errorf("no model %q for %s; want handwritten or learned", shortened(name), entry.Name)
	default:
		f, err = s.loadFile(entry, name)
	}
	if err != nil {
		return nil, err
	}
	if f.Game != entry.Name {
		return nil, fmt.Errorf("%s is a model for %s; want a model for %s", shortened(name), f.Game, entry.Name)
	}
	world, err := s.worldOf(name, f)
	if err != nil {
		return nil, err
	}
	set, model, err := world.Bind(name, f)
	return &loaded{f, set, model}, err
}

func (s *Server) loadFile(entry *catalog.Entry, name string) (*models.File, error) {
	if !entry.MayRead(name) {
		return nil, fmt.Errorf("%s: want a model file in %s", shortened(name), s.limits.Models)
	}
	data, err := disk.Read(name, longestModel)
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
		return nil, fmt.Errorf("%s: pattern tables take up %d MB; want at most %d MB", shortened(name), bytes>>20, largestTable>>20)
	}
	return models.Load(name)
}

type modelView struct {
	Head             head
	Game, Name       string
	Beside, Other    string
	File             *models.File
	Terms            int
	Files            []modelFile // the model and the model compared with
	Weights, Squares []report.Figure
	Patterns         []patternView
	Lines            []weightLine      // largest weights, or largest differences
	Rest             []weightLine      // other weights, up to the limit of the page
	OtherDifferences []models.HeadDiff // other differences between the two files
	Unit             string            // unit of the weights of both models; "" if their links are equal
	Apart            bool              // whether squares and patterns show the difference between the models
}

type modelFile struct {
	Name string
	*models.File
}

// weightLine is a term with its weight in A, and in B if two models are compared.
type weightLine struct {
	models.TermDiff
	Doc   string
	Half  float64 // half the width of A's 95% interval; 0 if unknown
	Apart bool    // whether B minus A is meaningful, because both weights have the same unit
}

// mostLines is the number of weights shown at first.
const mostLines = 24

// model shows the weights of the model in name= for the game in game=, and compares it with the
// model in beside= if there is one.
func (s *Server) model(_ http.ResponseWriter, r *http.Request) (any, error) {
	entry, err := s.config.Catalog.Entry(r.FormValue("game"))
	if err != nil {
		return nil, refusal{http.StatusNotFound, err}
	}
	v, err := s.modelView(entry, r.FormValue("name"), r.FormValue("beside"))
	if err != nil {
		return nil, refusal{http.StatusNotFound, err}
	}
	return v, nil
}

// modelView returns the view of a model. If beside is not empty, the model is compared with the
// model of that name.
func (s *Server) modelView(entry *catalog.Entry, name, beside string) (*modelView, error) {
	s.drawing.Lock() // large tables are loaded one at a time
	defer s.drawing.Unlock()
	m, err := s.load(entry, name)
	if err != nil {
		return nil, err
	}
	v := &modelView{Head: s.head(entry.Name+" | plyfit", "models"), Game: entry.Name, Name: name, Beside: beside, File: m.file, Terms: len(m.file.Terms)}
	v.Files = []modelFile{{name, m.file}}
	v.Lines = m.lines()
	for _, kind := range shippedEvaluations(entry) {
		if kind != name {
			v.Other = kind
		}
	}
	shown, less := m.model, (*models.Linear)(nil)
	if beside != "" {
		other, err := s.load(entry, beside)
		if err != nil {
			return nil, err
		}
		d, err := models.Diff(m.file, other.file)
		if err != nil {
			return nil, err
		}
		v.Files, v.OtherDifferences, v.Lines, v.Unit = append(v.Files, modelFile{beside, other.file}), d.Head, differing(&d, m, other), d.Text(name, beside)
		if d.Times != 0 {
			converted, _ := m.model.OnLink(other.model.Link)
			v.Weights = picturesOf(fit.Beside([2]string{name, beside}, [2]*models.Linear{converted, other.model}, [2]func(string) (float64, float64, bool){m.intervals(d.Times), other.intervals(1)}))
			if v.Apart = m.file.Features == other.file.Features; v.Apart {
				shown, less = other.model, converted
			}
		}
	}
	if beside == "" {
		v.Weights = picturesOf(fit.Coefficients(m.model, m.intervals(1)))
	}
	v.Lines, v.Rest = v.Lines[:min(len(v.Lines), mostLines)], v.Lines[min(len(v.Lines), mostLines):min(len(v.Lines), mostTerms)]
	v.Patterns = drawPatterns(m.set, shown, less)
	apart := *shown
	if less != nil {
		apart.Weights = slices.Clone(shown.Weights)
		for i, w := range less.Weights {
			apart.Weights[i] -= w
		}
	}
	v.Squares = picturesOf(fit.SquareWeights(&apart))
	return v, nil
}

// lines returns the model's weights outside tables and squares, largest first.
func (m *loaded) lines() (out []weightLine) {
	docs := features.DocsByName(m.set)
	for _, t := range m.file.Terms {
		if _, _, _, placed := features.OnSquare(t.Name); placed {
			continue
		}
		line := weightLine{TermDiff: models.TermDiff{Name: t.Name, A: t.Weight, InA: true}, Doc: plainDoc(docs[t.Name])}
		if !math.IsNaN(t.Error) {
			line.Half = stats.NormalQuantile95 * t.Error
		}
		out = append(out, line)
	}
	slices.SortStableFunc(out, func(a, b weightLine) int { return cmp.Compare(math.Abs(b.A), math.Abs(a.A)) })
	return out
}

// differing returns the weights of two models, largest difference first.
func differing(d *models.Difference, a, b *loaded) []weightLine {
	docs, others := features.DocsByName(a.set), features.DocsByName(b.set)
	out := list.Map(d.Terms, func(t models.TermDiff) weightLine {
		return weightLine{TermDiff: t, Doc: plainDoc(cmp.Or(docs[t.Name], others[t.Name])), Apart: d.Times != 0}
	})
	slices.SortStableFunc(out, func(a, b weightLine) int { return cmp.Compare(math.Abs(b.Gap()), math.Abs(a.Gap())) })
	return out
}

// Gap returns the weight in B minus the weight in A.
func (l weightLine) Gap() float64 { return l.B - l.A }

// plainDoc removes Markdown's backquotes.
func plainDoc(text string) string { return strings.ReplaceAll(text, "`", "") }

// intervals returns a function that looks up a weight's 95% interval by name and multiplies it by a
// factor. It returns nil if the file contains no standard errors.
func (m *loaded) intervals(times float64) func(name string) (low, high float64, ok bool) {
	known := map[string]models.NamedWeight{}
	for _, t := range m.file.Terms {
		if !math.IsNaN(t.Error) {
			known[t.Name] = t
		}
	}
	if len(known) == 0 {
		return nil
	}
	return func(name string) (low, high float64, ok bool) {
		t, ok := known[name]
		return times * (t.Weight - stats.NormalQuantile95*t.Error), times * (t.Weight + stats.NormalQuantile95*t.Error), ok
	}
}

// picturesOf returns f for use in the page. If err is not nil, the figure shows the error. If ok is
// false, there is no figure.
func picturesOf(f report.Figure, ok bool, err error) []report.Figure {
	switch {
	case err != nil:
		return []report.Figure{{Panels: []template.HTML{drawing(err.Error())}}}
	case ok:
		return []report.Figure{f}
	}
	return nil
}

// patternView is a pattern of a model with its picture.
type patternView struct {
	Name, Legend string
	Weights      int // size of the table
	Used         int // number of weights other than 0
	Picture      template.HTML
}

// shownFillings is the maximum number of fillings drawn at each end: those with the highest weights
// and those with the lowest.
const shownFillings = 3

// mostPatterns is the maximum number of patterns that a page draws.
const mostPatterns = 24

// drawPatterns draws a model's patterns with the fillings that have the highest and lowest weights.
// If other is not nil, its weights are subtracted.
func drawPatterns(set features.Set, m, other *models.Linear) (out []patternView) {
	shaper, ok := set.(features.Shaper)
	if !ok {
		return nil
	}
	shapes := map[string]features.Shape{}
	for _, s := range shaper.Shapes() {
		shapes[s.Name] = s
	}
	first := 0
	for _, b := range set.Blocks() {
		if s, ok := shapes[b.Name]; ok && len(out) < mostPatterns {
			v := patternView{Name: b.Name, Legend: s.Legend, Weights: b.Len}
			x := make([]float64, b.Len)
			for i := range x {
				if x[i] = m.Weight(int32(first + i)); other != nil {
					x[i] -= other.Weight(int32(first + i))
				}
				if x[i] != 0 {
					v.Used++
				}
			}
			name := func(i int) report.Entry {
				_, symbols, _ := strings.Cut(b.Label(i), "[")
				return report.Entry{Symbols: strings.TrimSuffix(symbols, "]"), Value: x[i]}
			}
			v.Picture = plot(report.Pattern{Title: s.Name, Rows: s.Rows, Columns: s.Columns, Cells: s.Cells, High: extremes(x, name, 1), Low: extremes(x, name, -1)})
			out = append(out, v)
		}
		first += b.Len
	}
	return out
}

// extremes returns up to shownFillings of the largest positive values of sign*x, largest first.
func extremes(x []float64, name func(int) report.Entry, sign float64) []report.Entry {
	var best []int
	for i, w := range x {
		if sign*w > 0 {
			at := slices.IndexFunc(best, func(k int) bool { return sign*w > sign*x[k] })
			if at < 0 {
				at = len(best)
			}
			best = slices.Insert(best, at, i)
			best = best[:min(len(best), shownFillings)]
		}
	}
	return list.Map(best, name)
}
