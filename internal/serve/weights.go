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

type modelLine struct {
	Game  string
	Kinds []string
}

// modelList lists the shipped models and those in the models folder.
func (s *Server) modelList(http.ResponseWriter, *http.Request) (any, error) {
	data := struct {
		Head  head
		Games []modelLine
		Files []modelLine // of the folder, by game
	}{Head: s.head("Models | plyfit", "models")}
	for i := range s.config.Catalog {
		e := &s.config.Catalog[i]
		if kinds := usual(e); len(kinds) > 0 {
			data.Games = append(data.Games, modelLine{e.Name, kinds})
		}
	}
	data.Files, _ = s.modelFiles()
	return data, nil
}

// modelFiles lists the files in the models folder by game, with the reason for each skipped one.
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

// Limits of the models shown.
const (
	mostTerms    = 200       // terms of a difference
	longestModel = 8 << 20   // bytes of a model file
	largestTable = 512 << 20 // bytes of its pattern tables
)

type loaded struct {
	file  *models.File
	set   features.Set
	model *models.Linear
}

// load reads a shipped model of a game, or a file that agents may name.
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
	if f.Game != entry.Name {
		return nil, fmt.Errorf("%s: a model of %s: want one of %s", shortened(name), f.Game, entry.Name)
	}
	world, err := s.fits(name, f)
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
		return nil, fmt.Errorf("%s: %d MB of pattern tables: want at most %d MB", shortened(name), bytes>>20, largestTable>>20)
	}
	return models.Load(name)
}

type modelView struct {
	Head             head
	Game, Name       string
	Beside, Other    string
	File             *models.File
	Terms            int
	Files            []modelFile // the model, and the one that it is compared with
	Weights, Squares []report.Figure
	Patterns         []patternView
	Lines            []weightLine      // the largest weights, or what differs most
	Rest             []weightLine      // the others, as many as a page lists
	Besides          []models.HeadDiff // what else the two files say differently
	Unit             string            // which unit the weights of two are in; "": both have one link
	Apart            bool              // squares and patterns are of the difference
}

type modelFile struct {
	Name string
	*models.File
}

// weightLine is a term with its weight in A, and in B if two models are compared.
type weightLine struct {
	models.TermDiff
	Doc   string
	Half  float64 // of the 95% interval of A; 0: not known
	Apart bool    // B less A says something: both weights are in one unit
}

// mostLines is the number of weights shown at first.
const mostLines = 24

// model shows one model's weights: game=, name=; beside= the model to compare with.
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

// modelView is a model, compared with another unless beside is "".
func (s *Server) modelView(entry *catalog.Entry, name, beside string) (*modelView, error) {
	s.drawing.Lock() // large tables one at a time
	defer s.drawing.Unlock()
	m, err := s.load(entry, name)
	if err != nil {
		return nil, err
	}
	v := &modelView{Head: s.head(entry.Name+" | plyfit", "models"), Game: entry.Name, Name: name, Beside: beside, File: m.file, Terms: len(m.file.Terms)}
	v.Files = []modelFile{{name, m.file}}
	v.Lines = m.lines()
	for _, kind := range usual(entry) {
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
		v.Files, v.Besides, v.Lines, v.Unit = append(v.Files, modelFile{beside, other.file}), d.Head, differing(&d, m, other), d.Text(name, beside)
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

// lines are the model's weights outside tables and squares, the largest first.
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

// differing are the weights of two models, the largest difference first.
func differing(d *models.Difference, a, b *loaded) (out []weightLine) {
	docs, others := features.DocsByName(a.set), features.DocsByName(b.set)
	for _, t := range d.Terms {
		out = append(out, weightLine{TermDiff: t, Doc: plainDoc(cmp.Or(docs[t.Name], others[t.Name])), Apart: d.Times != 0})
	}
	slices.SortStableFunc(out, func(a, b weightLine) int { return cmp.Compare(math.Abs(b.Gap()), math.Abs(a.Gap())) })
	return out
}

// Gap is what B has more than A.
func (l weightLine) Gap() float64 { return l.B - l.A }

// plainDoc removes Markdown's backquotes.
func plainDoc(text string) string { return strings.ReplaceAll(text, "`", "") }

// intervals are the weights' 95% intervals by name, scaled by times; nil: the file has none.
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

// picturesOf is a figure for the page; none if ok is false.
func picturesOf(f report.Figure, ok bool, err error) []report.Figure {
	switch {
	case err != nil:
		return []report.Figure{{Panels: []template.HTML{drawing(err.Error())}}}
	case ok:
		return []report.Figure{f}
	}
	return nil
}

type patternView struct {
	Name, Legend string
	Weights      int // in the table
	Used         int // that are not 0
	Picture      template.HTML
}

// shownFillings is the number of fillings drawn of the highest, and of the lowest.
const shownFillings = 3

const mostPatterns = 24

// drawPatterns draws a model's patterns by the fillings with the highest and the lowest weights;
// other, unless nil, is subtracted.
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

// extremes are the largest positive values of sign*x, the largest first.
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
