package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"plyfit/internal/disk"
	"plyfit/internal/list"
	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// weightsFormat is the value of "format" in JSON weight files.
const weightsFormat = "plyfit-weights/1"

// Weights contains the weights of the columns of a table, that is, the terms of an engine's own
// evaluation.
type Weights struct {
	File    string // path from which the weights were read, for error messages
	Tapered bool   // whether Middlegame and Endgame may differ
	Columns []Weight
	Widths  map[string]float64    // prior standard deviations of some weights (CSV only)
	Limits  map[string][2]float64 // minima and maxima of some weights (CSV only)

	// The following fields are optional in JSON files and zero if missing.
	Scale    float64 // scale: a weighted sum z corresponds to the fraction 1/(1+exp(-Scale*z)) of a point
	Phase    string  // name of the phase column
	PhaseMax float64 // phase of the middlegame
	Data     string  // digest of the table to which the weights were fitted
	HeldOut  float64 // loss on the held-out rows of that table; not read

	// The following fields are used only for writing.
	Rows     int  // number of rows in the table
	Squared  bool // whether the weights minimise the squared error rather than the cross-entropy
	Integers bool // whether all weights except frozen ones were rounded
}

// A Weight is the weight of a column. If the weights are not tapered, its two values are equal.
type Weight struct {
	Name                string
	Middlegame, Endgame float64
}

// Set sets the weight of a column. It adds the column if it does not exist.
func (w *Weights) Set(c Weight) {
	i := slices.IndexFunc(w.Columns, func(o Weight) bool { return o.Name == c.Name })
	if i < 0 {
		w.Columns = append(w.Columns, c)
		return
	}
	w.Columns[i] = c
}

// OnScale converts the weights to another scale. It does nothing if the file does not specify a
// scale.
func (w *Weights) OnScale(scale float64) {
	if w.Scale == 0 || w.Scale == scale {
		return
	}
	factor := w.Scale / scale
	for i := range w.Columns {
		w.Columns[i].Middlegame, w.Columns[i].Endgame = w.Columns[i].Middlegame*factor, w.Columns[i].Endgame*factor
	}
	w.Scale = scale
}

type weightsFile struct {
	Format  string       `json:"format"`
	Scale   float64      `json:"scale"`
	Phase   string       `json:"phase,omitempty"`
	Max     float64      `json:"phase_max,omitempty"`
	Data    string       `json:"data"`
	HeldOut float64      `json:"held_out_loss,omitempty"`
	Columns []WeightJSON `json:"columns"`
}

// WeightJSON is the JSON representation of a weight: Weight, or MG and EG if weights are tapered.
type WeightJSON struct {
	Name   string   `json:"name"`
	Weight *float64 `json:"weight,omitempty"`
	MG     *float64 `json:"mg,omitempty"`
	EG     *float64 `json:"eg,omitempty"`
}

// ReadWeights reads weights from a JSON or CSV file, as written by [Weights.Write]. A CSV file has
// a header with name and weight, or with name, mg and eg. The columns width, min and max are
// optional.
func ReadWeights(path string) (*Weights, error) {
	data, err := disk.Read(path, largest)
	if err != nil {
		return nil, err
	}
	w := &Weights{File: path}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		err = w.readJSON(data)
	} else {
		err = w.readCSV(data)
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, c := range w.Columns {
		if seen[c.Name] {
			return nil, fmt.Errorf("%s: %q occurs twice; want one weight per column", path, c.Name)
		}
		seen[c.Name] = true
	}
	if len(w.Columns) == 0 {
		return nil, fmt.Errorf("%s: no weights; want at least one column with a weight", path)
	}
	return w, nil
}

func (w *Weights) readJSON(data []byte) error {
	var f weightsFile
	if json.Unmarshal(data, &f) == nil && f.Format != weightsFormat { // probably a model, which has different keys
		return fmt.Errorf("%s: format %q: want %s", w.File, f.Format, weightsFormat)
	}
	f = weightsFile{}
	if err := text.JSON(data, &f); err != nil {
		return fmt.Errorf("%s: %w", w.File, err)
	}
	if f.Scale < 0 { // 0 if the file does not specify it
		return fmt.Errorf("%s: scale %v: want a number above 0", w.File, f.Scale)
	}
	w.Scale, w.Phase, w.PhaseMax, w.Data = f.Scale, f.Phase, f.Max, f.Data
	for i, c := range f.Columns {
		switch {
		case c.Name == "":
			return fmt.Errorf("%s: columns[%d]: want a name", w.File, i)
		case c.Weight != nil && c.MG == nil && c.EG == nil:
			w.Columns = append(w.Columns, Weight{c.Name, *c.Weight, *c.Weight})
		case c.Weight == nil && c.MG != nil && c.EG != nil:
			w.Tapered = true
			w.Columns = append(w.Columns, Weight{c.Name, *c.MG, *c.EG})
		default:
			return fmt.Errorf("%s: columns[%d], %s: want weight, or mg and eg", w.File, i, c.Name)
		}
	}
	return nil
}

// readCSV reads a header and one row for each column of the table. Lines that begin with # are
// comments.
func (w *Weights) readCSV(data []byte) error {
	var head []string
	name, mg, eg := -1, -1, -1
	var beside [3]int // positions of the columns width, min and max; -1 if missing
	return text.EachLine(w.File, bytes.NewReader(data), largest, func(line int, row []byte) error {
		if row[0] == '#' {
			return nil
		}
		split, err := text.Cells(nil, row, ',')
		if err != nil {
			return fmt.Errorf("%s:%d: %w", w.File, line, err)
		}
		cells := list.Map(split, func(cell []byte) string { return strings.TrimSpace(string(cell)) })
		if head == nil {
			head = cells
			name = max(slices.Index(head, "name"), slices.Index(head, "column"))
			mg = max(slices.Index(head, "mg"), slices.Index(head, "weight"))
			eg = max(slices.Index(head, "eg"), slices.Index(head, "weight"))
			for i, what := range []string{"width", "min", "max"} {
				beside[i] = slices.Index(head, what)
			}
			if name < 0 || mg < 0 || eg < 0 {
				return fmt.Errorf("%s:%d: want a header with the columns name and weight, or name, mg and eg", w.File, line)
			}
			w.Tapered = mg != eg
			return nil
		}
		if len(cells) != len(head) {
			return fmt.Errorf("%s:%d: want %d cells, as in the header; found %d", w.File, line, len(head), len(cells))
		}
		c := Weight{Name: cells[name]}
		var ok bool
		for _, at := range []int{mg, eg} {
			c.Middlegame = c.Endgame
			if c.Endgame, ok = spec.Decimal(cells[at]); !ok {
				return fmt.Errorf("%s:%d: column %d: want a finite number, found %.40q", w.File, line, at+1, cells[at])
			}
		}
		numbers := [3]float64{0, math.Inf(-1), math.Inf(1)}
		for i, at := range beside {
			if at < 0 || cells[at] == "" {
				continue
			}
			if numbers[i], ok = spec.Decimal(cells[at]); !ok || i == 0 && !(numbers[i] > 0) {
				return fmt.Errorf("%s:%d: column %d: want %s, or nothing, found %.40q", w.File, line, at+1, [...]string{"a width above 0", "a minimum", "a maximum"}[i], cells[at])
			}
		}
		if limits := [2]float64{numbers[1], numbers[2]}; !(limits[0] <= min(c.Middlegame, c.Endgame) && max(c.Middlegame, c.Endgame) <= limits[1]) {
			return fmt.Errorf("%s:%d: %s: want a weight between min and max", w.File, line, c.Name)
		} else if limits != [2]float64{math.Inf(-1), math.Inf(1)} {
			if w.Limits == nil {
				w.Limits = map[string][2]float64{}
			}
			w.Limits[c.Name] = limits
		}
		if numbers[0] > 0 {
			if w.Widths == nil {
				w.Widths = map[string]float64{}
			}
			w.Widths[c.Name] = numbers[0]
		}
		w.Columns = append(w.Columns, c)
		return nil
	})
}
