package design

import (
	"context"
	"math"
)

// Moments contains sums over the training rows, indexed by feature number plus 1.
type Moments struct {
	Column  []moment
	Support []int64 // number of rows in which each column is not 0
	bias    float64 // sum of squares of the bias column

	plain plainCounts
	rows  int64 // number of rows not in plain
	cols  []int32
	vals  []float64
}

// A moment contains one column's sums, in one cache line.
type moment struct {
	Square, Cross float64 // weighted sums of the column's square and of its product with the bias
	sum           float64 // sum of the column's values in the row whose number is in the field row
	row           int64
}

// Moments computes the moments in a pass over the rows.
func (r *Rows) Moments(ctx context.Context) (*Moments, error) {
	n := r.Matrix.Model.Len() + 1
	mo := &Moments{Column: make([]moment, n), Support: make([]int64, n)}
	err := r.Read(ctx, math.MaxInt, func(c *Chunk) {
		for _, p := range c.parts {
			for k, number := range p.numbers {
				i := int(number) - p.block.First
				_, w, _ := p.block.Label(i)
				bias := p.block.Bias(i)
				mo.bias += float64(w * bias * bias)
				if p.ends != nil {
					mo.addRow(c.cols[p.ends[k]:p.ends[k+1]], c.vals[p.ends[k]:p.ends[k+1]], w, bias)
					continue
				}
				first, end := p.block.Span(i)
				if p.block.Ones() && p.block.Short != nil && w == 1 && bias == 1 {
					mo.plain.add(p.block.Short[first:end], n)
					continue
				}
				mo.cols, mo.vals = p.block.Terms(i, mo.cols[:0], mo.vals[:0])
				mo.addRow(mo.cols, mo.vals, w, bias)
			}
		}
	})
	// Add the counts to the sums of the other rows.
	p := &mo.plain
	for j := range p.twice {
		mo.Column[j].Square += float64(p.terms[j] + p.twice[j])
		mo.Column[j].Cross += float64(p.terms[j])
		mo.Support[j] += p.terms[j]
	}
	*p = plainCounts{}
	return mo, err
}

func (mo *Moments) addRow(cols []int32, vals []float64, weight, bias float64) {
	mo.rows++
	for k, j := range cols {
		v := vals[k]
		if v != 0 {
			mo.Support[j]++
		}
		// Values in the same column of a row are added before they are squared.
		e := &mo.Column[j]
		if e.row != mo.rows {
			e.row, e.sum = mo.rows, 0
		}
		e.Square += float64(weight * v * (float64(2*e.sum) + v))
		e.sum += v
		e.Cross += float64(weight * v * bias)
	}
}

// plainCounts counts columns in rows whose values, weight and bias are all 1. For such rows, the
// first pass needs little more than these counts.
type plainCounts struct {
	terms []int64 // number of occurrences of each column; nil before the first row
	// twice is the sum of squared counts per row, minus terms: a column that occurs n times in a
	// row contributes n(n-1).
	twice []int64
	times []int32 // occurrences in the current row, beyond the first
	seen  [Narrow / 64]uint64
	again []uint16
}

func (p *plainCounts) add(cols []uint16, width int) {
	if p.terms == nil {
		p.terms, p.twice, p.times = make([]int64, Narrow), make([]int64, width), make([]int32, width)
	}
	if len(cols) > len(p.again) {
		p.again = make([]uint16, len(cols))
	}
	terms, again, n := (*[Narrow]int64)(p.terms), p.again[:len(cols)], 0
	for _, j := range cols {
		word, bit := &p.seen[j>>6], uint64(1)<<(j&63)
		// The column is always written, but kept only if it was seen before. This avoids a branch.
		again[n] = j
		if *word&bit != 0 {
			n++
		}
		*word |= bit
		terms[j]++
	}
	for _, j := range again[:n] {
		p.times[j]++
		p.twice[j] += 2 * int64(p.times[j])
	}
	for _, j := range again[:n] {
		p.times[j] = 0
	}
	for _, j := range cols {
		p.seen[j>>6] = 0
	}
}

// Variances returns the v_j in Options.Penalty of package learn, by column of d.
func (mo *Moments) Variances(d *Matrix, total float64) []float64 {
	v := make([]float64, d.Width())
	ones := 0.0
	if d.Bias >= 0 {
		ones = mo.bias
	}
	for j, f := range d.Feature {
		if j != d.Bias {
			e := &mo.Column[f+1]
			v[j] = variance(e.Square, e.Cross, ones, total)
		}
	}
	return v
}
