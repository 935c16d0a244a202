package table

import (
	"cmp"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/models"
)

// cells are the features of a run of at most [datasets.BlockRows] rows, in the shape that
// takes least: a cell of every column (dense) where more than half are not 0, else the
// terms that are not 0; numbers of 16 bits where all are whole and fit, as what traces
// count does.
type cells struct {
	width int      // of a dense run; 0: terms
	ends  []uint32 // where each row's terms end
	// Columns of the terms, in one of two shapes.
	short   []uint16
	columns []int32
	// What stands in the cells, in one of two shapes.
	whole  []int16
	values []float32
}

// mostShort is how many columns 16 bits tell apart.
const mostShort = 1 << 16

// seal makes a run of rows from their terms, which it copies. width is how many columns
// there are by now.
func seal(ends []uint32, columns []int32, values []float32, width int) cells {
	var c cells
	biased, largest := false, int32(0)
	for _, j := range columns {
		biased, largest = biased || j == models.Bias, max(largest, j)
	}
	if 2*len(values) > len(ends)*width && !biased {
		c.width = width
		all, at := make([]float32, len(ends)*width), 0
		for row, end := range ends {
			for ; at < int(end); at++ {
				all[row*width+int(columns[at])] = values[at]
			}
		}
		values = all
	} else {
		c.ends = slices.Clone(ends)
		if biased || largest >= mostShort {
			c.columns = slices.Clone(columns)
		} else {
			c.short = make([]uint16, len(columns))
			for k, j := range columns {
				c.short[k] = uint16(j)
			}
		}
	}
	if wholes(values) {
		c.whole = make([]int16, len(values))
		for k, v := range values {
			c.whole[k] = int16(v)
		}
		return c
	}
	if c.values = values; c.width == 0 {
		c.values = slices.Clone(values)
	}
	return c
}

// wholes reports whether all values are whole numbers of 16 bits.
func wholes(values []float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool {
		return !(v >= math.MinInt16 && v <= math.MaxInt16) || v != float32(int16(v))
	})
}

// terms appends what is not 0 in a row.
func (c *cells) terms(row int, x models.Vector) models.Vector {
	switch first := c.width * row; {
	case c.width == 0:
	case c.values != nil:
		for j, v := range c.values[first : first+c.width] {
			if v != 0 {
				x = append(x, models.Term{Index: int32(j), Value: v})
			}
		}
		return x
	default:
		for j, v := range c.whole[first : first+c.width] {
			if v != 0 {
				x = append(x, models.Term{Index: int32(j), Value: float32(v)})
			}
		}
		return x
	}
	first := uint32(0)
	if row > 0 {
		first = c.ends[row-1]
	}
	for k := first; k < c.ends[row]; k++ {
		var t models.Term
		if c.short != nil {
			t.Index = int32(c.short[k])
		} else {
			t.Index = c.columns[k]
		}
		if c.whole != nil {
			t.Value = float32(c.whole[k])
		} else {
			t.Value = c.values[k]
		}
		x = append(x, t)
	}
	return x
}

// gone is the number of a column that is dropped.
const gone = math.MinInt32

// reorder makes column c number to[c] of width, or drops it, and puts the terms of each row in order.
func (c *cells) reorder(to []int32, width int) {
	var ends []uint32
	var columns []int32
	var values []float32
	var x models.Vector
	rows := len(c.ends)
	if c.width > 0 {
		rows = c.count() / c.width
	}
	for row := range rows {
		x = c.terms(row, x[:0])
		for k := range x {
			if x[k].Index != models.Bias {
				x[k].Index = to[x[k].Index]
			}
		}
		slices.SortFunc(x, func(a, b models.Term) int { return cmp.Compare(a.Index, b.Index) })
		for _, term := range x {
			if term.Index != gone {
				columns, values = append(columns, term.Index), append(values, term.Value)
			}
		}
		ends = append(ends, uint32(len(values)))
	}
	*c = seal(ends, columns, values, width)
}

func (c *cells) count() int { return len(c.whole) + len(c.values) }

var _ datasets.Dense = (*Table)(nil)

// Rows implements [datasets.Dense]: there is a width where more than half of all cells
// are kept, and none is of a bias.
func (t *Table) Rows() (rows, width int) {
	kept := 0
	for k := range t.cells {
		if t.cells[k].columns != nil && slices.Contains(t.cells[k].columns, models.Bias) {
			return t.Len(), 0
		}
		kept += t.cells[k].count()
	}
	if 2*kept <= t.Len()*len(t.Columns) || t.to != nil {
		return t.Len(), 0
	}
	if t.phases != nil {
		return t.Len(), 2 * len(t.Columns)
	}
	return t.Len(), len(t.Columns)
}

// Row implements [datasets.Dense].
func (t *Table) Row(row int, s *datasets.Sample) {
	s.Y, s.Weight, s.Kind, s.Episode, s.Position = t.labels[row], 1, 0, t.game(row), t.places[row]
	if t.weights != nil {
		s.Weight = t.weights[row]
	}
	if t.kinds != nil {
		s.Kind = t.kinds[row]
	}
}

// Cells implements [datasets.Dense].
func (t *Table) Cells(block int, scratch []float32) []float32 {
	c, n := &t.cells[block], len(t.Columns)
	rows := min(datasets.BlockRows, t.Len()-block*datasets.BlockRows)
	if c.width == n && c.values != nil && t.phases == nil {
		return c.values
	}
	width := n
	if t.phases != nil {
		width = 2 * n
	}
	out := scratch[:rows*width]
	if c.width == n && t.phases == nil {
		for k, v := range c.whole {
			out[k] = float32(v)
		}
		return out
	}
	clear(out)
	var x models.Vector
	for row := range rows {
		to := out[row*width : (row+1)*width]
		x = c.terms(row, x[:0])
		for _, term := range x {
			if t.phases == nil {
				to[term.Index] = term.Value
				continue
			}
			to[2*term.Index], to[2*term.Index+1] = t.taper(block*datasets.BlockRows+row, term.Value)
		}
	}
	return out
}

// mostShares bounds the phases by which learners take rows together.
const mostShares = 64

var _ datasets.Tapered = (*Table)(nil)

// Shares implements [datasets.Tapered].
func (t *Table) Shares() (list []float32) {
	if t.Layout.Unit == Utility { // whose rows may have a bias
		return nil
	}
	for _, p := range t.phases {
		if k, known := slices.BinarySearch(list, p); !known {
			if len(list) == mostShares {
				return nil
			}
			list = slices.Insert(list, k, p)
		}
	}
	return list
}

// Share implements [datasets.Tapered].
func (t *Table) Share(row int) float32 { return t.phases[row] }

// Terms implements [datasets.Tapered].
func (t *Table) Terms(row int, terms []int32, values []float64) ([]int32, []float64) {
	c, n := &t.cells[row/datasets.BlockRows], row%datasets.BlockRows
	if c.short == nil || c.whole == nil || t.to != nil {
		var some [64]models.Term
		for _, term := range c.terms(n, some[:0]) {
			if t.to != nil {
				term.Index = t.to[term.Index]
			}
			terms, values = append(terms, term.Index), append(values, float64(term.Value))
		}
		return terms, values
	}
	// What traces have.
	first, end := uint32(0), c.ends[n]
	if n > 0 {
		first = c.ends[n-1]
	}
	whole := c.whole[first:end]
	for k, j := range c.short[first:end] {
		terms, values = append(terms, int32(j)), append(values, float64(whole[k]))
	}
	return terms, values
}

// taper is what a cell says to the weights of the middlegame and of the endgame.
func (t *Table) taper(row int, v float32) (mg, eg float32) {
	mg = float32(v * t.phases[row])
	return mg, v - mg
}
