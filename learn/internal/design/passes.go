package design

import (
	"context"
	"sync"
)

// rows hands the training rows to add, in their order. add keeps no slice.
type rows func(add func(cols []int32, vals []float64, r Row)) error

// Passes make the sums of one fit, pass after pass over the same rows.
type Passes struct {
	Columns int
	Workers int // goroutines that sum; 0: one. They do not change the sums.
}

// leaf is a block, and its sum once that is there.
type leaf struct {
	number int
	block  *block
	sum    *Sum
}

// mostSums is how many numbers the sums take that several goroutines make at a time;
// those of one goroutine may take more.
const mostSums = 64 << 20

// goroutines is how many of so many may sum at a time, at least one.
func (q *Question) goroutines(workers int) int {
	return max(1, min(workers, mostSums/(2*q.Columns*q.Columns)))
}

// sumLeaves is the sum of leaves that goroutines make, each by its number.
func sumLeaves(ctx context.Context, leaves, workers int, of func(number int) *Sum) (*Sum, error) {
	workers = max(1, min(workers, leaves))
	return summed(workers, func(l leaf) *Sum { return of(l.number) }, func(todo chan<- leaf, spare <-chan *block) error {
		for number := 0; number < leaves && ctx.Err() == nil; number++ {
			todo <- leaf{number: number, block: <-spare}
		}
		return ctx.Err()
	})
}

// Sum is one pass, by goroutines that sum while the rows are read; nil where there is no row.
func (p *Passes) Sum(q Question, read rows) (*Sum, error) {
	q.Columns = p.Columns
	return summed(q.goroutines(p.Workers), func(l leaf) *Sum { return q.Of(l.block) }, func(full chan<- leaf, spare <-chan *block) error {
		number, size, b := 0, blockRows(p.Columns), <-spare
		err := read(func(cols []int32, vals []float64, r Row) {
			if b.Add(cols, vals, r); b.Len() == size {
				full <- leaf{number: number, block: b}
				number++
				b = <-spare
			}
		})
		if err == nil && b.Len() > 0 {
			full <- leaf{number: number, block: b}
		}
		return err
	})
}

// summed is the sum of the leaves that feed sends, each with a spare block, to goroutines that make
// their sums.
func summed(workers int, of func(l leaf) *Sum, feed func(todo chan<- leaf, spare <-chan *block) error) (*Sum, error) {
	todo, done, spare := make(chan leaf), make(chan leaf), make(chan *block, workers+1)
	for range workers + 1 {
		spare <- &block{}
	}
	var summing sync.WaitGroup
	for range workers {
		summing.Go(func() {
			for l := range todo {
				l.sum = of(l)
				done <- l
			}
		})
	}
	total := make(chan *Sum)
	go func() { total <- inOrder(done, spare) }()
	err := feed(todo, spare)
	close(todo)
	summing.Wait()
	close(done)
	return <-total, err
}

// inOrder is the sum of leaves that come in any order. A block is spare again once all
// before it are added, so that few sums wait.
func inOrder(leaves <-chan leaf, spare chan<- *block) *Sum {
	var t sumTree
	next, early := 0, map[int]leaf{}
	for l := range leaves {
		early[l.number] = l
		for l, there := early[next]; there; l, there = early[next] {
			delete(early, next)
			t.Add(l.sum)
			l.block.clear()
			spare <- l.block
			next++
		}
	}
	return t.Total()
}
