package selfplay

import (
	"fmt"
	"os"
	"path/filepath"

	"plyfit/datasets"
	"plyfit/search"
	"plyfit/work"
)

// Kinds returns the kinds of jobs that compute shards in other processes: self-play and
// relabelling. unpack returns the game and the agents of a job.
func Kinds(unpack search.Unpack) work.Kinds {
	return work.Kinds{
		{Name: datasets.SelfPlay, Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
			plan, err := datasets.PlanOf(job)
			if err != nil {
				return nil, err
			}
			cfg := &Config{
				Episodes: plan.Episodes, Seed: plan.Seed, Openings: plan.Openings, Explore: plan.Explore,
				Adjudicate: plan.Adjudicate, EpisodesPerShard: plan.EpisodesPerShard, Workers: workers,
			}
			if cfg.Game, cfg.Agents, err = unpack(job, files); err != nil {
				return nil, err
			}
			if cfg.Book, err = unpackBook(plan.Book, job, files); err != nil {
				return nil, err
			}
			if err := cfg.check(); err != nil {
				return nil, err
			}
			c, _, err := newPlayers(cfg, plan)
			if err != nil {
				return nil, err
			}
			return work.NewUnits(c.Task, c.Workers, nil), nil
		}},
		{Name: datasets.Relabel, Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
			plan, err := datasets.PlanOf(job)
			if err != nil {
				return nil, err
			}
			cfg := &RelabelConfig{Seed: plan.Seed, Workers: workers}
			g, agents, err := unpack(job, files)
			if err != nil {
				return nil, err
			}
			if len(agents) != 1 {
				return nil, fmt.Errorf("%d agents: want a single agent, which searches all positions", len(agents))
			}
			cfg.Game, cfg.Agent = g, agents[0]
			c, err := newRelabellers(cfg, plan, func(shard int, do func(*datasets.Record) bool) error {
				name := datasets.ShardName(shard)
				data, err := files.Read(job.Files[name])
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				return datasets.EachRecordOf(name, data, do)
			})
			if err != nil {
				return nil, err
			}
			return work.NewUnits(c.Task, c.Workers, nil), nil
		}},
	}
}

// packed contains the files of a relabelling job. The agent's files are in memory, while the shards
// remain on disk.
type packed struct {
	work.Memory
	shards map[string]string // paths by the SHA-256 of the files
}

func (p *packed) Read(digest string) ([]byte, error) {
	if path := p.shards[digest]; path != "" {
		return os.ReadFile(path)
	}
	return p.Memory.Read(digest)
}

// packShards adds the agent's files and the shards to be relabelled to the job.
func packShards(job *work.Job, cfg *RelabelConfig, plan datasets.Plan) (work.Files, error) {
	p := &packed{Memory: work.Memory{}, shards: map[string]string{}}
	if err := search.Pack(job, p.Memory, cfg.Agent); err != nil {
		return nil, err
	}
	for shard := range plan.Shards() {
		name := datasets.ShardName(shard)
		path := filepath.Join(cfg.From, name)
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		digest := work.Digest(data)
		job.Files[name], p.shards[digest] = digest, path
	}
	return p, nil
}
