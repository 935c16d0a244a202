package selfplay

import (
	"context"
	"fmt"
	"path/filepath"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/search"
	"plyfit/work"
)

// RelabelConfig configures a second search of the positions of a data set.
type RelabelConfig struct {
	Game     *game.Game     // world of the data set
	Agent    search.Factory // searches the positions
	From, To string         // directories of the data sets
	Seed     uint64
	Once     bool // whether to begin a new game of the agent per episode instead of per position, for [Repeatable] agents
	Workers  int
	Progress func(finished int)
}

// Relabel copies the data set in From to To and replaces the search result of each record (its
// value, its depth and whether it is proven) with that of a search by Agent. If it is interrupted,
// it resumes as [Run] does. Neither the number of workers nor an interruption changes the data.
func Relabel(ctx context.Context, cfg RelabelConfig) (*datasets.Manifest, error) {
	if err := check(cfg.Agent); err != nil {
		return nil, err
	}
	from, err := datasets.Open(cfg.From)
	if err != nil {
		return nil, err
	}
	if from.Game != cfg.Game.Spec {
		return nil, fmt.Errorf("%s: contains records of %s; want %s", cfg.From, from.Game, cfg.Game.Spec)
	}
	plan := from.Plan
	plan.Agents, plan.Source, plan.Seed = []string{cfg.Agent.ID()}, from.Digest, cfg.Seed
	players, err := newRelabellers(&cfg, plan, func(shard int, do func(*datasets.Record) bool) error {
		return datasets.EachRecord(filepath.Join(cfg.From, datasets.ShardName(shard)), do)
	})
	if err != nil {
		return nil, err
	}
	return datasets.Fill(ctx, cfg.To, plan, func(ctx context.Context, missing *datasets.Missing) error {
		return fill(ctx, players, plan, missing, func(job *work.Job) (work.Files, error) { return packShards(job, &cfg, plan) }, cfg.Progress)
	})
}

// Valued returns the number of records with a value in the complete data set m in dir.
func Valued(dir string, m *datasets.Manifest) (n int64, err error) {
	for _, shard := range m.Shards {
		if err := datasets.EachRecord(filepath.Join(dir, shard.File), func(r *datasets.Record) bool {
			if r.HasValue {
				n++
			}
			return true
		}); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// newRelabellers creates the pool of workers for a plan. The function read calls its argument do
// with each record of a shard.
func newRelabellers(cfg *RelabelConfig, plan datasets.Plan, read func(shard int, do func(*datasets.Record) bool) error) (*pool, error) {
	return newPool(plan, cfg.Workers, func() (source, error) {
		agent, err := cfg.Agent.New()
		return &relabeller{cfg: cfg, plan: plan, read: read, agent: agent, shard: -1}, err
	})
}

// A relabeller searches the positions of whole episodes. It caches the last shard that it read,
// because episodes are processed in order.
type relabeller struct {
	cfg      *RelabelConfig
	plan     datasets.Plan
	read     func(shard int, do func(*datasets.Record) bool) error
	agent    search.Agent
	shard    int
	episodes map[uint64][]datasets.Record
}

func (l *relabeller) episode(ctx context.Context, e uint64) ([]datasets.Record, error) {
	if k := int(e) / l.plan.EpisodesPerShard; k != l.shard {
		l.shard, l.episodes = -1, map[uint64][]datasets.Record{}
		err := l.read(k, func(r *datasets.Record) bool {
			l.episodes[r.Episode] = append(l.episodes[r.Episode], *r)
			return true
		})
		if err != nil {
			return nil, err
		}
		l.shard = k
	}
	records := append([]datasets.Record(nil), l.episodes[e]...)
	for i := range records {
		r := &records[i]
		s, err := l.cfg.Game.Parse(r.Position)
		if err != nil {
			return nil, err
		}
		if i == 0 || !l.cfg.Once {
			l.agent.Begin(game.Seed(l.cfg.Seed, game.StreamRelabel, e, uint64(i)))
		}
		found, err := search.SearchUninterrupted(ctx, l.agent, s)
		if err != nil {
			return nil, err
		}
		value(r, &found, l.cfg.Game)
	}
	return records, nil
}
