package selfplay

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"plyfit/datasets"
)

// source makes the records of one episode; it belongs to one worker.
type source interface {
	episode(ctx context.Context, e uint64) ([]datasets.Record, error)
}

// filling writes the missing shards of a data set.
type filling struct {
	plan     datasets.Plan
	missing  []int
	dir      string
	sources  []source // one a worker
	progress func(finished int)
}

type job struct {
	shard   int
	episode uint64
}

type made struct {
	job
	records []datasets.Record
}

// newSources makes one source for each worker. It comes before the folder is
// touched, so that an agent that cannot be made leaves nothing behind.
func newSources(workers int, newSource func() (source, error)) ([]source, error) {
	var sources []source
	for range max(1, workers) {
		src, err := newSource()
		if err != nil {
			return nil, err
		}
		sources = append(sources, src)
	}
	return sources, nil
}

// run has the workers' sources make the episodes. They are handed out in order,
// and never more than two shards ahead of the oldest one that is not written,
// so that memory stays bounded.
func (f *filling) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	jobs, results := make(chan job), make(chan made)
	room := make(chan struct{}, 2) // a token for each shard under way
	go f.deal(ctx, jobs, room)
	var wait sync.WaitGroup
	for _, src := range f.sources {
		wait.Go(func() {
			for j := range jobs {
				records, err := src.episode(ctx, j.episode)
				if err != nil {
					stop(fmt.Errorf("episode %d: %w", j.episode, err)) // the first one counts
					return
				}
				select {
				case results <- made{j, records}:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() { wait.Wait(); close(results) }()
	if err := f.collect(ctx, results, room); err != nil {
		stop(err)
		for range results { // let the workers go
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// deal hands out the episodes of the missing shards.
func (f *filling) deal(ctx context.Context, jobs chan<- job, room chan<- struct{}) {
	defer close(jobs)
	for _, k := range f.missing {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return
		}
		from, to := f.plan.Span(k)
		for e := from; e < to; e++ {
			select {
			case jobs <- job{k, e}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// collect puts episodes together again and writes each shard when it is whole.
func (f *filling) collect(ctx context.Context, results <-chan made, room <-chan struct{}) error {
	finished := f.plan.Episodes
	for _, k := range f.missing {
		from, to := f.plan.Span(k)
		finished -= int(to - from)
	}
	tell := func() {
		if f.progress != nil {
			f.progress(finished)
		}
	}
	tell()
	shards := map[int]map[uint64][]datasets.Record{}
	for m := range results {
		episodes := shards[m.shard]
		if episodes == nil {
			episodes = map[uint64][]datasets.Record{}
			shards[m.shard] = episodes
		}
		episodes[m.episode] = m.records
		finished++
		tell()
		from, to := f.plan.Span(m.shard)
		if uint64(len(episodes)) < to-from {
			continue
		}
		var records []datasets.Record
		for e := from; e < to; e++ {
			records = append(records, episodes[e]...)
		}
		delete(shards, m.shard)
		if err := datasets.WriteShard(filepath.Join(f.dir, datasets.ShardName(m.shard)), records); err != nil {
			return err
		}
		<-room
	}
	return nil
}
