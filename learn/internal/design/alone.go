package design

import (
	"context"

	"plyfit/datasets"
	"plyfit/internal/dense"
	"plyfit/learn/internal/numeric"
)

// alone contains sums that determine the effect of leaving out each individual row, for a fit with
// the inverse Hessian V. Leaving out a row x with gradient g and curvature h changes the weights by
// V x g/(1 - h x'Vx) (Sherman and Morrison 1950).
type alone struct {
	Rows    int
	Squares []float64    // sum of x x' times (g/(1 - h x'Vx))^2; columns x columns
	Present []int        // number of rows in which each column is not 0
	Weights [2][]float64 // sums of h x^2 and of its square, by column
	Last    []lastRow    // rows not included in the sums, because each of them alone determines a weight
}

// A lastRow is a row for which h x'Vx is at least 1 - 1e-9.
type lastRow struct {
	Episode    uint64
	Columns    []int32
	Values     []float64
	Grad, Hess float64
}

// Alone computes the sums at the weights in q. The parameter inverse is V over all columns, with 0
// for columns that are not fitted.
func (r *Rows) Alone(ctx context.Context, q Question, inverse []float64) (*alone, error) {
	leaves := r.leaves()
	parts := make([]*alone, len(leaves))
	sum, err := sumLeaves(ctx, len(leaves), r.goroutines(), func(number int) (*Sum, error) {
		part, err := r.alone(&q, leaves[number], inverse)
		parts[number] = part
		return &Sum{XX: part.Squares}, err
	})
	if err != nil {
		return nil, err
	}
	out := newAlone(r.Matrix.Width())
	out.Squares = sum.XX
	for _, part := range parts {
		out.Rows += part.Rows
		for c, n := range part.Present {
			out.Present[c] += n
		}
		dense.Add(out.Weights[0], part.Weights[0])
		dense.Add(out.Weights[1], part.Weights[1])
		out.Last = append(out.Last, part.Last...)
	}
	return out, nil
}

func newAlone(columns int) *alone {
	return &alone{Present: make([]int, columns), Weights: [2][]float64{make([]float64, columns), make([]float64, columns)}}
}

// alone computes the sums over a leaf. It computes V for the leaf's terms only once.
func (r *Rows) alone(q *Question, l leaf, inverse []float64) (*alone, error) {
	t, columns := r.terms(l, q.Weights), r.Matrix.Width()
	n, within := t.width, inverse
	if t.mg != nil {
		within = make([]float64, n*n)
		for a := range n {
			for b := range n {
				t.each(a, func(row int, part float64) {
					t.each(b, func(column int, other float64) {
						within[a*n+b] += float64(part * other * inverse[row*columns+column])
					})
				})
			}
		}
	}
	out, gram := newAlone(columns), numeric.NewGram(n)
	weights, square, present := make([]float64, n), make([]float64, n), make([]int, n)
	var s datasets.Sample
	err := r.each(l.numbers, func(b *datasets.Block, i int) {
		b.Outline(i, &s)
		t.read(b, i, false)
		leverage := 0.0
		for k, c := range t.cols {
			with, half := within[int(c)*n:][:n], 0.0
			for j, d := range t.cols[:k] {
				half += float64(with[d] * t.vals[j])
			}
			leverage += float64(t.vals[k] * (float64(2*half) + float64(with[c]*t.vals[k])))
		}
		_, grad, hess := Bounded(q.Loss, t.sum(), &s)
		grad, hess = s.Weight*grad, s.Weight*hess
		left := 1 - float64(hess*leverage)
		if !(left > 1e-9) {
			last := lastRow{Episode: s.Episode, Grad: grad, Hess: hess}
			for k, c := range t.cols {
				t.each(int(c), func(column int, part float64) {
					last.Columns, last.Values = append(last.Columns, int32(column)), append(last.Values, part*t.vals[k])
				})
			}
			out.Last = append(out.Last, last)
			return
		}
		out.Rows++
		size := grad / left
		gram.Add(t.cols, t.vals, size*size, 0)
		for k, c := range t.cols {
			v := float64(hess * t.vals[k] * t.vals[k])
			weights[c] += v
			square[c] += float64(v * v)
			present[c] += BoolToInt(t.vals[k] != 0)
		}
	})
	for a := range n {
		t.each(a, func(column int, part float64) {
			if part > 0 {
				out.Present[column] = present[a]
				by := part * part
				out.Weights[0][column], out.Weights[1][column] = by*weights[a], by*by*square[a]
			}
		})
	}
	xx, _ := gram.Sum()
	out.Squares = t.square(xx)
	return out, err
}
