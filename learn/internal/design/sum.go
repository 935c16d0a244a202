package design

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"plyfit/datasets"
	"plyfit/internal/dense"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
)

// A Question selects the sums that a pass computes.
type Question struct {
	// Loss is the function to minimise, evaluated at Weights (by column). If nil, the pass computes
	// the sums of least squares, which do not depend on weights.
	Loss    loss.Function
	Weights []float64
	// Design requests the sums of the design in addition to those of Loss.
	Design bool
}

// Sum contains sums over rows x with labels y and weights v. Matrices are symmetric and stored row
// by row.
type Sum struct {
	Loss float64 // total of v times the loss
	// XX and XY are the sums of v h x x' and v g x, where g and h are the first and second
	// derivatives of the loss. For least squares they are the sums of v x x' and v y x, where the
	// rows' offsets are subtracted from the labels.
	XX, XY []float64
	Design []float64 // sum of v x x' if Question.Design is set, otherwise nil
	// Support is the number of rows in which each column is not 0. It is set if Question.Design is
	// set or there is no loss.
	Support []int64
}

// Sum computes the sums in one pass over the rows. It returns nil if there are no rows.
func (r *Rows) Sum(ctx context.Context, q Question) (*Sum, error) {
	leaves := r.leaves()
	return sumLeaves(ctx, len(leaves), r.goroutines(), func(number int) (*Sum, error) { return r.sum(&q, leaves[number]) })
}

// mostSums is the maximum total size of the sums that several goroutines compute at the same time,
// in numbers. The sums computed by a single goroutine may be larger.
const mostSums = 64 << 20

// goroutines returns the number of goroutines, at least one, that may compute sums at the same
// time.
func (r *Rows) goroutines() int {
	return max(1, min(r.workers, mostSums/(2*r.Matrix.Width()*r.Matrix.Width())))
}

// sum computes the sums of a leaf.
func (r *Rows) sum(q *Question, l leaf) (*Sum, error) {
	t := r.terms(l, q.Weights)
	gram, squares := numeric.NewGram(t.width), (*numeric.Gram)(nil)
	if q.Design {
		squares = numeric.NewGram(t.width)
	}
	out := &Sum{}
	support := make([]int64, t.width)
	var s datasets.Sample
	err := r.each(l.numbers, func(b *datasets.Block, i int) {
		s.Y, s.Weight, s.Kind = b.Label(i)
		t.read(b, i, true)
		grad, hess := s.Y-t.offset, 1.0
		if q.Loss != nil {
			var v float64
			v, grad, hess = Bounded(q.Loss, t.sum(), &s)
			out.Loss += float64(s.Weight * v)
		}
		t.addTo(gram, s.Weight*hess, s.Weight*grad)
		if squares != nil {
			t.addTo(squares, s.Weight, 0)
		}
		if q.Loss == nil || q.Design {
			t.count(support)
		}
	})
	xx, xy := gram.Sum()
	out.XX, out.XY, out.Support = t.square(xx), make([]float64, r.Matrix.Width()), make([]int64, r.Matrix.Width())
	for a, v := range xy {
		t.each(a, func(column int, part float64) {
			out.XY[column] = part * v
			if part > 0 {
				out.Support[column] = support[a]
			}
		})
	}
	if squares != nil {
		xx, _ := squares.Sum()
		out.Design = t.square(xx)
	}
	return out, err
}

// addTo adds w times the row's outer product with itself, and wy times the row, to g.
func (t *terms) addTo(g *numeric.Gram, w, wy float64) {
	if t.full {
		g.AddFull(t.vals, w, wy)
		return
	}
	g.Add(t.cols, t.vals, w, wy)
}

// count increments support for the columns in which the row is not 0.
func (t *terms) count(support []int64) {
	for k, v := range t.vals {
		if v == 0 {
			continue
		}
		if t.full {
			support[k]++
		} else {
			support[t.cols[k]]++
		}
	}
}

// add adds the sums over the rows that follow.
func (s *Sum) add(next *Sum) {
	s.Loss += next.Loss
	dense.Add(s.XX, next.XX)
	dense.Add(s.XY, next.XY)
	if s.Design != nil {
		dense.Add(s.Design, next.Design)
	}
	for c, n := range next.Support {
		s.Support[c] += n
	}
}

// sumLeaves returns the sum of all leaves. Several goroutines compute the leaves; the last
// parameter is the function that computes the leaf with a given number. The order of summation does
// not depend on which goroutine computes which leaf. The number of sums that wait for earlier ones
// is limited.
func sumLeaves(ctx context.Context, leaves, workers int, of func(number int) (*Sum, error)) (*Sum, error) {
	type result struct {
		sum *Sum
		err error
	}
	done := make([]chan result, leaves)
	for number := range done {
		done[number] = make(chan result, 1)
	}
	var next atomic.Int64
	var summing sync.WaitGroup
	ahead := make(chan struct{}, workers+1)
	for range min(workers, leaves) {
		summing.Go(func() {
			for {
				ahead <- struct{}{}
				number := int(next.Add(1)) - 1
				if number >= leaves {
					return
				}
				r := result{err: ctx.Err()}
				if r.err == nil {
					r.sum, r.err = of(number)
				}
				done[number] <- r
			}
		})
	}
	var t sumTree
	var err error
	for _, c := range done {
		r := <-c
		<-ahead
		if err = errors.Join(err, r.err); err == nil {
			t.Add(r.sum)
		}
	}
	summing.Wait()
	return t.Total(), err
}

// A sumTree adds pairs of sums, then pairs of the results, and so on, in the order in which the
// sums arrive. The result is a binary tree that is completely filled from the left.
type sumTree struct {
	part  []*Sum // subtrees waiting for a sibling of the same size, largest first
	sizes []int  // number of leaves in each subtree
}

// Add adds the next leaf. The tree keeps and modifies s.
func (t *sumTree) Add(s *Sum) {
	size := 1
	for k := len(t.part) - 1; k >= 0 && t.sizes[k] == size; k-- {
		t.part[k].add(s)
		s, size = t.part[k], 2*size
		t.part, t.sizes = t.part[:k], t.sizes[:k]
	}
	t.part, t.sizes = append(t.part, s), append(t.sizes, size)
}

// Total returns the sum of all leaves, or nil if there are none. The tree must not be used
// afterwards.
func (t *sumTree) Total() *Sum {
	if len(t.part) == 0 {
		return nil
	}
	for k := len(t.part) - 1; k > 0; k-- {
		t.part[k-1].add(t.part[k])
	}
	return t.part[0]
}
