package design

import (
	"plyfit/datasets"
	"plyfit/internal/dense"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
)

// Question is what a pass is to add up.
type Question struct {
	Columns int
	// Loss is what is minimised, at Weights (by column). nil: least squares, whose
	// sums are those of the design and do not depend on weights.
	Loss    loss.Function
	Weights []float64
	// Design asks for the sums of the design beside those of Loss.
	Design bool
}

// Sum is the answer for some rows x with labels y and row weights v; matrices are
// symmetric, row by row.
type Sum struct {
	Loss float64 // total of v times the loss
	// XX and XY are the sums of v h x x' and v g x, where g and h are the loss's first and second
	// derivative; in least squares, of v x x' and v y x, with offsets taken from the labels.
	XX, XY []float64
	Design []float64 // the sum of v x x' with Question.Design, else nil
}

// Of adds up the rows of a block.
func (q *Question) Of(b *block) *Sum {
	g := numeric.NewGram(q.Columns)
	var squares *numeric.Gram
	if q.Design {
		squares = numeric.NewGram(q.Columns)
	}
	out := &Sum{}
	var cols []int32
	var vals []float64
	var s datasets.Sample
	for i, r := range b.rows {
		cols, vals = cols[:0], vals[:0]
		for k := b.start[i]; k < b.start[i+1]; k++ {
			cols, vals = append(cols, int32(b.cols[k])), append(vals, float64(b.vals[k]))
		}
		if q.Loss == nil {
			g.Add(cols, vals, r.Weight, r.Weight*(r.Y-r.Offset))
		} else {
			z := r.Offset
			for k, c := range cols {
				z += float64(q.Weights[c] * vals[k])
			}
			s.Y, s.Kind = r.Y, r.Kind
			v, grad, hess := Bounded(q.Loss, z, &s)
			out.Loss += float64(r.Weight * v)
			g.Add(cols, vals, r.Weight*hess, r.Weight*grad)
		}
		if squares != nil {
			squares.Add(cols, vals, r.Weight, 0)
		}
	}
	out.XX, out.XY = g.Sum()
	if squares != nil {
		out.Design, _ = squares.Sum()
	}
	return out
}

// add adds the sums of the rows that follow.
func (s *Sum) add(next *Sum) {
	s.Loss += next.Loss
	dense.Add(s.XX, next.XX)
	dense.Add(s.XY, next.XY)
	if s.Design != nil {
		dense.Add(s.Design, next.Design)
	}
}

// sumTree adds sums in pairs, pairs of pairs and so on, as they come: a binary tree over
// them all that is as deep as it can be to the left.
type sumTree struct {
	part  []*Sum // subtrees that wait for their twin, the largest first
	sizes []int  // of them, in leaves
}

// Add adds the next leaf, which the tree keeps.
func (t *sumTree) Add(s *Sum) {
	size := 1
	for k := len(t.part) - 1; k >= 0 && t.sizes[k] == size; k-- {
		t.part[k].add(s)
		s, size = t.part[k], 2*size
		t.part, t.sizes = t.part[:k], t.sizes[:k]
	}
	t.part, t.sizes = append(t.part, s), append(t.sizes, size)
}

// Total is the sum of all leaves, nil where there is none. It ends the tree.
func (t *sumTree) Total() *Sum {
	if len(t.part) == 0 {
		return nil
	}
	for k := len(t.part) - 1; k > 0; k-- {
		t.part[k-1].add(t.part[k])
	}
	return t.part[0]
}
