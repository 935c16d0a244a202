package design

import (
	"context"

	"plyfit/datasets"
	"plyfit/internal/dense"
	"plyfit/learn/internal/numeric"
)

// alone is what leaving out each row by itself would change in a fit whose second
// derivatives have the inverse V: a row x of gradient g and curvature h moves the weights
// by V x g/(1 - h x'Vx) (Sherman and Morrison 1950).
type alone struct {
	Rows    int
	Squares []float64    // the sum of x x' times (g/(1 - h x'Vx))^2, by columns squared
	Present []int        // by column, in how many rows it is not 0
	Says    [2][]float64 // by column, the sums of h x^2 and of its square
	Last    []lastRow    // rows that no sum has: they alone say something of a weight
}

// lastRow is a row whose h x'Vx is 1 but for 1e-9.
type lastRow struct {
	Episode    uint64
	Columns    []int32
	Values     []float64
	Grad, Hess float64
}

// Alone sums at the weights of q. inverse is V of all columns, 0 where one is not fitted.
func (t *Taper) Alone(ctx context.Context, q Question, inverse []float64) (*alone, error) {
	q.Columns = t.matrix.Width()
	stages := t.stages()
	parts := make([]*alone, len(stages))
	sum, err := sumLeaves(ctx, len(stages), q.goroutines(t.workers), func(number int) *Sum {
		part, squares := q.alone(t, stages[number], inverse)
		parts[number] = part
		return &Sum{XX: squares}
	})
	if err != nil {
		return nil, err
	}
	out := newAlone(q.Columns)
	out.Squares = sum.XX
	for _, part := range parts {
		out.Rows += part.Rows
		for c, n := range part.Present {
			out.Present[c] += n
		}
		dense.Add(out.Says[0], part.Says[0])
		dense.Add(out.Says[1], part.Says[1])
		out.Last = append(out.Last, part.Last...)
	}
	return out, nil
}

func newAlone(columns int) *alone {
	return &alone{Present: make([]int, columns), Says: [2][]float64{make([]float64, columns), make([]float64, columns)}}
}

// alone sums the rows of one share. Among them V of the terms is made once.
func (q *Question) alone(t *Taper, s stage, inverse []float64) (out *alone, squares []float64) {
	mg, eg := t.columns()
	n, share, rest := len(mg), s.share, 1-s.share
	within := make([]float64, n*n)
	for a := range n {
		for b := range n {
			v := 0.0
			for _, x := range [2]struct {
				column int32
				part   float64
			}{{mg[a], share}, {eg[a], rest}} {
				if x.column < 0 {
					continue
				}
				row := inverse[int(x.column)*q.Columns:][:q.Columns]
				if c := mg[b]; c >= 0 {
					v += float64(x.part * share * row[c])
				}
				if c := eg[b]; c >= 0 {
					v += float64(x.part * rest * row[c])
				}
			}
			within[a*n+b] = v
		}
	}
	out = newAlone(q.Columns)
	gram, weights := numeric.NewGram(n), q.within(t, s, mg, eg)
	says, square, present := make([]float64, n), make([]float64, n), make([]int, n)
	var terms []int32
	var values []float64
	var row datasets.Sample
	for _, at := range s.rows {
		t.data.Row(int(at), &row)
		terms, values = t.data.Terms(int(at), terms[:0], values[:0])
		z, leverage := 0.0, 0.0
		for k, c := range terms {
			z += float64(weights[c] * values[k])
			with, half := within[int(c)*n:][:n], 0.0
			for j, d := range terms[:k] {
				half += float64(with[d] * values[j])
			}
			leverage += float64(values[k] * (float64(2*half) + float64(with[c]*values[k])))
		}
		_, grad, hess := Bounded(q.Loss, z, &row)
		grad, hess = row.Weight*grad, row.Weight*hess
		left := 1 - float64(hess*leverage)
		if !(left > 1e-9) {
			last := lastRow{Episode: row.Episode, Grad: grad, Hess: hess}
			for k, c := range terms {
				last.Columns = append(last.Columns, mg[c], eg[c])
				last.Values = append(last.Values, share*values[k], rest*values[k])
			}
			out.Last = append(out.Last, last)
			continue
		}
		out.Rows++
		size := grad / left
		gram.Add(terms, values, size*size, 0)
		for k, c := range terms {
			v := float64(hess * values[k] * values[k])
			says[c] += v
			square[c] += float64(v * v)
			present[c]++
		}
	}
	for c := range n {
		for _, x := range [2]struct {
			column int32
			part   float64
		}{{mg[c], share}, {eg[c], rest}} {
			if x.column >= 0 && x.part > 0 {
				out.Present[x.column] = present[c]
				by := x.part * x.part
				out.Says[0][x.column], out.Says[1][x.column] = by*says[c], by*by*square[c]
			}
		}
	}
	xx, _ := gram.Sum()
	return out, spread(xx, q.Columns, share, mg, eg)
}
