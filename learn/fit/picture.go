package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plyfit/features"
	"plyfit/internal/report"
	"plyfit/learn/validate"
	"plyfit/models"
)

// mostDrawn is the maximum number of weights in a figure.
const mostDrawn = 30

// Coefficients draws a model's largest weights with their intervals, except the weights of squares
// and tables. The result ok is false if there are none. The function interval, which may be nil,
// returns ok = false for a weight without an interval.
func Coefficients(m *models.Linear, interval func(name string) (low, high float64, ok bool)) (f report.Figure, ok bool, err error) {
	rows := weightRows(m, interval)
	all := len(rows)
	if all == 0 {
		return f, false, nil
	}
	slices.SortStableFunc(rows, func(a, b report.Row) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	rows = rows[:min(len(rows), mostDrawn)]
	which := fmt.Sprintf("All %d non-zero weights", all)
	if all > len(rows) {
		which = fmt.Sprintf("The %d largest of %d non-zero weights", len(rows), all)
	}
	if interval != nil {
		which += ", with 95% intervals"
	}
	caption := which + ", without the bias and the square weights. A weight is the value of one unit of its term, so a large weight matters little if its term is always small."
	f, err = report.NewFigure("weights", "", caption, report.Rows{Title: "Weights", XLabel: "weight of one unit of the term", Rows: rows, Level: new(0.0), Compact: true})
	return f, true, err
}

// weightRows returns the weights that are not 0, except the weights of squares and tables.
func weightRows(m *models.Linear, interval func(name string) (low, high float64, ok bool)) (rows []report.Row) {
	for i, w := range m.Weights {
		name := m.Name(int32(i))
		if _, _, _, placed := features.OnSquare(name); w == 0 || placed {
			continue
		}
		row := report.Row{Name: name, Value: w, Low: w, High: w, Color: 1}
		if interval != nil {
			if low, high, ok := interval(name); ok {
				row.Low, row.High = low, high
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Beside draws the weights of two models in two panels, with the terms in the same order and on the
// same axis. The terms are sorted by the larger of their two weights. If a model has no nonzero
// weight for a term, its panel says so. The intervals may be nil, as in [Coefficients].
func Beside(names [2]string, list [2]*models.Linear, intervals [2]func(name string) (low, high float64, ok bool)) (f report.Figure, ok bool, err error) {
	var of [2]map[string]report.Row
	size, order := map[string]float64{}, []string(nil)
	for k, m := range list {
		of[k] = map[string]report.Row{}
		for _, row := range weightRows(m, intervals[k]) {
			of[k][row.Name] = row
			if _, known := size[row.Name]; !known {
				order = append(order, row.Name)
			}
			size[row.Name] = max(size[row.Name], math.Abs(row.Value))
		}
	}
	if len(order) == 0 {
		return f, false, nil
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(size[b], size[a]) })
	all := len(order)
	order = order[:min(all, mostDrawn)]
	lo, hi := 0.0, 0.0
	var panels []report.Plot
	var rows [2][]report.Row
	for k := range list {
		for _, name := range order {
			row, has := of[k][name]
			if !has {
				row = report.Row{Name: name, Missing: true, Text: "none"}
			}
			row.Color = k + 1
			lo, hi = min(lo, row.Low), max(hi, row.High)
			rows[k] = append(rows[k], row)
		}
	}
	for k := range list {
		panels = append(panels, report.Rows{Title: names[k], XLabel: "weight of one unit of the term", Rows: rows[k], Level: new(0.0), XMin: &lo, XMax: &hi, Compact: true})
	}
	f, err = report.NewFigure("weights", "", fmt.Sprintf("The %d largest of %d weights that are non-zero in at least one model, in the same order and on the same axis, with 95%% intervals if known. The bias and the square weights are omitted.", len(order), all), panels...)
	return f, true, err
}

// SquareWeights draws the weights of pieces on squares, with one board for each piece and phase,
// all on the same scale. The result ok is false if there are no such weights.
func SquareWeights(m *models.Linear) (f report.Figure, ok bool, err error) {
	var boards []report.Heat
	at := map[string]int{}
	most := 0.0
	for i, w := range m.Weights {
		title, file, rank, ok := features.OnSquare(m.Name(int32(i)))
		if !ok {
			continue
		}
		if _, known := at[title]; !known {
			at[title] = len(boards)
			boards = append(boards, emptyBoard(title))
		}
		boards[at[title]].Values[7-rank][file] = w
		most = math.Max(most, math.Abs(w))
	}
	if len(boards) == 0 || most == 0 {
		return f, false, nil
	}
	var plots []report.Plot
	for _, b := range boards {
		b.Most = most
		plots = append(plots, b)
	}
	f, err = report.NewFigure("squares", "Weights by square", "Weights of each piece on the squares of the board, from its owner's side. Blue is above 0 and orange below; all boards have the same scale. Squares without a number have no weight of their own. The phase follows @.", plots...)
	return f, true, err
}

func emptyBoard(title string) report.Heat {
	h := report.Heat{Title: title, Columns: []string{"a", "b", "c", "d", "e", "f", "g", "h"}}
	for rank := 8; rank >= 1; rank-- {
		row := slices.Repeat([]float64{math.NaN()}, 8)
		h.Values, h.Rows = append(h.Values, row), append(h.Rows, fmt.Sprint(rank))
	}
	return h
}

// Pictures adds figures of a model's weights to a page: rows with intervals, and boards.
func Pictures(page *report.Page, m *models.Linear, interval func(name string) (low, high float64, ok bool)) error {
	if err := page.AddFigure(Coefficients(m, interval)); err != nil {
		return err
	}
	return page.AddFigure(SquareWeights(m))
}

// Intervals returns a function that maps the name of a weight to the weight's 95% interval.
func (f *Result) Intervals() func(name string) (low, high float64, ok bool) {
	type ends struct{ low, high float64 }
	known := map[string]ends{}
	for _, w := range f.Report.Weights {
		if low, high, ok := w.Interval(); ok {
			known[w.Name] = ends{low, high}
		}
	}
	return func(name string) (low, high float64, ok bool) {
		e, ok := known[name]
		return e.low, e.high, ok
	}
}

// AddCalibration adds a chart to a page, followed by the tables. The chart shows the predicted and
// the actual value for each tenth of the rows. A sentence at the end states in how many tenths the
// actual value differs significantly from the prediction.
func AddCalibration(page *report.Page, name, unit, caption string, tenths []validate.Stratum, tables ...report.Block) error {
	s, text := calibrated(name, tenths)
	f, err := report.NewFigure("calibration", "", caption+" On the dotted line, predictions are correct on average.",
		report.Chart{Title: "Calibration", XLabel: "predicted " + unit, YLabel: "realised (mean)", Series: []report.Series{s}, Diagonal: true})
	if err != nil {
		return err
	}
	page.Add(f)
	page.Add(tables...)
	page.Add(report.Text(text))
	return nil
}

// calibration contains the data for the "calibration" template, for N groups of rows.
type calibration struct {
	N, Above, Below int // number of groups, and how many of them are significantly above or below the prediction
	Largest         float64
}

func calibrated(name string, tenths []validate.Stratum) (report.Series, string) {
	s, c := report.Series{Name: name}, calibration{N: len(tenths)}
	for i := range tenths {
		b := &tenths[i]
		half, off := b.Half(), b.Realised-b.Predicted
		s.X, s.Y = append(s.X, b.Predicted), append(s.Y, b.Realised)
		s.Low, s.High = append(s.Low, b.Realised-half), append(s.High, b.Realised+half)
		if half == 0 || math.Abs(off) <= half { // no interval to compare with, or no significant difference
			continue
		}
		if off > 0 {
			c.Above++
		} else {
			c.Below++
		}
		if math.Abs(off) > math.Abs(c.Largest) {
			c.Largest = off
		}
	}
	return s, say("calibration", c)
}
