package sums

import (
	"context"
	"fmt"
	"sync"

	"plyfit/work"
)

// rows hands the training rows to add, in their order. add keeps no slice.
type rows func(add func(cols []int32, vals []float64, r Row)) error

// Passes make the sums of one fit, pass after pass over the same rows.
type Passes struct {
	Columns int
	Workers int // goroutines that sum; 0: one. They do not change the sums.

	packed *packedRows // once the rows are with other processes
}

// Sum is one pass; nil where there is no row. Where the context says so
// ([work.WithExecutor]) other processes sum: rows are then read and packed in the
// first pass, and not read again. Close ends the fit.
func (p *Passes) Sum(ctx context.Context, q Question, read rows) (*Sum, error) {
	q.Columns = p.Columns
	if w, ok := q.wire(); ok && work.ExecutorOf(ctx) != nil {
		return p.elsewhere(ctx, &q, w, read)
	}
	return p.here(&q, read)
}

// Close gives back what packed rows take.
func (p *Passes) Close() error {
	if p.packed == nil {
		return nil
	}
	return p.packed.close()
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
	todo, summed, spare := make(chan leaf), make(chan leaf), make(chan *block, workers+1)
	for range workers + 1 {
		spare <- &block{}
	}
	var summing sync.WaitGroup
	for range workers {
		summing.Go(func() {
			for l := range todo {
				l.sum = of(l.number)
				summed <- l
			}
		})
	}
	total := make(chan *Sum)
	go func() { total <- inOrder(summed, spare) }()
	for number := 0; number < leaves && ctx.Err() == nil; number++ {
		todo <- leaf{number: number, block: <-spare}
	}
	close(todo)
	summing.Wait()
	close(summed)
	return <-total, ctx.Err()
}

// here sums with goroutines of this process, while the rows are read.
func (p *Passes) here(q *Question, read rows) (*Sum, error) {
	workers := q.goroutines(p.Workers)
	full, summed := make(chan leaf), make(chan leaf)
	spare := make(chan *block, workers+1)
	for range workers + 1 {
		spare <- &block{}
	}
	var summing sync.WaitGroup
	for range workers {
		summing.Go(func() {
			for l := range full {
				l.sum = q.Of(l.block)
				summed <- l
			}
		})
	}
	total := make(chan *Sum)
	go func() { total <- inOrder(summed, spare) }()
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
	close(full)
	summing.Wait()
	close(summed)
	return <-total, err
}

// inOrder is the sum of leaves that come in any order. A block is spare again once all
// before it are added, so that few sums wait.
func inOrder(leaves <-chan leaf, spare chan<- *block) *Sum {
	var t Tree
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

// elsewhere has other processes sum. A single unit is not worth the way.
func (p *Passes) elsewhere(ctx context.Context, q *Question, w rest, read rows) (*Sum, error) {
	if p.packed == nil {
		packed, err := packRows(p.Columns, read)
		if err != nil {
			return nil, err
		}
		p.packed = packed
	}
	if blocks := len(p.packed.digests); blocks <= unitBlocks {
		return p.packed.sum(q)
	}
	job := &work.Job{Kind: kindSums, To: len(p.packed.digests), UnitSize: unitBlocks, Files: map[string]string{}, Rest: w}
	for i, digest := range p.packed.digests {
		job.Files[blockName(i)] = digest
	}
	results := make([][]byte, (job.To+unitBlocks-1)/unitBlocks)
	r := work.Run{Job: job, Files: p.packed, Audit: q.audit(), Put: func(unit int, result []byte) error {
		results[unit] = result // of its own for each unit; one that comes twice is the same
		return nil
	}}
	for unit := range results {
		r.Units = append(r.Units, unit)
	}
	if err := work.ExecutorOf(ctx).Run(ctx, r); err != nil {
		return nil, err
	}
	var t Tree
	for i, data := range results {
		sum, err := q.unpack(data)
		if err != nil {
			return nil, fmt.Errorf("unit %d: %w", i, err)
		}
		t.Add(sum)
	}
	return t.Total(), nil
}

// audit is what the sums of other processes have to pass: they have to be as many as
// there are. They may be infinite, where a step was too long. Whether they are right is found where a unit is worked out twice.
func (q *Question) audit() *work.Audit {
	size := q.packedSize()
	return &work.Audit{MostBytes: int64(size), Check: func(_ context.Context, _ int, data []byte) error {
		if len(data) != size {
			return fmt.Errorf("sums of %d columns: %d bytes, want %d", q.Columns, len(data), size)
		}
		return nil
	}}
}
