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

// Question is what a pass is to add up.
type Question struct {
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
	// Support is in how many rows each column is not 0, with Question.Design or without a loss.
	Support []int64
}

// Sum is one pass over the rows; nil if there are none.
func (r *Rows) Sum(ctx context.Context, q Question) (*Sum, error) {
	leaves := r.leaves()
	return sumLeaves(ctx, len(leaves), r.goroutines(), func(number int) (*Sum, error) { return r.sum(&q, leaves[number]) })
}

// mostSums is how many numbers the sums take that several goroutines make at a time;
// those of one goroutine may take more.
const mostSums = 64 << 20

// goroutines is how many may sum at a time, at least one.
func (r *Rows) goroutines() int {
	return max(1, min(r.workers, mostSums/(2*r.Matrix.Width()*r.Matrix.Width())))
}

// sum adds up the rows of a leaf.
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

// addTo adds the row's products times w to g, and the row times wy.
func (t *terms) addTo(g *numeric.Gram, w, wy float64) {
	if t.full {
		g.AddFull(t.vals, w, wy)
		return
	}
	g.Add(t.cols, t.vals, w, wy)
}

// count counts the columns in which the row is not 0.
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

// add adds the sums of the rows that follow.
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

// sumLeaves is the sum of leaves that goroutines make, each by its number, in an order that does not
// depend on who makes them. Few sums wait for those before them.
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
