// Package worktest provides an [Executor] for tests. It simulates other processes by reconstructing
// each job only from its JSON and its files, as another machine would.
package worktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"plyfit/work"
)

// An Executor computes units in this process without sharing any state with the caller. It decodes
// the job from JSON and reads the files by their digests. Three workers compute the units in random
// order, some of them twice.
type Executor struct {
	Kinds work.Kinds
	Seed  uint64 // determines the order of the units and which of them are computed twice

	Jobs  []*work.Job // jobs received so far
	Units int         // number of units computed, including repetitions
	Twice int         // number of units computed a second time
}

var _ work.Executor = (*Executor)(nil)

const workers = 3

func (e *Executor) Run(ctx context.Context, r work.Run) error {
	job, build, err := work.ParseJob(r.Job.Canonical())
	switch {
	case err != nil:
		return err
	case build != work.ThisBuild():
		return fmt.Errorf("a job of %v: want a job of %v", build, work.ThisBuild())
	case r.Audit == nil || r.Audit.Check == nil || r.Audit.MostBytes < 1:
		return fmt.Errorf("a job of kind %q without an audit; want an audit", job.Kind)
	case !bytes.Equal(job.Canonical(), r.Job.Canonical()):
		return fmt.Errorf("the job %s comes back as %s", r.Job.Canonical(), job.Canonical())
	}
	e.Jobs = append(e.Jobs, job)
	files := work.Memory{}
	for name, digest := range job.Files {
		data, err := r.Files.Read(digest)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if files.Add(bytes.Clone(data)) != digest {
			return fmt.Errorf("%s: the SHA-256 is not %s", name, digest)
		}
	}
	units, err := e.Kinds.Open(job, files, workers)
	if err != nil {
		return err
	}
	defer units.Close()
	random := rand.New(rand.NewPCG(e.Seed, uint64(len(e.Jobs))))
	left := r.Units
	for len(left) > 0 {
		n := 0
		for n < len(left) && (r.Ready == nil || r.Ready(left[n])) {
			n++
		}
		if n == 0 {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(time.Millisecond):
			}
			continue
		}
		if err := e.batch(ctx, r, units, left[:n], random); err != nil {
			return err
		}
		left = left[n:]
	}
	return nil
}

// A result is the outcome of computing one unit.
type result struct {
	unit int
	data []byte
	err  error
}

// batch computes the given units, all of which are ready.
func (e *Executor) batch(ctx context.Context, r work.Run, units work.Units, ready []int, random *rand.Rand) error {
	var todo []int
	twice := map[int]bool{}
	for _, unit := range ready {
		todo = append(todo, unit)
		if random.IntN(4) == 0 {
			todo, twice[unit] = append(todo, unit), true
		}
	}
	random.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	e.Units += len(todo)
	e.Twice += len(twice)
	// Cancelling this context stops the remaining workers when batch returns early.
	ctx, stop := context.WithCancel(ctx)
	back := make(chan result)
	next := make(chan int)
	var all sync.WaitGroup
	defer func() { stop(); all.Wait() }()
	all.Go(func() {
		defer close(next)
		for _, unit := range todo {
			select {
			case next <- unit:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		all.Go(func() {
			for unit := range next {
				data, err := units.Unit(ctx, unit)
				select {
				case back <- result{unit, data, err}:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return e.collect(ctx, r, len(todo), back)
}

// collect receives n results, checks them and stores them with r.Put.
func (e *Executor) collect(ctx context.Context, r work.Run, n int, back <-chan result) error {
	first := map[int][]byte{}
	for range n {
		var b result
		select {
		case b = <-back:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		before, again := first[b.unit]
		switch {
		case b.err != nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case b.err != nil:
			return b.err
		case again && !bytes.Equal(before, b.data):
			return errors.New("the same unit has two results")
		}
		first[b.unit] = b.data
		if int64(len(b.data)) > r.Audit.MostBytes {
			return fmt.Errorf("unit %d: %d bytes; want at most %d", b.unit, len(b.data), r.Audit.MostBytes)
		}
		if err := r.Audit.Check(ctx, b.unit, b.data); err != nil {
			return fmt.Errorf("unit %d: the audit rejects a correct result: %w", b.unit, err)
		}
		if err := r.Put(b.unit, b.data); err != nil {
			return err
		}
		if r.There != nil && !again {
			r.There(b.unit)
		}
	}
	return nil
}
