package selfplay

import (
	"context"
	"fmt"

	"plyfit/datasets"
	"plyfit/work"
)

// source makes the records of one episode; it belongs to one worker.
type source interface {
	episode(ctx context.Context, e uint64) ([]datasets.Record, error)
}

// pool fills data sets.
type pool = work.Pool[source, []datasets.Record]

// newPool makes one source for each worker. It comes before the folder is
// touched, so that an agent that cannot be made leaves nothing behind. A unit of
// the pool's work is a shard, a part of it an episode.
func newPool(plan datasets.Plan, workers int, newSource func() (source, error)) (*pool, error) {
	c := &pool{Task: work.Task[source, []datasets.Record]{
		Parts: func(shard int) int {
			from, to := plan.Span(shard)
			return int(to - from)
		},
		Do: func(ctx context.Context, s source, shard, part int) ([]datasets.Record, error) {
			from, _ := plan.Span(shard)
			e := from + uint64(part)
			records, err := s.episode(ctx, e)
			if err != nil {
				return nil, fmt.Errorf("episode %d: %w", e, err)
			}
			return records, nil
		},
		Join: func(shard int, episodes [][]datasets.Record) ([]byte, error) {
			var records []datasets.Record
			for _, e := range episodes {
				records = append(records, e...)
			}
			file, err := datasets.EncodeShard(records)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", datasets.ShardName(shard), err)
			}
			return file, nil
		},
	}}
	for range max(1, workers) {
		src, err := newSource()
		if err != nil {
			return nil, err
		}
		c.Workers = append(c.Workers, src)
	}
	return c, nil
}

// fill has the pool make the missing shards; finished is called with how many of the
// episodes there are, those that other processes make once their shard
// is whole. pack makes of the plan's job what other processes need to do it.
func fill(ctx context.Context, c *pool, plan datasets.Plan, missing *datasets.Missing, pack func(job *work.Job) (work.Files, error), finished func(int)) error {
	r := work.Run{Put: missing.Put, Units: missing.Shards}
	if work.ExecutorOf(ctx) != nil {
		var err error
		r.Job = plan.Job()
		if r.Files, err = pack(r.Job); err != nil {
			return err
		}
		r.Audit = &work.Audit{MostBytes: plan.MostBytes(), Check: func(_ context.Context, shard int, file []byte) error { return plan.Check(shard, file) }}
	}
	there := plan.Episodes
	for _, k := range missing.Shards {
		there -= c.Parts(k)
	}
	add := func(n int) {
		there += n
		if finished != nil {
			finished(there)
		}
	}
	add(0)
	if r.Job == nil {
		r.Part = func(int) { add(1) }
	} else {
		r.There = func(shard int) { add(c.Parts(shard)) }
	}
	return c.Run(ctx, r)
}
