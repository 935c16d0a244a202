package fit

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/internal/report"
	"plyfit/models"
)

// PatternTable describes how much a pattern's weight table contributes to the evaluations of a set
// of positions.
type PatternTable struct {
	features.Shape
	Weights int // number of weights in the table
	Visited int // number of weights that occur in the positions
	// Spread is the standard deviation of the table's contribution to the sum, over the positions.
	Spread float64
	// High and Low contain the fillings whose weights are above and below the mean over all visits,
	// up to three each, sorted by their contribution to the variance of the weights, largest first.
	High, Low []Filling
}

// A Filling is a table entry that occurs in the positions.
type Filling struct {
	Symbols string  // contents of the pattern's cells
	Above   float64 // difference between the weight and the mean over all visits
	Share   float64 // fraction of the table's visits
}

// shownFillings is the maximum number of fillings in High and in Low.
const shownFillings = 3

// visits accumulates statistics about a table over the positions.
type visits struct {
	count     map[int32]float64 // total weight of the visits, by index of the table's weight
	sum, sum2 float64           // sums of the table's contributions and of their squares
}

// PatternTables reads the rows once and measures the contribution of each pattern's table in m. It
// returns nil if the set has no patterns or rows is nil. Each row counts with its weight.
func PatternTables(set features.Set, m *models.Linear, rows datasets.Samples) ([]PatternTable, error) {
	shaper, ok := set.(features.Shaper)
	if !ok || rows == nil {
		return nil, nil
	}
	var tables []PatternTable
	var seen []visits
	owner := map[string]int{} // index into tables, by name of the block
	for _, s := range shaper.Shapes() {
		owner[s.Name] = len(tables)
		tables, seen = append(tables, PatternTable{Shape: s}), append(seen, visits{count: map[int32]float64{}})
	}
	blocks := set.Blocks()
	var firsts []int32
	first := int32(0)
	for _, b := range blocks {
		firsts = append(firsts, first)
		first += int32(b.Len)
	}
	total := 0.0
	adds := make([]float64, len(tables))
	for s, err := range rows.All() {
		if err != nil {
			return nil, err
		}
		total += s.Weight
		clear(adds)
		for _, t := range s.X {
			if t.Index < 0 || t.Index >= first { // skip the bias
				continue
			}
			b, found := slices.BinarySearch(firsts, t.Index)
			if !found {
				b--
			}
			k, ok := owner[blocks[b].Name]
			if !ok {
				continue
			}
			seen[k].count[t.Index] += s.Weight
			adds[k] += float64(float64(t.Value) * m.Weight(t.Index))
		}
		for k, x := range adds {
			seen[k].sum += float64(s.Weight * x)
			seen[k].sum2 += float64(s.Weight * x * x)
		}
	}
	for k := range tables {
		b := slices.IndexFunc(blocks, func(b features.Block) bool { return b.Name == tables[k].Name })
		tables[k].summarise(&seen[k], m, &blocks[b], firsts[b], total)
	}
	return tables, nil
}

func (t *PatternTable) summarise(v *visits, m *models.Linear, b *features.Block, first int32, total float64) {
	t.Weights, t.Visited = b.Len, len(v.count)
	if total > 0 {
		mean := v.sum / total
		t.Spread = math.Sqrt(math.Max(0, v.sum2/total-float64(mean*mean)))
	}
	order := slices.Sorted(maps.Keys(v.count)) // sum in a fixed order, unlike the map's
	all, mean := 0.0, 0.0
	for _, i := range order {
		all += v.count[i]
		mean += float64(v.count[i] * m.Weight(i))
	}
	if all == 0 {
		return
	}
	mean /= all
	variance := func(i int32) float64 { d := m.Weight(i) - mean; return v.count[i] * d * d }
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(variance(b), variance(a)) })
	for _, i := range order {
		_, symbols, _ := strings.Cut(b.Label(int(i-first)), "[")
		f := Filling{Symbols: strings.TrimSuffix(symbols, "]"), Above: m.Weight(i) - mean, Share: v.count[i] / all}
		switch {
		case f.Above > 0 && len(t.High) < shownFillings:
			t.High = append(t.High, f)
		case f.Above < 0 && len(t.Low) < shownFillings:
			t.Low = append(t.Low, f)
		}
	}
}

// mostPatterns is the maximum number of patterns in a figure. The patterns with the largest spread
// are drawn.
const mostPatterns = 12

// AddPatterns adds to a page a figure that shows how much the model's pattern tables contribute
// over the fitted rows.
func (f *Result) AddPatterns(page *report.Page) error {
	tables, err := PatternTables(f.Set, f.Model, f.Samples)
	if err != nil {
		return err
	}
	return AddPatterns(page, tables, "the rows used in the fit")
}

// AddPatterns adds a figure of the tables to a page, if there are any tables. The last parameter
// describes the positions in which the tables were measured.
func AddPatterns(page *report.Page, tables []PatternTable, of string) error {
	return page.AddFigure(patternFigure(tables, of))
}

// patternFigure draws the tables. The result ok is false if there are none.
func patternFigure(tables []PatternTable, of string) (f report.Figure, ok bool, err error) {
	if len(tables) == 0 {
		return f, false, nil
	}
	tables = slices.Clone(tables)
	slices.SortStableFunc(tables, func(a, b PatternTable) int { return cmp.Compare(b.Spread, a.Spread) })
	tables = tables[:min(len(tables), mostPatterns)]
	var panels []report.Plot
	for _, t := range tables {
		p := report.Pattern{
			Title: t.Name, Rows: t.Rows, Columns: t.Columns, Cells: t.Cells,
			Note: fmt.Sprintf("adds ±%.3g to a position; %s of %s fillings occur", t.Spread, report.Count(int64(t.Visited)), report.Count(int64(t.Weights))),
		}
		p.High, p.Low = entries(t.High), entries(t.Low)
		panels = append(panels, p)
	}
	f, err = report.NewFigure("patterns", "Patterns", fmt.Sprintf("The cells of each pattern, in decreasing order of importance. ± is the standard deviation of the table's contribution to the weighted sum, over %s. Next to each pattern are the fillings that account for most of the table's variance: how far their weights are above (blue) or below (orange) the table's mean, and how often they occur. Cell symbols: %s.", of, tables[0].Legend), panels...)
	return f, true, err
}

func entries(list []Filling) (out []report.Entry) {
	for _, f := range list {
		note := percent(f.Share)
		if f.Share < 0.0005 {
			note = "< 0.1%"
		}
		out = append(out, report.Entry{Symbols: f.Symbols, Value: f.Above, Note: note})
	}
	return out
}
