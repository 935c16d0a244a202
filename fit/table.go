package fit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/internal/unpack"
	"plyfit/learn"
	"plyfit/learn/validate"
)

// tableWidth is the most features that a dense table is made or read with.
const tableWidth = 10000

// IsTable tells from its name whether a file is a table of samples: .csv or
// .arff, packed by gzip or zstd (.gz, .zst) or not.
func IsTable(path string) bool {
	switch unpack.Ext(path) {
	case ".csv", ".arff":
		return true
	}
	return false
}

// WriteTable writes samples of set as a table, in the format that path's ending
// names.
func WriteTable(ctx context.Context, out io.Writer, path string, set features.Set, samples datasets.Samples) error {
	names, err := columns(set)
	if err != nil {
		return err
	}
	samples = &heedful{samples, ctx}
	if strings.ToLower(filepath.Ext(path)) == ".arff" {
		return datasets.WriteARFF(out, set.Name(), names, samples)
	}
	return datasets.WriteCSV(out, names, samples)
}

// heedful are samples that end with ctx.
type heedful struct {
	datasets.Samples
	ctx context.Context
}

func (h *heedful) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for s, err := range h.Samples.All() {
			if err == nil {
				err = h.ctx.Err()
			}
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// columns are the names of a set's features by index.
func columns(set features.Set) ([]string, error) {
	var names []string
	n := 0
	for _, b := range set.Blocks() {
		if n += b.Len; n > tableWidth {
			return nil, fmt.Errorf("feature set %s: too wide for a table: want a set of at most %d features", set.Name(), tableWidth)
		}
		for i := range b.Len {
			names = append(names, b.FeatureName(i))
		}
	}
	return names, nil
}

// Table is a table of samples in a file, of which only the names of columns say
// what they are: episode, weight, kind, bias, label, and features.
type Table struct {
	File   string
	Digest string // SHA-256 of the table, unpacked
	Grid   *datasets.Grid
}

// OpenTable reads a .csv or .arff file, packed or not, into memory.
func OpenTable(path string) (*Table, error) {
	f, err := unpack.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	read := datasets.ReadCSV
	if unpack.Ext(path) == ".arff" {
		read = datasets.ReadARFF
	}
	digest := sha256.New()
	grid, err := read(io.TeeReader(f, digest), path)
	if err != nil {
		return nil, err
	}
	return &Table{File: path, Digest: hex.EncodeToString(digest.Sum(nil)), Grid: grid}, nil
}

// RunTable fits a model of w to a table: its columns are features of c.Set by
// name, those that it lacks are 0 everywhere. Without a column "bias" the model
// has none. The label is the table's own, and c.Label must be the zero value.
func RunTable(ctx context.Context, w *catalog.World, t *Table, c Options) (*Result, error) {
	if c.Label != (Label{}) {
		return nil, fmt.Errorf("label %s: %s has labels of its own", c.Label, t.File)
	}
	if c.Quiet || c.Leaf != (Leaf{}) || c.Distinct || c.DropProven || c.Weigh != (RowWeights{}) || c.Teacher != nil {
		return nil, fmt.Errorf("%s holds no positions: quiet ones, leaves, distinct ones, proven ones, weights and teachers want a data set", t.File)
	}
	if c.Method != nil && c.Method.Episodes != nil {
		return nil, fmt.Errorf("method %s: want %s or %s, since %s does not say which position follows which", c.Method, Ridge, LogisticRegression, t.File)
	}
	if err := c.Complete(w); err != nil {
		return nil, err
	}
	c.Label = Label{kind: byTable}
	set, err := w.Set(c.Set)
	if err != nil {
		return nil, err
	}
	names, err := columns(set)
	if err != nil {
		return nil, err
	}
	index := make(map[string]int32, len(names))
	for i, name := range names {
		index[name] = int32(i)
	}
	r := &renamed{Samples: t.Grid}
	for _, name := range t.Grid.Features {
		i, ok := index[name]
		if !ok {
			return nil, fmt.Errorf("%s: column %q: want a feature of %s, or episode, weight, kind, bias, label", t.File, name, set.Name())
		}
		r.index = append(r.index, i)
	}
	if err := t.checkLabels(w); err != nil {
		return nil, err
	}
	held, err := c.HeldOut.held(c.Seed, nil, nil)
	if err != nil {
		return nil, err
	}
	// Rows go by what their features are, since a table knows no positions.
	sides, err := newSides(r, held, nil, validate.Folds{Seed: c.Seed}, true, int64(t.Grid.Len()))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	return c.fit(ctx, w, set, source{name: t.File, digest: t.Digest, samples: r, sides: sides})
}

// checkLabels says which label is no utility of the game, if any, but for rounding.
func (t *Table) checkLabels(w *catalog.World) error {
	base, row := w.Base(), 0
	slack := float64(1e-9 * (base.Max - base.Min))
	for s, err := range t.Grid.All() {
		if err != nil {
			return err
		}
		row++
		if s.Y < base.Min-slack || s.Y > base.Max+slack {
			return fmt.Errorf("%s: row %d of the samples: label %v: want a utility of %s, from %v to %v", t.File, row, s.Y, w.Spec, base.Min, base.Max)
		}
	}
	return nil
}

// renamed are samples whose feature k is feature index[k] of a set.
type renamed struct {
	datasets.Samples
	index []int32
}

func (r *renamed) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for s, err := range r.Samples.All() {
			if err == nil {
				for i := range s.X {
					if s.X[i].Index >= 0 { // the bias keeps its own
						s.X[i].Index = r.index[s.X[i].Index]
					}
				}
				s.Position = learn.VectorHash(s.X)
			}
			if !yield(s, err) {
				return
			}
		}
	}
}
