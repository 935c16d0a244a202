package design

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"plyfit/datasets"
	"plyfit/learn/loss"
)

// Rows is the set of training rows of a fit. The rows are in a store, which is read once per pass.
//
// Tapered rows ([datasets.Store.Tapered]) are grouped by their middlegame share p. For rows with
// the same share, the sums for the columns p x_c and (1-p) x_c are the sums for the terms x_c times
// p^2, p(1-p) and (1-p)^2. This takes a quarter of the multiplications.
type Rows struct {
	Matrix  *Matrix
	store   *datasets.Store
	made    bool // the store was created by the fit
	plain   bool // the store's column numbers are feature numbers plus 1
	workers int
	numbers []int32   // row numbers in the store, sorted by share and then ascending
	shares  []float64 // ascending; nil if rows are not summed by share
	ends    []int     // end of each share's range in numbers; if there are no shares, only the end of all numbers
}

// OpenRows performs the first pass of a fit. It checks all rows and counts the training rows in t.
// Training rows are not held out, have a positive weight, and are selected by the function use. If
// use is nil, it selects all rows. The parameter workers is the number of goroutines that compute
// sums (0 means one). It does not affect the sums.
func OpenRows(ctx context.Context, data datasets.Samples, d *Matrix, sp *Split, workers int, t *Tally, criterion loss.Function, use func(s *datasets.Sample) bool) (*Rows, error) {
	r := &Rows{Matrix: d, store: datasets.Keep(data), workers: workers}
	_, kept := data.(interface{ Rows() *datasets.Store })
	r.made, r.plain = !kept, !r.store.Tapered && !r.store.Numbered()
	held, last, n, length := false, uint64(0), int64(0), d.Model.Len()
	var s datasets.Sample
	for b, err := range r.store.Blocks() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		sound := b.Fits(length)
		for i := range b.Len() {
			if b.Outline(i, &s); !sound {
				b.Row(i, &s)
			}
			n++
			if err := CheckRow(&s, d.Model, n); err != nil {
				return nil, err
			}
			if n == 1 || s.Episode != last {
				held, last = sp.Held(s.Episode), s.Episode
			}
			if held || s.Weight == 0 || use != nil && !use(&s) {
				continue
			}
			t.addRow(&s, b.Bias(i), criterion)
			r.numbers = append(r.numbers, int32(b.First+i))
		}
		s.X = s.X[:0]
	}
	if t.Rows == 0 {
		return nil, ErrNoRows
	}
	r.ends = []int{len(r.numbers)}
	return r, nil
}

// Close frees the rows if the fit stored them itself.
func (r *Rows) Close() {
	if r.made {
		r.store.Close()
	}
}

// InMemory reports whether the rows stay in memory regardless of their number.
func (r *Rows) InMemory() bool { return r.store.Limit == datasets.Unlimited }

// StoreLen returns the number of rows in the store.
func (r *Rows) StoreLen() int { return r.store.Len() }

// Len returns the number of training rows.
func (r *Rows) Len() int { return len(r.numbers) }

// ByShare sorts the rows by share if there are few distinct shares, so that rows with the same
// share are summed together.
func (r *Rows) ByShare() error {
	shares := r.store.Shares()
	if shares == nil {
		return nil
	}
	r.ends = make([]int, len(shares))
	for _, p := range shares {
		r.shares = append(r.shares, float64(p))
	}
	stage := make([]uint8, 0, len(r.numbers))
	var s datasets.Sample
	err := r.each(r.numbers, func(b *datasets.Block, i int) {
		b.Outline(i, &s)
		k, _ := slices.BinarySearch(shares, s.Phase)
		stage = append(stage, uint8(k))
		r.ends[k]++
	})
	at, next := 0, make([]int, len(shares))
	for k, n := range r.ends {
		next[k] = at
		at += n
		r.ends[k] = at
	}
	sorted := make([]int32, len(stage))
	for i, k := range stage {
		sorted[next[k]] = r.numbers[i]
		next[k]++
	}
	r.numbers = sorted
	return err
}

// Part returns the rows for whose index keep returns true.
func (r *Rows) Part(keep func(i int) bool) *Rows {
	part := *r
	part.numbers, part.ends, part.made = nil, nil, false
	first := 0
	for _, end := range r.ends {
		for i := first; i < end; i++ {
			if keep(i) {
				part.numbers = append(part.numbers, r.numbers[i])
			}
		}
		part.ends, first = append(part.ends, len(part.numbers)), end
	}
	return &part
}

// each calls visit for every row with one of the given numbers, passing the row's block and its
// index in the block.
func (r *Rows) each(numbers []int32, visit func(b *datasets.Block, i int)) error {
	var b datasets.Block
	at := -1
	for _, n := range numbers {
		if k := int(n / datasets.BlockRows); k != at {
			if err := r.store.Block(k, &b); err != nil {
				return err
			}
			at = k
		}
		visit(&b, int(n%datasets.BlockRows))
	}
	return nil
}

// A leaf is a run of rows that are summed together. If rows are summed by share, all rows in a leaf
// have the same share.
type leaf struct {
	share   float64
	numbers []int32
}

// leaves divides the rows into leaves. Leaves are long enough that summing their rows takes longer
// than adding their sums.
func (r *Rows) leaves() (list []leaf) {
	size := 1 << 14
	if n := 32 * r.Matrix.Width(); n > size {
		size = 1 << bits.Len(uint(n-1))
	}
	first := 0
	for k, end := range r.ends {
		share := 1.0
		if r.shares != nil {
			share = r.shares[k]
		}
		for numbers := range slices.Chunk(r.numbers[first:end], size) {
			list = append(list, leaf{share, numbers})
		}
		first = end
	}
	return list
}

// terms reads the rows of a leaf as vectors. The elements of a vector are the columns of the matrix
// or, for rows with the same share, terms. The slices mg and eg contain each term's middlegame and
// endgame columns, or -1 if frozen.
type terms struct {
	rows    *Rows
	share   float64
	mg, eg  []int32   // for rows with the same share, the columns of each term
	width   int       // number of terms
	weights []float64 // weight of each term
	column  []int32   // term of each column in the store; -1 if frozen
	frozen  []float64 // weights of frozen columns
	same    bool      // the store has the same columns as the matrix
	x       datasets.Sample

	cells  []float64 // values of a row, by column in the store
	full   bool      // vals contains all columns, and cols is not set
	cols   []int32
	vals   []float64
	offset float64 // sum contributed by frozen weights
}

// terms returns a reader for a leaf. The parameter weights contains the weights of the matrix's
// columns. It may be nil if sums are not needed.
func (r *Rows) terms(l leaf, weights []float64) *terms {
	d, m := r.Matrix, r.Matrix.Model
	t := &terms{rows: r, share: l.share, width: d.Width(), weights: weights, same: true}
	if r.shares == nil {
		columns := m.Len() + 1
		t.column, t.frozen = make([]int32, columns), make([]float64, columns)
		for c := range t.column {
			f := int32(c) - 1
			if !r.store.Tapered {
				f = r.store.Feature(int32(c))
			}
			if t.column[c] = d.Column[f+1]; t.column[c] < 0 {
				t.frozen[c] = m.Weight(f)
			}
			t.same = t.same && t.column[c] == int32(c)
		}
		t.cells = make([]float64, columns)
		return t
	}
	for f := 1; f < len(d.Column); f += 2 {
		t.column = append(t.column, int32(len(t.mg))-1)
		t.mg, t.eg = append(t.mg, d.Column[f]), append(t.eg, d.Column[f+1])
	}
	t.column = append(t.column, int32(len(t.mg))-1)
	t.width, t.same = len(t.mg), false
	weight := func(feature int, c int32) float64 {
		if c < 0 {
			return m.Weight(int32(feature))
		}
		return weights[c]
	}
	t.weights = make([]float64, t.width)
	if weights != nil {
		for c := range t.weights {
			t.weights[c] = float64(t.share*weight(2*c, t.mg[c])) + float64((1-t.share)*weight(2*c+1, t.eg[c]))
		}
	}
	return t
}

// read reads a row. If whole is set and the block has cells, read sets the values of all columns,
// except for rows summed by share.
func (t *terms) read(b *datasets.Block, i int, whole bool) {
	t.offset = 0
	if t.full = whole && t.mg == nil && b.Cells(i, t.cells); t.full {
		if t.same {
			t.vals = t.cells
			return
		}
		vals := t.vals[:0]
		for c, v := range t.cells {
			if t.column[c] < 0 {
				t.offset += float64(t.frozen[c] * v)
			} else {
				vals = append(vals, v)
			}
		}
		t.vals = vals
		return
	}
	if t.mg == nil && t.rows.store.Tapered {
		b.Row(i, &t.x)
		t.cols, t.vals = t.cols[:0], t.vals[:0]
		for _, x := range t.x.X {
			t.cols, t.vals = append(t.cols, x.Index+1), append(t.vals, float64(x.Value))
		}
	} else {
		t.cols, t.vals = b.Terms(i, t.cols[:0], t.vals[:0])
	}
	if t.same {
		return
	}
	n := 0
	for k, c := range t.cols {
		if j := t.column[c]; j >= 0 {
			t.cols[n], t.vals[n] = j, t.vals[k]
			n++
			continue
		}
		t.offset += float64(t.frozen[c] * t.vals[k])
	}
	t.cols, t.vals = t.cols[:n], t.vals[:n]
}

// sum returns the weighted sum of the row.
func (t *terms) sum() float64 {
	z := t.offset
	if t.full {
		weights := t.weights[:len(t.vals)]
		for c, v := range t.vals {
			z += float64(weights[c] * v)
		}
		return z
	}
	for k, c := range t.cols {
		z += float64(t.weights[c] * t.vals[k])
	}
	return z
}

// square converts a symmetric matrix over the terms to a matrix over the columns.
func (t *terms) square(of []float64) []float64 {
	if t.mg == nil {
		return of
	}
	columns, rest, n := t.rows.Matrix.Width(), 1-t.share, t.width
	out := make([]float64, columns*columns)
	for a := range n {
		for side, row := range [2]int32{t.mg[a], t.eg[a]} {
			if row < 0 {
				continue
			}
			part := [2]float64{t.share, rest}[side]
			mid, end, to := float64(part*t.share), float64(part*rest), out[int(row)*columns:][:columns]
			for b, v := range of[a*n : (a+1)*n] {
				if c := t.mg[b]; c >= 0 {
					to[c] = mid * v
				}
				if c := t.eg[b]; c >= 0 {
					to[c] = end * v
				}
			}
		}
	}
	return out
}

// each calls visit for every column to which a term belongs, passing the column's share of the
// term.
func (t *terms) each(term int, visit func(column int, part float64)) {
	if t.mg == nil {
		visit(term, 1)
		return
	}
	if c := t.mg[term]; c >= 0 {
		visit(int(c), t.share)
	}
	if c := t.eg[term]; c >= 0 {
		visit(int(c), 1-t.share)
	}
}
