package design

import (
	"context"
	"slices"

	"plyfit/datasets"
	"plyfit/learn/internal/numeric"
)

// Taper are training rows of [datasets.Tapered] samples, summed by the share p of the
// middlegame that they have. Term c stands in two columns, as p x_c and (1-p) x_c, so that
// among rows of one share the sums of the columns are those of the terms times p^2, p(1-p)
// and (1-p)^2: a quarter of the products of two columns that rows one by one take.
//
// Its sums are those of [Passes] but for rounding, which for Passes includes that of the
// features p x_c to float32. They do not depend on how many sum.
type Taper struct {
	data    datasets.Tapered
	matrix  *Matrix
	workers int
	rows    []int32   // by share, ascending where that is the same
	shares  []float64 // ascending
	ends    []int     // of the rows of each share
}

// newTaper is nil for samples that are not tapered, or have too many shares.
func newTaper(data datasets.Samples, d *Matrix, workers int, training func(s *datasets.Sample) bool) *Taper {
	tapered, ok := data.(datasets.Tapered)
	if !ok {
		return nil
	}
	shares := tapered.Shares()
	if rows, _ := tapered.Rows(); shares == nil || rows != int(int32(rows)) {
		return nil
	}
	t := &Taper{data: tapered, matrix: d, workers: workers, ends: make([]int, len(shares))}
	for _, p := range shares {
		t.shares = append(t.shares, float64(p))
	}
	list := trained(tapered, training)
	stage := make([]uint8, len(list))
	for i, row := range list {
		k, _ := slices.BinarySearch(shares, tapered.Share(int(row)))
		stage[i] = uint8(k)
		t.ends[k]++
	}
	at, next := 0, make([]int, len(shares))
	for k, n := range t.ends {
		next[k] = at
		at += n
		t.ends[k] = at
	}
	t.rows = make([]int32, len(list))
	for i, row := range list {
		k := stage[i]
		t.rows[next[k]] = row
		next[k]++
	}
	return t
}

// Len implements [Laid].
func (t *Taper) Len() int { return len(t.rows) }

// Part implements [Laid].
func (t *Taper) Part(keep func(i int) bool) Laid {
	part := *t
	part.rows, part.ends = nil, nil
	first := 0
	for _, end := range t.ends {
		for i := first; i < end; i++ {
			if keep(i) {
				part.rows = append(part.rows, t.rows[i])
			}
		}
		part.ends, first = append(part.ends, len(part.rows)), end
	}
	return &part
}

// columns are those of the middlegame and of the endgame of each term, -1 where frozen.
func (t *Taper) columns() (mg, eg []int32) {
	for f := 1; f < len(t.matrix.Column); f += 2 {
		mg, eg = append(mg, t.matrix.Column[f]), append(eg, t.matrix.Column[f+1])
	}
	return mg, eg
}

// Support implements [Laid].
func (t *Taper) Support() []int64 {
	out := make([]int64, t.matrix.Width())
	mg, eg := t.columns()
	var terms []int32
	var values []float64
	for _, s := range t.stages() {
		for _, row := range s.rows {
			terms, values = t.data.Terms(int(row), terms[:0], values[:0])
			for _, c := range terms {
				if c := mg[c]; c >= 0 && s.share > 0 {
					out[c]++
				}
				if c := eg[c]; c >= 0 && s.share < 1 {
					out[c]++
				}
			}
		}
	}
	return out
}

// stage is a run of rows of one share.
type stage struct {
	share float64
	rows  []int32
}

// stages are the leaves of the sum.
func (t *Taper) stages() (list []stage) {
	size, first := blockRows(t.matrix.Width()), 0
	for k, p := range t.shares {
		for rows := range slices.Chunk(t.rows[first:t.ends[k]], size) {
			list = append(list, stage{p, rows})
		}
		first = t.ends[k]
	}
	return list
}

// Sum implements [Laid], for questions that have a loss.
func (t *Taper) Sum(ctx context.Context, q Question) (*Sum, error) {
	q.Columns = t.matrix.Width()
	stages := t.stages()
	return sumLeaves(ctx, len(stages), q.goroutines(t.workers), func(number int) *Sum { return q.ofStage(t, stages[number]) })
}

// within are the weights of the terms among rows of one share.
func (q *Question) within(t *Taper, s stage, mg, eg []int32) []float64 {
	weight := func(feature int, c int32) float64 {
		if c < 0 {
			return t.matrix.Model.Weight(int32(feature))
		}
		return q.Weights[c]
	}
	out := make([]float64, len(mg))
	for c := range out {
		out[c] = float64(s.share*weight(2*c, mg[c])) + float64((1-s.share)*weight(2*c+1, eg[c]))
	}
	return out
}

// ofStage is [Question.Of] for rows of one share.
func (q *Question) ofStage(t *Taper, s stage) *Sum {
	mg, eg := t.columns()
	weights, rest := q.within(t, s, mg, eg), 1-s.share
	gram := numeric.NewGram(len(mg))
	var squares *numeric.Gram
	if q.Design {
		squares = numeric.NewGram(len(mg))
	}
	out := &Sum{}
	var terms []int32
	var values []float64
	var row datasets.Sample
	for _, at := range s.rows {
		t.data.Row(int(at), &row)
		terms, values = t.data.Terms(int(at), terms[:0], values[:0])
		z := 0.0
		for k, c := range terms {
			z += float64(weights[c] * values[k])
		}
		v, grad, hess := Bounded(q.Loss, z, &row)
		out.Loss += float64(row.Weight * v)
		gram.Add(terms, values, row.Weight*hess, row.Weight*grad)
		if squares != nil {
			squares.Add(terms, values, row.Weight, 0)
		}
	}
	xx, xy := gram.Sum()
	out.XX, out.XY = spread(xx, q.Columns, s.share, mg, eg), make([]float64, q.Columns)
	for c, v := range xy {
		if mg[c] >= 0 {
			out.XY[mg[c]] = s.share * v
		}
		if eg[c] >= 0 {
			out.XY[eg[c]] = rest * v
		}
	}
	if squares != nil {
		xx, _ = squares.Sum()
		out.Design = spread(xx, q.Columns, s.share, mg, eg)
	}
	return out
}

// spread is the symmetric matrix of so many columns that one of the terms makes in rows of
// one share.
func spread(terms []float64, columns int, share float64, mg, eg []int32) []float64 {
	out, rest, n := make([]float64, columns*columns), 1-share, len(mg)
	for a := range n {
		for side, row := range [2]int32{mg[a], eg[a]} {
			if row < 0 {
				continue
			}
			part := [2]float64{share, rest}[side]
			mid, end, to := float64(part*share), float64(part*rest), out[int(row)*columns:][:columns]
			for b, v := range terms[a*n : (a+1)*n] {
				if c := mg[b]; c >= 0 {
					to[c] = mid * v
				}
				if c := eg[b]; c >= 0 {
					to[c] = end * v
				}
			}
		}
	}
	return out
}
