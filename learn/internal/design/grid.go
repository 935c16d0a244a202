package design

import (
	"context"

	"plyfit/datasets"
	"plyfit/learn/internal/numeric"
	"plyfit/models"
)

// grid are training rows of [datasets.Dense] samples, summed where they lie. Its sums are
// those of [Passes] to the last bit.
type grid struct {
	Data    datasets.Dense
	Rows    []int32 // those to train on, ascending
	Matrix  *Matrix
	Workers int // goroutines that sum; 0: one. They do not change the sums.
}

// Laid are training rows in memory that are summed where they lie.
type Laid interface {
	Len() int
	// Support is how many of the rows are not 0 in each column.
	Support() []int64
	// Part are those of the rows that keep tells by their place among them.
	Part(keep func(i int) bool) Laid
	// Sum is one pass; nil where there is no row.
	Sum(ctx context.Context, q Question) (*Sum, error)
}

var (
	_ Laid = (*grid)(nil)
	_ Laid = (*Taper)(nil)
)

// Lay is nil for samples whose rows are to be had one by one alone. training tells which
// rows to train on, each being told once and in order. workers are the goroutines that
// sum (0: one), and do not change the sums.
func Lay(data datasets.Samples, d *Matrix, workers int, training func(s *datasets.Sample) bool) Laid {
	if t := newTaper(data, d, workers, training); t != nil {
		return t
	}
	if g := newGrid(data, d, workers, training); g != nil {
		return g
	}
	return nil
}

func trained(data datasets.Dense, training func(s *datasets.Sample) bool) (list []int32) {
	rows, _ := data.Rows()
	var s datasets.Sample
	for row := range rows {
		if data.Row(row, &s); training(&s) {
			list = append(list, int32(row))
		}
	}
	return list
}

// newGrid is nil for samples whose rows are to be had one by one alone. training tells
// which rows to train on, each being told once and in order.
func newGrid(data datasets.Samples, d *Matrix, workers int, training func(s *datasets.Sample) bool) *grid {
	dense, ok := data.(datasets.Dense)
	if !ok {
		return nil
	}
	rows, width := dense.Rows()
	if width == 0 || width != d.Model.Len() || rows != int(int32(rows)) {
		return nil
	}
	return &grid{Data: dense, Matrix: d, Workers: workers, Rows: trained(dense, training)}
}

// Len implements [Laid].
func (g *grid) Len() int { return len(g.Rows) }

// Part implements [Laid].
func (g *grid) Part(keep func(i int) bool) Laid {
	part := *g
	part.Rows = nil
	for i, row := range g.Rows {
		if keep(i) {
			part.Rows = append(part.Rows, row)
		}
	}
	return &part
}

// Support implements [Laid].
func (g *grid) Support() []int64 {
	out := make([]int64, g.Matrix.Width())
	g.each(g.Rows, func(_ int32, x []float32) {
		for c, f := range g.Matrix.Feature {
			if f != models.Bias && x[f] != 0 {
				out[c]++
			}
		}
	})
	return out
}

func (g *grid) each(rows []int32, visit func(row int32, x []float32)) {
	width, at := g.Matrix.Model.Len(), int32(-1)
	var cells []float32
	scratch := make([]float32, datasets.BlockRows*width)
	for _, row := range rows {
		if k := row / datasets.BlockRows; k != at {
			at = k
			cells = g.Data.Cells(int(k), scratch)
		}
		visit(row, cells[int(row%datasets.BlockRows)*width:][:width])
	}
}

// Sum implements [Laid].
func (g *grid) Sum(ctx context.Context, q Question) (*Sum, error) {
	q.Columns = g.Matrix.Width()
	size := blockRows(q.Columns)
	return sumLeaves(ctx, (len(g.Rows)+size-1)/size, q.goroutines(g.Workers), func(number int) *Sum {
		return q.ofGrid(g, g.Rows[number*size:min((number+1)*size, len(g.Rows))])
	})
}

func (q *Question) ofGrid(g *grid, rows []int32) *Sum {
	gram := numeric.NewGram(q.Columns)
	var squares *numeric.Gram
	if q.Design {
		squares = numeric.NewGram(q.Columns)
	}
	out := &Sum{}
	d := g.Matrix
	var frozen []int32 // features
	for i, c := range d.Column[1:] {
		if c < 0 {
			frozen = append(frozen, int32(i))
		}
	}
	first := 0 // of the columns that are features
	if d.Bias >= 0 {
		first = 1
	}
	vals := make([]float64, q.Columns)
	var s datasets.Sample
	g.each(rows, func(row int32, x []float32) {
		g.Data.Row(int(row), &s)
		z := 0.0
		for _, f := range frozen {
			z += float64(d.Model.Weight(f) * float64(x[f]))
		}
		features := d.Feature[first:]
		to := vals[first:][:len(features)]
		for k, f := range features {
			to[k] = float64(x[f])
		}
		if q.Loss == nil {
			gram.AddFull(vals, s.Weight, s.Weight*(s.Y-z))
		} else {
			weights := q.Weights[first:][:len(features)]
			for k, v := range to {
				z += float64(weights[k] * v)
			}
			v, grad, hess := Bounded(q.Loss, z, &s)
			out.Loss += float64(s.Weight * v)
			gram.AddFull(vals, s.Weight*hess, s.Weight*grad)
		}
		if squares != nil {
			squares.AddFull(vals, s.Weight, 0)
		}
	})
	out.XX, out.XY = gram.Sum()
	if squares != nil {
		out.Design, _ = squares.Sum()
	}
	return out
}
