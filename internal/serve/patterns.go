package serve

import (
	"html/template"
	"slices"
	"strings"

	"plyfit/features"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/models"
)

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
