package datasets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"plyfit/work"
)

// Merge makes in dir the whole data set whose finished slices are in the folders
// from, and returns its manifest: the set is the one that a single process would
// have made, to the byte. The slices must be of one plan and cover it.
func Merge(ctx context.Context, dir string, from []string) (*Manifest, error) {
	var plan Plan
	for i, folder := range from {
		m, err := ReadManifest(folder)
		if err != nil {
			return nil, err
		}
		if m.Slice.Whole() {
			return nil, fmt.Errorf("%s: no slice of a data set: want folders made with --slice", folder)
		}
		if !m.Finished() {
			return nil, m.unfinished(folder)
		}
		m.Slice = work.Slice{}
		if i == 0 {
			plan = m.Plan
		}
		if what := plan.differs(m.Plan); what != "" {
			return nil, fmt.Errorf("%s and %s are of two data sets: the first's %s", from[0], folder, what)
		}
		if plan.Episodes != m.Episodes {
			return nil, fmt.Errorf("%s and %s are of two data sets: one of %d episodes, the other of %d", from[0], folder, plan.Episodes, m.Episodes)
		}
	}
	in := make([]string, plan.Shards()) // the shards' files
	for k := range in {
		for _, folder := range from {
			path := filepath.Join(folder, ShardName(k))
			if _, err := os.Stat(path); err == nil {
				in[k] = path
				break
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		if in[k] == "" {
			return nil, fmt.Errorf("%s is in none of %d folders: want all slices", ShardName(k), len(from))
		}
	}
	return Fill(ctx, dir, plan, func(ctx context.Context, missing *Missing) error {
		pool := &work.Pool[struct{}, []byte]{Workers: make([]struct{}, 1), Task: work.Task[struct{}, []byte]{
			Parts: func(int) int { return 1 },
			Do: func(_ context.Context, _ struct{}, shard, _ int) ([]byte, error) {
				switch whole, err := holdsSpan(in[shard], plan, shard); {
				case err != nil:
					return nil, err
				case !whole:
					_, to := plan.Span(shard)
					return nil, fmt.Errorf("%s: ends before episode %d: want the shard as it was made", in[shard], to-1)
				}
				return os.ReadFile(in[shard])
			},
			Join: func(_ int, files [][]byte) ([]byte, error) { return files[0], nil },
		}}
		return pool.Run(ctx, work.Run{Put: missing.Put, Units: missing.Shards})
	})
}
