package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"plyfit/datasets"
	"plyfit/internal/regular"
	"plyfit/models"
)

// Format names the JSON that holds weights by column.
const Format = "plyfit-weights/1"

// Weights are weights by column, in the order of the table.
type Weights struct {
	File    string // where they were read from, for messages
	Tapered bool   // Middlegame and Endgame may differ
	Columns []Weight

	// What JSON says beside them; 0 and "" where it does not.
	Scale    float64 // as in [Options]
	Phase    string  // the column
	PhaseMax float64
	Data     string // digest of the table that they were fitted to
}

// Weight is that of a column. Where weights are not tapered, both are equal.
type Weight struct {
	Name                string
	Middlegame, Endgame float64
}

// weightsOf are the weights of a model of the table.
func (t *Table) weightsOf(m *models.Linear) *Weights {
	w := &Weights{Tapered: t.Tapered()}
	for i, name := range t.Columns {
		if !w.Tapered {
			w.Columns = append(w.Columns, Weight{name, m.Weights[i], m.Weights[i]})
			continue
		}
		w.Columns = append(w.Columns, Weight{name, m.Weights[2*i], m.Weights[2*i+1]})
	}
	return w
}

// whole reports whether all weights are whole numbers.
func (w *Weights) whole() bool {
	return !slices.ContainsFunc(w.Columns, func(c Weight) bool {
		return c.Middlegame != math.Trunc(c.Middlegame) || c.Endgame != math.Trunc(c.Endgame)
	})
}

// Set gives a column its weight, which may be new.
func (w *Weights) Set(c Weight) {
	i := slices.IndexFunc(w.Columns, func(o Weight) bool { return o.Name == c.Name })
	if i < 0 {
		w.Columns = append(w.Columns, c)
		return
	}
	w.Columns[i] = c
}

// weightsFile is weights as JSON has them.
type weightsFile struct {
	Format  string       `json:"format"`
	Scale   float64      `json:"scale"`
	Phase   string       `json:"phase,omitempty"`
	Max     float64      `json:"phase_max,omitempty"`
	Data    string       `json:"data"`
	HeldOut float64      `json:"held_out_loss"`
	Columns []weightJSON `json:"columns"`
}

type weightJSON struct {
	Name   string   `json:"name"`
	Weight *float64 `json:"weight,omitempty"`
	MG     *float64 `json:"mg,omitempty"`
	EG     *float64 `json:"eg,omitempty"`
}

// ReadWeights reads weights by column: JSON or CSV as [Result.Write] writes them. CSV
// has a header with name and weight, or name, mg and eg.
func ReadWeights(path string) (*Weights, error) {
	data, err := regular.Read(path, models.Largest)
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
			return nil, fmt.Errorf("%s: %q comes twice: want one weight a column", path, c.Name)
		}
		seen[c.Name] = true
	}
	if len(w.Columns) == 0 {
		return nil, fmt.Errorf("%s: no weights: want some by column", path)
	}
	return w, nil
}

func (w *Weights) readJSON(data []byte) error {
	var f weightsFile
	in := json.NewDecoder(bytes.NewReader(data))
	if err := in.Decode(&f); err != nil {
		return fmt.Errorf("%s: %w", w.File, err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: want nothing after the weights", w.File)
	}
	if f.Format != Format {
		return fmt.Errorf("%s: format %q: want %s", w.File, f.Format, Format)
	}
	if f.Scale < 0 { // 0: none is said
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

// readCSV reads a header and a row for each column of the table; lines that begin with
// # are comments.
func (w *Weights) readCSV(data []byte) error {
	var h weightsHead
	for n, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimRight(strings.TrimPrefix(line, "\ufeff"), "\r"); strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		cells, err := split(nil, []byte(line), ',')
		if err == nil && h.width == 0 {
			h, err = headOf(cells)
			w.Tapered = h.mg != h.eg
		} else if err == nil {
			var c Weight
			c, err = h.weight(cells)
			w.Columns = append(w.Columns, c)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", w.File, n+1, err)
		}
	}
	return nil
}

// weightsHead says which cell of a row is what; mg and eg are one where weights are
// not tapered.
type weightsHead struct{ width, name, mg, eg int }

func headOf(cells [][]byte) (weightsHead, error) {
	h := weightsHead{len(cells), -1, -1, -1}
	for i, c := range cells {
		switch string(bytes.TrimSpace(c)) {
		case "name", "column":
			h.name = i
		case "weight":
			h.mg, h.eg = i, i
		case "mg":
			h.mg = i
		case "eg":
			h.eg = i
		}
	}
	if h.name < 0 || h.mg < 0 || h.eg < 0 {
		return h, errors.New("want a header with name and weight, or name, mg and eg")
	}
	return h, nil
}

func (h weightsHead) weight(cells [][]byte) (c Weight, err error) {
	if len(cells) != h.width {
		return c, fmt.Errorf("want %d cells, as the header has, found %d", h.width, len(cells))
	}
	c.Name = string(bytes.TrimSpace(cells[h.name]))
	if c.Middlegame, err = weightIn(cells, h.mg); err == nil {
		c.Endgame, err = weightIn(cells, h.eg)
	}
	return c, err
}

func weightIn(cells [][]byte, i int) (float64, error) {
	x, ok := datasets.Decimal(string(bytes.TrimSpace(cells[i])))
	if !ok || x-x != 0 {
		return 0, fmt.Errorf("column %d: want a finite number, found %.40q", i+1, cells[i])
	}
	return x, nil
}
