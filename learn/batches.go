package learn

import (
	"sync"
	"sync/atomic"

	"plyfit/datasets"
	"plyfit/models"
)

// batchRows is how many rows are handed to other goroutines together.
const batchRows = 256

// look sees the rows of a pass, in their order. It keeps none.
type look func(s *datasets.Sample, held bool)

// batch is rows that goroutines look at.
type batch struct {
	rows  []datasets.Sample
	held  []bool
	terms models.Vector // of all rows, one after the other
	ends  []int         // of each
	left  atomic.Int32  // looks that have not seen it yet
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

// inBatches shows all rows that read visits to each of some looks. With more than one
// worker each look has a goroutine of its own; all see the same rows in the same order.
func inBatches(workers int, read func(visit func(s *datasets.Sample, held bool) error) error, looks ...look) error {
	if workers < 2 {
		return read(func(s *datasets.Sample, held bool) error {
			for _, see := range looks {
				see(s, held)
			}
			return nil
		})
	}
	const ahead = 8
	spare, todo := make(chan *batch, ahead), make([]chan *batch, len(looks))
	for range ahead {
		spare <- &batch{}
	}
	var seeing sync.WaitGroup
	for i, see := range looks {
		todo[i] = make(chan *batch, ahead)
		seeing.Go(func() {
			for b := range todo[i] {
				for k := range b.rows {
					see(&b.rows[k], b.held[k])
				}
				if b.left.Add(-1) == 0 {
					b.clear()
					spare <- b
				}
			}
		})
	}
	now := <-spare
	show := func() {
		now.seal()
		now.left.Store(int32(len(looks)))
		for i := range todo {
			todo[i] <- now
		}
	}
	err := read(func(s *datasets.Sample, held bool) error {
		if now.add(s, held); len(now.rows) == batchRows {
			show()
			now = <-spare
		}
		return nil
	})
	show()
	for i := range todo {
		close(todo[i])
	}
	seeing.Wait()
	return err
}
