package datasets

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"plyfit/game"
	"plyfit/models"
)

// The columns of a table of samples that are no features.
const (
	episodeColumn = "episode" // samples of one episode are not independent
	weightColumn  = "weight"
	kindColumn    = "kind" // 0 exact, 1 lower bound, 2 upper bound
	biasColumn    = "bias" // models.Bias
	labelColumn   = "label"
)

// leading stand before the features in a table that is written, label last.
var leading = []string{episodeColumn, weightColumn, kindColumn, biasColumn}

// Grid is a table of samples in memory, 8 bytes a cell: what other programs
// hand in ([ReadCSV], [ReadARFF]) and what golearn's tools read. It is a
// [Samples] itself, in which feature i is column i of Features.
type Grid struct {
	Features []string

	inst  *base.DenseInstances
	rows  int
	specs map[string]base.AttributeSpec // the columns that are no features
	cells []base.AttributeSpec          // the features
}

var _ Samples = (*Grid)(nil)

// NewGrid makes a grid of all samples, whose features have these names by index.
func NewGrid(features []string, data Samples) (*Grid, error) {
	t := &table{columns: header(features)}
	if err := checkNames(t.columns); err != nil {
		return nil, err
	}
	row := make([]float64, len(t.columns))
	for s, err := range data.All() {
		if err != nil {
			return nil, err
		}
		if err := fillRow(row, s); err != nil {
			return nil, err
		}
		t.cells = append(t.cells, row...)
	}
	return t.grid(), nil
}

// Instances is the grid as golearn has it: the label is the class attribute.
// The grid goes on using it.
func (g *Grid) Instances() *base.DenseInstances { return g.inst }

// Len is the number of samples.
func (g *Grid) Len() int { return g.rows }

// All gives the samples. Without a column of episodes each row is an episode
// of its own; without weights they weigh 1; without kinds they are exact.
func (g *Grid) All() iter.Seq2[*Sample, error] {
	return func(yield func(*Sample, error) bool) {
		var s Sample
		cell := func(name string, row int, without float64) float64 {
			if spec, ok := g.specs[name]; ok {
				return base.UnpackBytesToFloat(g.inst.Get(spec, row))
			}
			return without
		}
		for row := range g.rows {
			s = Sample{
				X: s.X[:0], Y: cell(labelColumn, row, 0), Weight: cell(weightColumn, row, 1),
				Kind: game.Bound(cell(kindColumn, row, 0)), Episode: uint64(cell(episodeColumn, row, float64(row))),
			}
			if b := cell(biasColumn, row, 0); b != 0 {
				s.X = append(s.X, models.Term{Index: models.Bias, Value: float32(b)})
			}
			for i, spec := range g.cells {
				if v := base.UnpackBytesToFloat(g.inst.Get(spec, row)); v != 0 {
					s.X = append(s.X, models.Term{Index: int32(i), Value: float32(v)})
				}
			}
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// header are the columns of a table with these features.
func header(features []string) []string {
	return append(append(slices.Clone(leading), features...), labelColumn)
}

// checkNames refuses columns without a name and names that come twice, a
// feature's own "label" among them.
func checkNames(columns []string) error {
	seen := make(map[string]bool, len(columns))
	for i, c := range columns {
		switch {
		case c == "":
			return fmt.Errorf("column %d has no name", i+1)
		case seen[c]:
			return fmt.Errorf("column %d: %q comes twice: want each name once (%q, %q, %q, %q and %q are no features)",
				i+1, c, episodeColumn, weightColumn, kindColumn, biasColumn, labelColumn)
		}
		seen[c] = true
	}
	return nil
}

// fillRow makes a row in the order of header of a sample.
func fillRow(row []float64, s *Sample) error {
	if s.Episode > 1<<53 {
		return fmt.Errorf("episode %d: want at most 2^53, the last that every table can hold", s.Episode)
	}
	clear(row)
	row[0], row[1], row[2], row[len(row)-1] = float64(s.Episode), s.Weight, float64(s.Kind), s.Y
	for _, t := range s.X {
		at := int(t.Index) + len(leading)
		if t.Index == models.Bias {
			at = len(leading) - 1
		}
		if at < len(leading)-1 || at >= len(row)-1 {
			panic(fmt.Sprintf("datasets: feature %d of %d", t.Index, len(row)-1-len(leading)))
		}
		row[at] += float64(t.Value)
	}
	return nil
}

// table is a grid that is being read: row-major cells under its columns.
type table struct {
	columns []string
	cells   []float64
}

// checkRow tells what is wrong with a row, and in which column.
func (t *table) checkRow(row []float64) (column int, want string) {
	for i, v := range row {
		switch c := t.columns[i]; {
		case v-v != 0:
			return i, "a finite number"
		case c == episodeColumn && !(v >= 0 && v <= 1<<53 && v == math.Trunc(v)):
			return i, "a whole number of at least 0"
		case c == weightColumn && v < 0:
			return i, "a number of at least 0"
		case c == kindColumn && v != 0 && v != 1 && v != 2:
			return i, "0 (exact), 1 (lower bound) or 2 (upper bound)"
		case c != episodeColumn && c != weightColumn && c != labelColumn && math.Abs(v) > math.MaxFloat32:
			return i, "a number that a float32 can hold"
		}
	}
	return -1, ""
}

// grid makes golearn's grid of the table. All columns go into one group of
// attributes: golearn's default begins another at each 512th column and then
// sorts columns of several groups into each other.
func (t *table) grid() *Grid {
	const group = "all"
	g := &Grid{inst: base.NewDenseInstances(), specs: map[string]base.AttributeSpec{}}
	if err := g.inst.CreateAttributeGroup(group, 8); err != nil {
		panic("datasets: " + err.Error())
	}
	all := make([]base.AttributeSpec, len(t.columns))
	for i, name := range t.columns {
		a := base.NewFloatAttribute(name)
		a.Precision = 17
		spec, err := g.inst.AddAttributeToAttributeGroup(a, group)
		if err != nil {
			panic("datasets: " + err.Error())
		}
		all[i] = spec
		switch {
		case name == labelColumn:
			if err := g.inst.AddClassAttribute(a); err != nil {
				panic("datasets: " + err.Error())
			}
			g.specs[name] = spec
		case slices.Contains(leading, name):
			g.specs[name] = spec
		default:
			g.Features, g.cells = append(g.Features, name), append(g.cells, spec)
		}
	}
	g.rows = len(t.cells) / len(t.columns)
	if err := g.inst.Extend(g.rows); err != nil {
		panic("datasets: " + err.Error())
	}
	var cell [8]byte
	for i, v := range t.cells {
		base.PackFloatToBytesInline(v, cell[:])
		g.inst.Set(all[i%len(all)], i/len(all), cell[:])
	}
	return g
}
