package learn

import (
	"sync"
	"sync/atomic"

	"plyfit/datasets"
	"plyfit/models"
)

// batchRows is how many rows are handed to other goroutines together.
const batchRows = 256

// visitor takes the rows of a pass, in their order. It keeps none.
type visitor func(s *datasets.Sample, held bool)

// batch is rows that goroutines visit.
type batch struct {
	rows  []datasets.Sample
	held  []bool
	terms models.Vector // of all rows, one after the other
	ends  []int         // of each
	left  atomic.Int32  // visitors that are to come
}

func (b *batch) add(s *datasets.Sample, held bool) {
	b.rows, b.held, b.terms = append(b.rows, *s), append(b.held, held), append(b.terms, s.X...)
	b.ends = append(b.ends, len(b.terms))
}

// seal gives the rows their terms, which do not move any more.
func (b *batch) seal() {
	first := 0
	for i, end := range b.ends {
		b.rows[i].X, first = b.terms[first:end], end
	}
}

func (b *batch) clear() {
	b.rows, b.held, b.terms, b.ends = b.rows[:0], b.held[:0], b.terms[:0], b.ends[:0]
}

// inBatches hands all rows that read visits to each of some visitors. With more than one
// worker each visitor has a goroutine of its own; all have the same rows in the same order.
func inBatches(workers int, read func(visit func(s *datasets.Sample, held bool) error) error, visitors ...visitor) error {
	if workers < 2 {
		return read(func(s *datasets.Sample, held bool) error {
			for _, take := range visitors {
				take(s, held)
			}
			return nil
		})
	}
	const ahead = 8
	spare, todo := make(chan *batch, ahead), make([]chan *batch, len(visitors))
	for range ahead {
		spare <- &batch{}
	}
	var visiting sync.WaitGroup
	for i, take := range visitors {
		todo[i] = make(chan *batch, ahead)
		visiting.Go(func() {
			for b := range todo[i] {
				for k := range b.rows {
					take(&b.rows[k], b.held[k])
				}
				if b.left.Add(-1) == 0 {
					b.clear()
					spare <- b
				}
			}
		})
	}
	now := <-spare
	send := func() {
		now.seal()
		now.left.Store(int32(len(visitors)))
		for i := range todo {
			todo[i] <- now
		}
	}
	err := read(func(s *datasets.Sample, held bool) error {
		if now.add(s, held); len(now.rows) == batchRows {
			send()
			now = <-spare
		}
		return nil
	})
	send()
	for i := range todo {
		close(todo[i])
	}
	visiting.Wait()
	return err
}
